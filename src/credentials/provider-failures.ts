import type * as OpenId from 'openid-client'
import { AppError } from '../errors.ts'

/** Units that are told of a failure. */
const REASON_LENGTH = 500
const MOST_CAUSES = 4

/** Codes of an answer that is not to what was asked, or is not signed by whom it should be. */
const OF_THE_ANSWER: ReadonlySet<string | undefined> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

/** Whether the answer to a sign-in is wrong; else the provider can't be asked, or not as this server asks it. */
export function isOfTheAnswer(client: typeof OpenId, error: unknown): boolean {
  if (error instanceof client.AuthorizationResponseError) return true
  // A code that was used, has ended, or is another client's (RFC 6749, section 5.2).
  if (error instanceof client.ResponseBodyError) return error.error === 'invalid_grant'
  return error instanceof client.ClientError && OF_THE_ANSWER.has(error.code)
}

/** The same words whatever is wrong with it. */
export function providerRefused(cause?: unknown): AppError {
  return new AppError(
    'provider_refused',
    'this sign-in was given up, has ended, or was not begun in this browser; begin again',
    { cause },
  )
}

/** A code of OAuth's, in the body of an answer or in the challenge of one of status 401 (RFC 6749, section 5.2). */
function codeOf({ error, cause }: Error & { readonly error?: unknown }): unknown {
  if (!Array.isArray(cause)) return error
  const [challenge] = cause as readonly { readonly parameters?: OpenId.WWWAuthenticateChallengeParameters }[]
  return challenge?.parameters?.error
}

/** Why something failed, in one line for the log, and without what was sent. */
export function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let at = error; at instanceof Error && messages.length < MOST_CAUSES; at = at.cause) {
    const code = codeOf(at)
    messages.push(typeof code === 'string' ? `${at.message} (${code})` : at.message)
  }
  return JSON.stringify(messages.join(': ').slice(0, REASON_LENGTH))
}
