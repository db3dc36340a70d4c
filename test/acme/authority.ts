import 'reflect-metadata'
import { type KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { calculateJwkThumbprint, type FlattenedJWSInput, flattenedVerify, importJWK, type JWK } from 'jose'
import { createTestCa, type TestCa } from './test-ca.ts'

interface Signed {
  readonly url: string
  readonly account: string
  readonly payload: Readonly<Record<string, never>> | undefined
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

interface Order {
  readonly names: readonly string[]
  readonly tokens: readonly string[]
  readonly valid: Set<number>
  /** Why a validation failed. */
  failure?: string
  certificate?: string
  /** How often it still says `processing`. */
  processing: number
}

/** What a test wants to go wrong, or otherwise. */
export interface Behaviour {
  /** Problem documents for the next orders, with their status. */
  refuseOrders?: { status: number; type: string; detail: string; retryAfter?: string } | undefined
  /** How many more requests are told that their nonce was bad. */
  badNonces?: number
  down?: boolean
  /** Answers wait for it. */
  until?: Promise<void>
  /** Called instead of answering. */
  hang?: () => void
  issueForOtherName?: boolean
  lifetimeMs?: number
}

/** An authority of RFC 8555 that runs here: as strict as is needed to catch a client's mistakes. */
export class TestAuthority {
  readonly behaviour: Behaviour = {}
  readonly accounts = new Map<string, { jwk: JWK; contact: readonly string[] }>()
  readonly orders: Order[] = []
  /** What was found at the challenges' addresses. */
  readonly validations: string[] = []
  readonly requests: string[] = []
  private readonly nonces = new Set<string>()
  private readonly options: { ca: TestCa; httpPort: number; now: () => number }
  private base = ''

  private constructor(options: { ca: TestCa; httpPort: number; now: () => number }) {
    this.options = options
  }

  static async start(options: {
    httpPort: number
    now: () => number
  }): Promise<{ authority: TestAuthority; close: () => Promise<void> }> {
    // The authority's own HTTPS is of today, whatever the test's clock says.
    const ca = await createTestCa(Date.now())
    const own = await ca.issueWithKey('localhost')
    const authority = new TestAuthority({ ...options, ca: await createTestCa(options.now()) })
    const server = createServer(own, (incoming, outgoing) => authority.serve(incoming, outgoing))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    authority.base = `https://localhost:${(server.address() as AddressInfo).port}`
    setDefaultCACertificates([...getCACertificates('default'), ca.cert])
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    return { authority, close }
  }

  get directory(): string {
    return `${this.base}/directory`
  }

  /** Whether this authority signed it. */
  issued(cert: string): boolean {
    return new X509Certificate(cert).verify(new X509Certificate(this.options.ca.cert).publicKey as KeyObject)
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.requests.push(`${incoming.method} ${incoming.url}`)
    if (this.behaviour.hang !== undefined) {
      this.behaviour.hang()
      return
    }
    await this.behaviour.until
    let answer: Answer
    try {
      answer = this.behaviour.down === true ? { status: 503 } : await this.answer(incoming)
    } catch (error) {
      answer = problem(400, 'malformed', (error as Error).message)
    }
    const nonce = randomBytes(16).toString('base64url')
    this.nonces.add(nonce)
    outgoing.writeHead(answer.status, { 'replay-nonce': nonce, ...answer.headers })
    outgoing.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}))
  }

  private async answer(incoming: IncomingMessage): Promise<Answer> {
    if (!incoming.headers['user-agent']) throw new Error('a User-Agent is required')
    const path = incoming.url!
    if (path === '/directory') return { status: 200, body: this.resources() }
    if (path === '/new-nonce') return { status: 200 }
    const signed = await this.verify(incoming)
    if (signed === undefined) return problem(400, 'badNonce', 'take a fresh one')
    const [, kind, id = '', index = ''] = path.split('/')
    if (kind === 'new-account') return this.newAccount(signed)
    if (kind === 'account') return this.account(signed)
    if (kind === 'new-order') return this.newOrder(signed)
    const order = this.orders[Number(id)]
    if (order === undefined) return problem(404, 'malformed', 'no such order')
    if (kind === 'order') return { status: 200, body: this.orderBody(Number(id)) }
    if (kind === 'authorization') return { status: 200, body: this.authorization(Number(id), Number(index)) }
    if (kind === 'challenge') return this.challenge(order, Number(index), signed)
    if (kind === 'finalize') return this.finalize(Number(id), signed)
    return {
      status: 200,
      body: order.certificate!,
      headers: { 'content-type': 'application/pem-certificate-chain' },
    }
  }

  private resources(): object {
    const { base } = this
    return {
      newNonce: `${base}/new-nonce`,
      newAccount: `${base}/new-account`,
      newOrder: `${base}/new-order`,
      meta: { termsOfService: `${base}/terms` },
    }
  }

  /** RFC 8555, sections 6.2 to 6.5; undefined for a nonce that isn't one. */
  private async verify(incoming: IncomingMessage): Promise<Signed | undefined> {
    if (incoming.headers['content-type'] !== 'application/jose+json') throw new Error('wrong content type')
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const jws = JSON.parse(Buffer.concat(chunks).toString())
    const verified = await flattenedVerify(jws, (header: FlattenedJWSInput['header']) => {
      const { kid, jwk } = header ?? {}
      const known = kid === undefined ? (jwk as JWK) : this.accounts.get(String(kid))?.jwk
      if (known === undefined) throw new Error('no such account')
      return importJWK(known, 'ES256')
    })
    const { url, nonce, kid, jwk } = verified.protectedHeader as Record<string, unknown>
    if (url !== `${this.base}${incoming.url}`) throw new Error('the signed address is another')
    const isNew = incoming.url === '/new-account'
    if (isNew !== (jwk !== undefined) || isNew !== (kid === undefined))
      throw new Error('jwk or kid, as it fits')
    if (!this.nonces.delete(String(nonce)) || this.isNonceRefused()) return undefined
    const text = new TextDecoder().decode(verified.payload)
    const account = isNew ? await this.accountUrl(jwk as JWK) : String(kid)
    if (isNew && !this.accounts.has(account)) this.accounts.set(account, { jwk: jwk as JWK, contact: [] })
    return { url: String(url), account, payload: text === '' ? undefined : JSON.parse(text) }
  }

  private isNonceRefused(): boolean {
    const left = this.behaviour.badNonces ?? 0
    this.behaviour.badNonces = Math.max(0, left - 1)
    return left > 0
  }

  private async accountUrl(jwk: JWK): Promise<string> {
    return `${this.base}/account/${await calculateJwkThumbprint(jwk)}`
  }

  private newAccount({ account, payload }: Signed): Answer {
    const { termsOfServiceAgreed, contact } = payload as never as {
      termsOfServiceAgreed: boolean
      contact: string[]
    }
    const kept = this.accounts.get(account)!
    const isKnown = kept.contact.length > 0
    if (!isKnown && !termsOfServiceAgreed) return problem(403, 'userActionRequired', 'agree to the terms')
    if (!isKnown) this.accounts.set(account, { ...kept, contact })
    const body = { status: 'valid', contact: this.accounts.get(account)!.contact }
    return { status: isKnown ? 200 : 201, body, headers: { location: account } }
  }

  private account({ account, payload }: Signed): Answer {
    const { contact } = payload as never as { contact: string[] }
    this.accounts.set(account, { ...this.accounts.get(account)!, contact })
    return { status: 200, body: { status: 'valid', contact } }
  }

  private newOrder({ payload }: Signed): Answer {
    const { refuseOrders: refused } = this.behaviour
    if (refused !== undefined) {
      const { status, type, detail, retryAfter } = refused
      return { ...problem(status, type, detail), headers: retryAfter ? { 'retry-after': retryAfter } : {} }
    }
    const { identifiers } = payload as never as { identifiers: { value: string }[] }
    const names = identifiers.map(({ value }) => value)
    const tokens = names.map(() => randomBytes(24).toString('base64url'))
    const id = this.orders.push({ names, tokens, valid: new Set(), processing: 1 }) - 1
    return { status: 201, body: this.orderBody(id), headers: { location: `${this.base}/order/${id}` } }
  }

  private orderBody(id: number): object {
    const { base } = this
    const order = this.orders[id]!
    const { names, valid, failure, certificate } = order
    const isReady = valid.size === names.length
    const isProcessing = certificate !== undefined && order.processing-- > 0
    const done = isProcessing ? 'processing' : 'valid'
    const open = isReady ? 'ready' : 'pending'
    return {
      status: failure !== undefined ? 'invalid' : certificate !== undefined ? done : open,
      identifiers: names.map((value) => ({ type: 'dns', value })),
      authorizations: names.map((_, index) => `${base}/authorization/${id}/${index}`),
      finalize: `${base}/finalize/${id}`,
      ...(certificate !== undefined && !isProcessing && { certificate: `${base}/certificate/${id}` }),
    }
  }

  private authorization(id: number, index: number): object {
    const { names, tokens, valid, failure } = this.orders[id]!
    const status = failure !== undefined ? 'invalid' : valid.has(index) ? 'valid' : 'pending'
    const error = failure && { type: 'urn:ietf:params:acme:error:unauthorized', detail: failure }
    const url = `${this.base}/challenge/${id}/${index}`
    return {
      status,
      identifier: { type: 'dns', value: names[index] },
      challenges: [
        { type: 'dns-01', status: 'pending', url: `${url}/dns`, token: 'unused' },
        { type: 'http-01', status, url, token: tokens[index], ...(error && { error }) },
      ],
    }
  }

  /** Looks at the challenge's address as the world would, but on this machine's port. */
  private async challenge(order: Order, index: number, { account, payload }: Signed): Promise<Answer> {
    const token = order.tokens[index]!
    if (payload !== undefined) {
      const thumbprint = account.slice(account.lastIndexOf('/') + 1)
      const path = `/.well-known/acme-challenge/${token}`
      const found = await fetchText({ port: this.options.httpPort, path, host: order.names[index]! })
      this.validations.push(found)
      if (found === `${token}.${thumbprint}`) order.valid.add(index)
      else order.failure = `the key authorization at ${order.names[index]} was wrong`
    }
    const status = order.failure !== undefined ? 'invalid' : order.valid.has(index) ? 'valid' : 'pending'
    return { status: 200, body: { type: 'http-01', status, token, url: `${this.base}/unused` } }
  }

  private async finalize(id: number, { payload }: Signed): Promise<Answer> {
    const order = this.orders[id]!
    if (order.valid.size !== order.names.length) return problem(403, 'orderNotReady', 'validate first')
    const { csr } = payload as never as { csr: string }
    const notBefore = this.options.now()
    order.certificate = await this.options.ca.issue(Buffer.from(csr, 'base64url'), {
      names: order.names,
      issueFor: this.behaviour.issueForOtherName ? ['other.example'] : order.names,
      notBefore,
      notAfter: notBefore + (this.behaviour.lifetimeMs ?? 90 * 86_400_000),
    })
    return { status: 200, body: this.orderBody(id) }
  }
}

function problem(status: number, type: string, detail: string): Answer {
  return { status, body: { type: `urn:ietf:params:acme:error:${type}`, detail } }
}

function fetchText({ port, path, host }: { port: number; path: string; host: string }): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () => resolve(text))
    })
    asked.on('error', (error) => resolve(error.message))
    asked.end()
  })
}
