import type { JWTPayload } from 'jose'
// By its parts: the whole library takes 30 ms of the processor more at every start.
import * as errors from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { fromBase64url } from '../domain/base64url.ts'
import type { KeyRules } from '../domain/key-rules.ts'
import type { TokenSecret } from '../storage/store.ts'

const ALGORITHM = 'HS256'
const TYPE = 'JWT'
const ISSUER = 'sheaf'
/** RFC 7515's compact form; anything longer or of another form is not looked at. */
const TOKEN_FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
const TOKEN_CHARACTERS = 2048
/** How far another machine's clock may be ahead when it made the token. */
const FUTURE_SECONDS = 60
/** All that a header of ours has: no key, address of a key or extension in it is ever looked at. */
const HEADER_NAMES: readonly string[] = ['alg', 'typ', 'kid']

/** What a token of ours says. Whether it is still good is for the directory and the clock to say. */
export interface TokenClaims {
  readonly keyId: string
  /** Milliseconds since the Unix epoch; the token is dead from `expiresAt` on. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** How often tokens of the key had been ended when it was made. */
  readonly generation: number
  /** The secret that it was signed with. */
  readonly signedWith: TokenSecret
}

/**
 * Makes a token that stands in for a key: it carries the key record's id, never the key. It ends with the key where
 * that ends first.
 */
export function signToken(options: {
  readonly keyId: string
  readonly rules: Pick<KeyRules, 'tokenLifetimeMs' | 'expiresAt'>
  readonly secret: TokenSecret
  /** 0 where it is not given. */
  readonly generation?: number | undefined
  readonly now: number
}): Promise<string> {
  const { keyId, rules, secret, generation = 0, now } = options
  const issuedAt = Math.floor(now / 1000)
  const lifetimeEnd = issuedAt * 1000 + rules.tokenLifetimeMs
  const end = Math.min(lifetimeEnd, rules.expiresAt ?? lifetimeEnd)
  return new SignJWT({ kid: keyId, ...(generation !== 0 && { gen: generation }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: secret.kid })
    .setIssuer(ISSUER)
    .setIssuedAt(issuedAt)
    .setExpirationTime(Math.floor(end / 1000))
    .sign(secret.secret)
}

/**
 * Checks that a token is ours: its signature, by an algorithm that is pinned and not the token's choice (RFC 8725,
 * 3.1), its issuer, and that it is not from the future (RFC 7519). Whether it has expired is left to the caller, for
 * one that was good once is no forgery. Answers undefined for a bad one: why it is bad helps nobody but a forger.
 */
export async function verifyToken(
  token: string,
  { secrets, now }: { readonly secrets: readonly TokenSecret[]; readonly now: number },
): Promise<TokenClaims | undefined> {
  if (token.length > TOKEN_CHARACTERS || !isCompact(token)) return undefined
  const signedWith = namedSecret(token, secrets)
  if (signedWith === undefined) return undefined
  const payload = await verifiedPayload(token, signedWith.secret, now)
  if (payload === undefined) return undefined
  const { kid, iat, exp, gen: generation = 0 } = payload
  if (typeof generation !== 'number') return undefined
  if (typeof kid !== 'string' || !Number.isFinite(iat) || !Number.isFinite(exp)) return undefined
  if (iat! > now / 1000 + FUTURE_SECONDS) return undefined
  return { keyId: kid, issuedAt: iat! * 1000, expiresAt: exp! * 1000, generation, signedWith }
}

/** Whether each part is in its one spelling, so that nothing else is taken for a token that was made. */
function isCompact(token: string): boolean {
  return TOKEN_FORM.test(token) && token.split('.').every((part) => fromBase64url(part) !== undefined)
}

/** The secret that a header names by its `kid`. That is a name to compare, and no path, query or address. */
function namedSecret(token: string, secrets: readonly TokenSecret[]): TokenSecret | undefined {
  const header = objectFrom(token.slice(0, token.indexOf('.')))
  if (header === undefined || Object.keys(header).some((name) => !HEADER_NAMES.includes(name)))
    return undefined
  return secrets.find(({ kid }) => kid === header.kid)
}

function objectFrom(base64url: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

async function verifiedPayload(
  token: string,
  secret: Uint8Array,
  now: number,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      requiredClaims: ['iss', 'iat', 'exp', 'kid'],
      currentDate: new Date(now),
    })
    return payload
  } catch (error) {
    // This is the last of all checks, so that nothing else is wrong with it.
    return error instanceof errors.JWTExpired && error.claim === 'exp' ? error.payload : undefined
  }
}
