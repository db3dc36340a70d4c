/** What a sign-in by an OpenID provider is for. */
export const SIGN_IN_PURPOSES = ['sign-in', 'link', 'connect', 'confirm'] as const

export type SignInPurpose = (typeof SIGN_IN_PURPOSES)[number]

/** What only the browser that began a sign-in has, and what the answer of the provider has to fit. */
export interface SignInChecks {
  readonly state: string
  readonly nonce: string
  /** Of PKCE (RFC 7636). */
  readonly verifier: string
}

/** A sign-in that a browser is away for, as it keeps it meanwhile. */
export interface PendingSignIn extends SignInChecks {
  readonly purpose: SignInPurpose
  /** Of a link that is to be used. */
  readonly secret?: string | undefined
  /** Whose session it was begun in, by its id. */
  readonly account?: string | undefined
  /** Where to go on: a path below that of the dashboard. */
  readonly to?: string | undefined
}

/** Bytes of what a browser keeps; one takes 4,096 for a cookie, with its name and attributes. */
const PENDING_BYTES = 3500
/** One slash and no other, and nothing that a browser reads as one or passes over: a path of this origin. */
const INSIDE = /^\/(?![/\\])[\x21-\x7e]*$/

/** As a cookie can hold it. One that would be too long does without where to go on. */
export function encodePending(pending: PendingSignIn): string {
  const { to, ...rest } = pending
  const text = encode(isInside(to) ? pending : rest)
  return text.length <= PENDING_BYTES ? text : encode(rest)
}

/** Undefined where it is none. */
export function decodePending(text: string | undefined): PendingSignIn | undefined {
  if (text === undefined || text.length > PENDING_BYTES) return undefined
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { purpose, state, nonce, verifier, secret, account, to } = value as Record<string, unknown>
  const known = SIGN_IN_PURPOSES.find((one) => one === purpose)
  if (known === undefined || !isText(state) || !isText(nonce) || !isText(verifier)) return undefined
  return {
    ...{ purpose: known, state, nonce, verifier },
    ...(isText(secret) && { secret }),
    ...(isText(account) && { account }),
    ...(isText(to) && isInside(to) && { to }),
  }
}

function encode(pending: PendingSignIn): string {
  return Buffer.from(JSON.stringify(pending)).toString('base64url')
}

function isInside(path: string | undefined): boolean {
  return path !== undefined && INSIDE.test(path)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
