import { hash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
/** Known to the log, which takes out what begins with it, and good for scanners of source code to look for. */
const ACCOUNT_TOKEN_PREFIX = 'shfa_'
const SECRET_FORM = /^[\w-]{43}$/
const ACCOUNT_TOKEN_FORM = /^shfa_[\w-]{43}$/

/** A secret of 256 random bits in base64url, for sessions and links. What is kept of it is `hashSecret`. */
export function generateSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Whether a text has the form of one; only then is it worth a hash and a look. */
export function isSecret(text: string): boolean {
  return SECRET_FORM.test(text)
}

/** A bearer token of an account. */
export function generateAccountToken(): string {
  return ACCOUNT_TOKEN_PREFIX + generateSecret()
}

/** The same for such a token. */
export function isAccountToken(text: string): boolean {
  return ACCOUNT_TOKEN_FORM.test(text)
}

/** SHA-256 in hexadecimal. A secret is too random to be guessed from its hash, so that a slow hash gains nothing. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
