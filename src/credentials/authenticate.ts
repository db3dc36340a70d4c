import { hash } from 'node:crypto'
import type { Principal } from '../domain/principal.ts'
import { AppError, withoutStack } from '../errors.ts'
import type { Directory, KeyRecord } from '../storage/store.ts'
import { hashApiKey, mayBeKey } from './api-key.ts'
import { signToken, type TokenClaims, verifyToken } from './token.ts'

/** Tokens that verified, and keys that exist, which are remembered. */
const REMEMBERED_TOKENS = 10_000
const REMEMBERED_KEYS = 1_000

const TOKEN_PREFIX = 'token:'
const BEARER = /^bearer +(\S+)$/i
const BEARER_SCHEME = /^bearer(?:\s|$)/i

/** What a request presented, as it came; undefined is not presented, an empty text is a bad credential. */
export interface Credentials {
  /** The value of `X-Service-API-Key`, or of the header of another configured service name. */
  readonly apiKeyHeader?: string | undefined
  /** Of another scheme than Bearer it is passed over: HTTP clients add one by themselves, from a `.netrc` for instance. */
  readonly authorization?: string | undefined
  /** Query parameters, percent-decoded. Old clients of the family send `apiKey`. */
  readonly jwttoken?: string | undefined
  readonly apiKey?: string | undefined
}

export interface Authenticator {
  /**
   * Says who is asking. The first credential of the order header, `Authorization`, `jwttoken`, `apiKey` decides
   * alone. The answer is a promise only where a token is seen for the first time, or a key is not known.
   * @throws AppError `missing_credentials`
   * @throws RefusedCredentials (at once, or by the promise)
   */
  authenticate(credentials: Credentials): Principal | Promise<Principal>
  /**
   * Says whose API key that is; a token is none.
   * @throws RefusedCredentials (at once, or by the promise)
   */
  authenticateKey(apiKey: string): Principal | Promise<Principal>
  /** Makes a token that stands in for the principal's key. @throws AppError `store_unavailable` */
  createToken(principal: Principal): Promise<string>
}

/** Whether an `Authorization` header means this service: the scheme Bearer (RFC 6750), in any letter case. */
export function isBearer(authorization: string): boolean {
  return BEARER_SCHEME.test(authorization)
}

/** The code `invalid_credentials`, for every reason in the same words. */
export class RefusedCredentials extends AppError {
  /** Whether the credential never was any good, as far as is known: one that has ended is no attempt to guess. */
  readonly isGuess: boolean

  constructor({ isGuess }: { isGuess: boolean }) {
    super(
      'invalid_credentials',
      'the credentials are not valid: send an API key that exists in the header X-Service-API-Key, or a token ' +
        'that has not expired in the header Authorization: Bearer <token>',
    )
    this.isGuess = isGuess
  }
}

function refused(why: { isGuess: boolean }): RefusedCredentials {
  return withoutStack(() => new RefusedCredentials(why))
}

export interface AuthenticatorDependencies {
  readonly directory: () => Directory
  readonly now: () => number
  /** Brings the directory up to date; undefined is not now. Without it a key that isn't known is refused at once. */
  readonly refreshDirectory?: () => Promise<void> | undefined
  /** How many tokens that verified are remembered, 10,000 where it is not given. */
  readonly rememberedTokens?: number
}

/**
 * Recognises API keys and tokens, against `directory()` as it is at that moment: a key that has gone takes its tokens
 * with it, and the rules that hold are those of now.
 *
 * Credentials are looked up in maps by their SHA-256. What the time of a look-up could give away is how a guess's hash
 * compares with one that is kept, and nobody can choose a guess by its hash; so that no comparison needs constant time
 * but that of a token's signature, which is the crypto library's. The hash of a key that is in use is remembered by the
 * key's text, which the JavaScript engine looks up by a hash of its own, with a seed that is new in each process: the
 * same holds for it. Neither is ever logged.
 */
export function createAuthenticator(dependencies: AuthenticatorDependencies): Authenticator {
  const principals = new WeakMap<KeyRecord, Principal>()
  const principalOf = (record: KeyRecord): Principal => {
    const known = principals.get(record)
    if (known !== undefined) return known
    const principal = principalOfKey(record)
    principals.set(record, principal)
    return principal
  }
  const recordOfKey = keyRecogniser(dependencies)
  const authenticateKey = (apiKey: string): Principal | Promise<Principal> => {
    try {
      return principalOf(recordOfKey(apiKey))
    } catch (error) {
      const looked = isUnknownKey(apiKey, error) ? dependencies.refreshDirectory?.() : undefined
      if (looked === undefined) throw error
      return looked.then(() => principalOf(recordOfKey(apiKey)))
    }
  }
  const recordOfToken = tokenRecogniser(dependencies)
  const fromToken = (token: string): Principal | Promise<Principal> => {
    const record = recordOfToken(token)
    return record instanceof Promise ? record.then(principalOf) : principalOf(record)
  }
  const fromKeyOrToken = (text: string): Principal | Promise<Principal> =>
    text.startsWith(TOKEN_PREFIX) ? fromToken(withoutPrefix(text)) : authenticateKey(text)

  return {
    authenticate({ apiKeyHeader, authorization, jwttoken, apiKey }) {
      if (apiKeyHeader !== undefined) return fromKeyOrToken(apiKeyHeader)
      if (authorization !== undefined && isBearer(authorization)) {
        const token = BEARER.exec(authorization)?.[1]
        if (token === undefined) throw refused({ isGuess: true })
        return fromToken(withoutPrefix(token))
      }
      if (jwttoken !== undefined) return fromToken(withoutPrefix(jwttoken))
      if (apiKey !== undefined) return fromKeyOrToken(apiKey)
      throw missingCredentials()
    },

    authenticateKey,

    async createToken({ keyId, rules }) {
      const { tokenSecrets, keysById } = dependencies.directory()
      const secret = tokenSecrets.find(({ until }) => until === null)
      if (secret === undefined) throw noTokenSecret()
      const generation = keysById.get(keyId)?.tokenGeneration
      return signToken({ keyId, rules, secret, generation, now: dependencies.now() })
    },
  }
}

/**
 * Finds a key's record, where this secret of it and the key itself still work. The hashes of keys that are in use are
 * remembered until the directory is another one, so that a key that was revoked or rotated is not kept.
 */
function keyRecogniser({ directory, now }: AuthenticatorDependencies): (apiKey: string) => KeyRecord {
  let current: Directory | undefined
  const hashes = new Map<string, string>()

  function hashOf(apiKey: string, { keysByHash }: Directory): string | undefined {
    const known = hashes.get(apiKey)
    if (known !== undefined || !mayBeKey(apiKey)) return known
    const made = hashApiKey(apiKey)
    if (keysByHash.has(made)) remember(hashes, apiKey, made, REMEMBERED_KEYS)
    return made
  }

  return (apiKey) => {
    const found = directory()
    if (found !== current) hashes.clear()
    current = found
    const keyHash = hashOf(apiKey, found)
    const record = keyHash === undefined ? undefined : found.keysByHash.get(keyHash)
    const secret = record?.secrets.find((each) => each.hash === keyHash)
    if (record === undefined || secret === undefined) throw refused({ isGuess: true })
    const time = now()
    requireLiveKey(record, time)
    if (hasEnded(secret.until, time)) throw refused({ isGuess: false })
    return record
  }
}

/** Who whoever has a key is. */
export function principalOfKey({ id: keyId, name, owner, rules }: KeyRecord): Principal {
  return Object.freeze({ keyId, name, owner, rules })
}

/** Refuses a key that lets nobody in, by whichever secret or token. @throws RefusedCredentials */
export function requireLiveKey({ damage, rules }: KeyRecord, time: number): void {
  if (damage !== undefined || hasEnded(rules.expiresAt, time)) throw refused({ isGuess: false })
}

function isUnknownKey(apiKey: string, error: unknown): boolean {
  return error instanceof RefusedCredentials && error.isGuess && mayBeKey(apiKey)
}

/** Finds the record of the key that a token stands in for. */
function tokenRecogniser(
  dependencies: AuthenticatorDependencies,
): (token: string) => KeyRecord | Promise<KeyRecord> {
  const { directory, now, rememberedTokens = REMEMBERED_TOKENS } = dependencies
  const verified = new Map<string, TokenClaims>()

  async function fromNewToken(token: string, tokenHash: string): Promise<KeyRecord> {
    const claims = await verifyToken(token, { secrets: directory().tokenSecrets, now: now() })
    if (claims === undefined) throw refused({ isGuess: true })
    // The directory may have changed meanwhile.
    const record = liveRecord(claims, dependencies)
    remember(verified, tokenHash, claims, rememberedTokens)
    return record
  }

  return (token) => {
    const tokenHash = hash('sha256', token, 'base64')
    const claims = verified.get(tokenHash)
    if (claims === undefined) return fromNewToken(token, tokenHash)
    try {
      return liveRecord(claims, dependencies)
    } catch (error) {
      verified.delete(tokenHash)
      throw error
    }
  }
}

/**
 * The record behind a token's claims, where the token, the secret that signed it and the key are all alive, by the
 * key's rules of now: a token lives no longer than they let a new one live.
 */
function liveRecord(claims: TokenClaims, { directory, now }: AuthenticatorDependencies): KeyRecord {
  const { keysById, tokenSecrets } = directory()
  const record = keysById.get(claims.keyId)
  const { kid, secret: signedWith } = claims.signedWith
  const secret = tokenSecrets.find((each) => each.kid === kid)
  const time = now()
  if (
    record === undefined ||
    claims.generation !== (record.tokenGeneration ?? 0) ||
    secret === undefined ||
    !isSameSecret(secret.secret, signedWith) ||
    hasEnded(secret.until, time) ||
    hasEnded(claims.expiresAt, time) ||
    hasEnded(claims.issuedAt + record.rules.tokenLifetimeMs, time)
  )
    throw refused({ isGuess: false })
  requireLiveKey(record, time)
  return record
}

function hasEnded(end: number | null, time: number): boolean {
  return end !== null && end <= time
}

/** The specification's line: what begins with `token:` is a JWT. */
function withoutPrefix(credential: string): string {
  return credential.startsWith(TOKEN_PREFIX) ? credential.slice(TOKEN_PREFIX.length) : credential
}

/** Keeps the newest. Only what is good comes here, so that bad credentials push nothing out. */
function remember<Known>(kept: Map<string, Known>, name: string, known: Known, most: number): void {
  if (kept.size >= most && !kept.has(name)) {
    const [oldest] = kept.keys()
    if (oldest !== undefined) kept.delete(oldest)
  }
  kept.set(name, known)
}

function isSameSecret(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || Buffer.compare(one, other) === 0
}

function noTokenSecret(): AppError {
  return new AppError(
    'store_unavailable',
    'no token can be made, for the secret that signs them is damaged; the log says how to mend that',
  )
}

function missingCredentials(): AppError {
  return new AppError(
    'missing_credentials',
    'no credentials found: send an API key in the header X-Service-API-Key, or a token from ' +
      'POST /create-token/<api_key> in the header Authorization: Bearer <token>',
  )
}
