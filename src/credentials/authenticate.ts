import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import type { Directory, KeyRecord } from '../storage/store.ts'
import { hashApiKey, looksLikeKey } from './api-key.ts'
import { signToken, type TokenClaims, verifyToken } from './token.ts'

/** Credentials that verified and are remembered, of each kind. */
const REMEMBERED = 10_000

const TOKEN_PREFIX = 'token:'
const BEARER = /^bearer +(\S+)$/i

/** What a request presented, as it came; undefined is not presented, an empty text is a bad credential. */
export interface Credentials {
  /** The value of `X-Service-API-Key`, or of the header of another configured service name. */
  readonly apiKeyHeader?: string | undefined
  readonly authorization?: string | undefined
  /** The query parameter, percent-decoded. */
  readonly jwttoken?: string | undefined
}

export interface Authenticator {
  /**
   * Says who is asking. The first credential of the order header, `Authorization`, `jwttoken` decides alone. The
   * answer is a promise only where a token is seen for the first time.
   * @throws AppError `missing_credentials`, `invalid_credentials` (at once, or by the promise)
   */
  authenticate(credentials: Credentials): Principal | Promise<Principal>
  /**
   * Makes a token that stands in for an API key.
   * @throws AppError `invalid_credentials` (by the promise)
   */
  createToken(apiKey: string): Promise<string>
}

interface Remembered {
  /** The directory that `principal` was made from; for another one the key has to be looked up again. */
  directory: Directory
  principal: Principal
}

interface RememberedToken extends Remembered, TokenClaims {
  readonly secret: Uint8Array
}

interface RememberedKey extends Remembered {
  readonly hash: string
}

interface Surroundings {
  readonly directory: () => Directory
  readonly now: () => number
}

/**
 * Recognises API keys and tokens. What verified once is remembered under the text that was presented, so that it
 * costs a map's look-up from then on, and is checked again against each new `directory()`: a key that has gone
 * takes its tokens with it.
 */
export function createAuthenticator(surroundings: Surroundings): Authenticator {
  const { directory, now } = surroundings
  const fromKey = keyRecogniser(surroundings)
  const fromToken = tokenRecogniser(surroundings)
  return {
    authenticate({ apiKeyHeader, authorization, jwttoken }) {
      if (apiKeyHeader !== undefined)
        return apiKeyHeader.startsWith(TOKEN_PREFIX)
          ? fromToken(withoutPrefix(apiKeyHeader))
          : fromKey(apiKeyHeader)
      if (authorization !== undefined) {
        const token = BEARER.exec(authorization)?.[1]
        if (token === undefined) throw invalidCredentials()
        return fromToken(withoutPrefix(token))
      }
      if (jwttoken !== undefined) return fromToken(withoutPrefix(jwttoken))
      throw missingCredentials()
    },

    async createToken(apiKey) {
      const { keysByHash, tokenSecret } = directory()
      const record = looksLikeKey(apiKey) ? keysByHash.get(hashApiKey(apiKey)) : undefined
      if (record === undefined) throw invalidCredentials()
      return signToken({ keyId: record.id, secret: tokenSecret, now: now() })
    },
  }
}

function keyRecogniser({ directory }: Surroundings): (apiKey: string) => Principal {
  const keys = new Map<string, RememberedKey>()
  return (apiKey) => {
    const current = directory()
    const known = keys.get(apiKey)
    if (known?.directory === current) return known.principal
    if (known === undefined && !looksLikeKey(apiKey)) throw invalidCredentials()
    const hash = known?.hash ?? hashApiKey(apiKey)
    const record = current.keysByHash.get(hash)
    if (record === undefined) {
      keys.delete(apiKey)
      throw invalidCredentials()
    }
    const principal = principalOf(record)
    remember(keys, apiKey, { hash, directory: current, principal })
    return principal
  }
}

function tokenRecogniser({
  directory,
  now,
}: Surroundings): (token: string) => Principal | Promise<Principal> {
  const tokens = new Map<string, RememberedToken>()

  async function fromNewToken(token: string): Promise<Principal> {
    const secret = directory().tokenSecret
    const claims = await verifyToken(token, { secret, now: now() })
    if (claims === undefined) throw invalidCredentials()
    // The directory may have changed meanwhile.
    const current = directory()
    const record = current.keysById.get(claims.keyId)
    if (record === undefined || !isSameSecret(secret, current.tokenSecret)) throw invalidCredentials()
    const principal = principalOf(record)
    remember(tokens, token, { ...claims, secret, directory: current, principal })
    return principal
  }

  return (token) => {
    const known = tokens.get(token)
    if (known === undefined) return fromNewToken(token)
    const current = directory()
    if (now() < known.expiresAt) {
      if (known.directory === current) return known.principal
      const record = current.keysById.get(known.keyId)
      if (record !== undefined && isSameSecret(known.secret, current.tokenSecret)) {
        known.directory = current
        known.principal = principalOf(record)
        return known.principal
      }
    }
    tokens.delete(token)
    throw invalidCredentials()
  }
}

/** The specification's line: what begins with `token:` is a JWT. */
function withoutPrefix(credential: string): string {
  return credential.startsWith(TOKEN_PREFIX) ? credential.slice(TOKEN_PREFIX.length) : credential
}

function principalOf(record: KeyRecord): Principal {
  return { name: record.name, permission: record.permission, apps: record.apps ?? 'all' }
}

/** Keeps the newest. Only what verified comes here, so that bad credentials push nothing out. */
function remember<T extends Remembered>(kept: Map<string, T>, credential: string, entry: T): void {
  if (kept.size >= REMEMBERED && !kept.has(credential)) {
    const oldest = kept.keys().next().value
    if (oldest !== undefined) kept.delete(oldest)
  }
  // A copy, for the text may be a slice that keeps a whole request's URL in memory.
  kept.set(Buffer.from(credential, 'latin1').toString('latin1'), entry)
}

function isSameSecret(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || Buffer.compare(one, other) === 0
}

function missingCredentials(): AppError {
  return new AppError(
    'missing_credentials',
    'no credentials found: send an API key in the header X-Service-API-Key, or a token from ' +
      'POST /create-token/<api_key> in the header Authorization: Bearer <token>',
  )
}

function invalidCredentials(): AppError {
  return new AppError(
    'invalid_credentials',
    'the credentials are not valid: send an API key that exists in the header X-Service-API-Key, or a token ' +
      'that has not expired in the header Authorization: Bearer <token>',
  )
}
