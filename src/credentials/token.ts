import { jwtVerify, SignJWT } from 'jose'

const ALGORITHM = 'HS256'
const ISSUER = 'sheaf'
/** RFC 7515's compact form; anything longer or of another form is not looked at. */
const TOKEN_FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
const TOKEN_CHARACTERS = 2048
const LIFETIME_SECONDS = 10 * 24 * 60 * 60
/** How far another machine's clock may be ahead when it made the token. */
const FUTURE_SECONDS = 60

/** What a token that verified says. */
export interface TokenClaims {
  readonly keyId: string
  /** Milliseconds since the Unix epoch; the token is dead from this moment on. */
  readonly expiresAt: number
}

/** Makes a token that stands in for a key. It carries the key record's id, never the key. */
export function signToken(options: { keyId: string; secret: Uint8Array; now: number }): Promise<string> {
  const issuedAt = Math.floor(options.now / 1000)
  return new SignJWT({ kid: options.keyId })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(options.secret)
}

/**
 * Checks a token's signature, issuer and times (RFC 7519), the algorithm being ours and not the token's choice
 * (RFC 8725, 3.1). Answers undefined for a bad one: why it is bad helps nobody but a forger.
 */
export async function verifyToken(
  token: string,
  { secret, now }: { secret: Uint8Array; now: number },
): Promise<TokenClaims | undefined> {
  if (token.length > TOKEN_CHARACTERS || !TOKEN_FORM.test(token)) return undefined
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      requiredClaims: ['iss', 'iat', 'exp', 'kid'],
      currentDate: new Date(now),
    })
    const { kid, iat, exp } = payload
    if (typeof kid !== 'string' || typeof iat !== 'number' || typeof exp !== 'number') return undefined
    if (iat > now / 1000 + FUTURE_SECONDS) return undefined
    return { keyId: kid, expiresAt: exp * 1000 }
  } catch {
    return undefined
  }
}
