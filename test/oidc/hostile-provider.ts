import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { selfMadeCertificate } from '../self-made-certificate.ts'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A provider that a test has answer as it likes. */
export interface HostileProvider {
  readonly issuer: string
  /** By path; what is not here is answered as a good provider does. */
  readonly answers: Map<string, Answer>
  /** How often each path was asked for. */
  readonly asked: Map<string, number>
  /** The ID token that the next code gets. */
  idToken: string
  /** An ID token as it should be, but for what is changed in it. */
  sign(nonce: string, change?: JWTPayload, key?: KeyObject): Promise<string>
  unsigned(nonce: string): string
  close(): Promise<void>
}

export const METADATA = '/.well-known/openid-configuration'
const KEYS = '/keys'
export const TOKEN = '/token'

export async function startHostileProvider(clientId: string): Promise<HostileProvider> {
  const server = createServer(await selfMadeCertificate())
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const claims = (nonce: string): JWTPayload => {
    const now = Math.floor(Date.now() / 1000)
    return { iss: issuer, sub: 'ada', aud: clientId, iat: now, exp: now + 60, auth_time: now, nonce }
  }
  const provider: HostileProvider = {
    issuer,
    answers: new Map(),
    asked: new Map(),
    idToken: '',
    sign: (nonce, change = {}, key = privateKey) =>
      new SignJWT({ ...claims(nonce), ...change }).setProtectedHeader({ alg: 'ES256', kid: '1' }).sign(key),
    unsigned: (nonce) => new UnsecuredJWT(claims(nonce)).encode(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const good: Record<string, () => object> = {
    [METADATA]: () => metadataOf(issuer),
    [KEYS]: () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'ES256' }],
    }),
    [TOKEN]: () => ({ access_token: 'a', token_type: 'Bearer', id_token: provider.idToken }),
  }
  server.on('request', (request, response) => {
    const path = request.url!
    provider.asked.set(path, (provider.asked.get(path) ?? 0) + 1)
    const answer = provider.answers.get(path)
    if (answer === undefined) answerJson(response, good[path]?.() ?? {})
    else answer(response, request)
  })
  return provider
}

export function metadataOf(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: issuer + TOKEN,
    jwks_uri: issuer + KEYS,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256', 'none', 'HS256'],
  }
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
