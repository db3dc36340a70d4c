import { createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, FlattenedSign, type JWK } from 'jose'
import { AcmeError, isRecord, problemError } from './acme-error.ts'
import { ACME_LIMITS } from './acme-limits.ts'
import type { Clock } from './clock.ts'

export interface AcmeSessionOptions {
  /** An https address. */
  readonly directory: string
  /** A private key on P-256. */
  readonly accountKey: KeyObject
  readonly email?: string | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface AcmeResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** What the text says in JSON; empty where it says nothing. */
  readonly body: Readonly<Record<string, unknown>>
}

const BAD_NONCE = 'urn:ietf:params:acme:error:badNonce'

/** Signed requests to one authority under one account (RFC 8555, section 6). */
export class AcmeSession {
  private readonly options: AcmeSessionOptions
  private readonly jwk: JWK
  private directory: Readonly<Record<string, unknown>> = {}
  private account: string | undefined
  private nonce: string | undefined

  constructor(options: AcmeSessionOptions) {
    this.options = options
    const { kty, crv, x, y } = createPublicKey(options.accountKey).export({ format: 'jwk' })
    this.jwk = { kty, crv, x, y } as JWK
  }

  /**
   * Reads the directory and finds the key's account, or makes it: that agrees to the authority's terms of service.
   * @throws AcmeError
   */
  async open(): Promise<void> {
    const { email } = this.options
    const answer = await this.send(this.options.directory, { method: 'GET' })
    if (answer.status !== 200) throw this.refused('the directory', answer)
    this.directory = answer.body
    const contact = email === undefined ? [] : [`mailto:${email}`]
    const found = await this.post(this.resource('newAccount'), { termsOfServiceAgreed: true, contact })
    const account = found.headers.get('location')
    if (account === null) throw new AcmeError('the authority answered with no address for the account')
    this.account = account
    // Some authorities keep no addresses, and then show none.
    const kept = found.body.contact
    if (found.status === 200 && Array.isArray(kept) && kept.join() !== contact.join())
      await this.post(account, { contact })
  }

  /** @throws AcmeError when the directory doesn't name it */
  resource(name: string): string {
    const url = this.directory[name]
    if (typeof url === 'string') return url
    throw new AcmeError(`${this.options.directory} is no directory of ACME: it names no ${name}`)
  }

  /** What the authority must find at the challenge's address (RFC 8555, section 8.1). */
  async keyAuthorization(token: string): Promise<string> {
    return `${token}.${await calculateJwkThumbprint(this.jwk, 'sha256')}`
  }

  /**
   * Sends a payload; without one, asks for what is there ("POST-as-GET").
   * @throws AcmeError for every status but 2xx
   */
  async post(url: string, payload?: object): Promise<AcmeResponse> {
    for (let left = ACME_LIMITS.nonceTries; ; left--) {
      const answer = await this.send(url, { method: 'POST', body: await this.sign(url, payload) })
      if (answer.status >= 200 && answer.status < 300) return answer
      if (answer.body.type !== BAD_NONCE || left <= 1) throw this.refused(new URL(url).pathname, answer)
    }
  }

  /** A pause between two looks at the same thing, as long as the authority asked for. */
  pause(ms: number): Promise<void> {
    return this.options.clock.wait(ms, this.options.signal)
  }

  private async sign(url: string, payload: object | undefined): Promise<string> {
    const nonce = this.nonce ?? (await this.freshNonce())
    this.nonce = undefined
    const who = this.account === undefined ? { jwk: this.jwk } : { kid: this.account }
    const bytes = new TextEncoder().encode(payload === undefined ? '' : JSON.stringify(payload))
    const signed = await new FlattenedSign(bytes)
      .setProtectedHeader({ alg: 'ES256', nonce, url, ...who })
      .sign(this.options.accountKey)
    return JSON.stringify(signed)
  }

  private async freshNonce(): Promise<string> {
    await this.send(this.resource('newNonce'), { method: 'HEAD' })
    if (this.nonce === undefined) throw new AcmeError('the authority gave no nonce')
    return this.nonce
  }

  private async send(url: string, request: { method: string; body?: string }): Promise<AcmeResponse> {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
      throw new AcmeError(`${url} is no https address, and ACME is spoken over https alone`)
    const { signal } = this.options
    try {
      const response = await fetch(url, {
        ...request,
        redirect: 'error',
        headers: {
          'user-agent': 'sheaf (acme)',
          'accept-language': 'en',
          ...(request.body !== undefined && { 'content-type': 'application/jose+json' }),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(ACME_LIMITS.requestMs)]),
      })
      this.nonce = response.headers.get('replay-nonce') ?? this.nonce
      const text = await readText(response)
      return { status: response.status, headers: response.headers, text, body: jsonObject(text) }
    } catch (error) {
      if (error instanceof AcmeError) throw error
      throw new AcmeError(`${new URL(url).host} can't be reached: ${deepestMessage(error)}`, { cause: error })
    }
  }

  /** How long the authority wants to be left alone; 0 where it doesn't say. */
  retryAfterMs({ headers }: AcmeResponse): number {
    return retryAfterMs(headers, this.options.clock.now())
  }

  private refused(what: string, answer: AcmeResponse): AcmeError {
    const problem = 'type' in answer.body ? answer.body : { detail: `HTTP status ${answer.status}` }
    return problemError(`the authority refused ${what}`, problem, this.retryAfterMs(answer))
  }
}

/** In milliseconds, from seconds or a date (RFC 9110, section 10.2.3); 0 without one. */
function retryAfterMs(headers: Headers, now: number): number {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Math.min(ACME_LIMITS.longestRetryAfterMs, Math.max(0, Number.isNaN(ms) ? 0 : ms))
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > ACME_LIMITS.answerBytes) throw new AcmeError('the authority sent an answer that is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** `fetch` says only that it failed; what failed is its cause. */
function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return deepestMessage(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return deepestMessage(error.errors[0])
  return error.message
}
