/** A session that was not used for so long has ended. */
export const SESSION_IDLE_MS = 7 * 24 * 60 * 60 * 1000
/** No session lasts longer, however much it is used. */
export const SESSION_TOTAL_MS = 30 * 24 * 60 * 60 * 1000

/** For so long a deleted app can be restored; then its documents are removed. */
export const DELETED_APP_MS = 7 * 24 * 60 * 60 * 1000

/** An e-mail address as it is compared: two accounts can't differ by letter case alone. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/** Whether a session has ended by itself; all times in milliseconds since the Unix epoch. */
export function hasSessionEnded(session: { createdAt: number; seenAt: number }, now: number): boolean {
  return now - session.seenAt >= SESSION_IDLE_MS || now - session.createdAt >= SESSION_TOTAL_MS
}

/** Units that an e-mail address may have (RFC 5321, section 4.5.3.1.3, less the brackets), and a name. */
const EMAIL_LENGTH = 254
const NAME_LENGTH = 120
/**
 * Something on both sides of one `@`, nothing invisible, and nothing that mail programs read as the end of an address unless
 * it is quoted (RFC 5322, section 3.2.3). Whether it can be reached only a message would tell.
 */
const EMAIL_FORM = /^[^\s@\p{C}<>()[\]\\,;:"]+@[^\s@\p{C}<>()[\]\\,;:"]+$/u
const UNSEEN = /\p{Cc}|\p{Cs}/u

/** Why a text can't be the e-mail address of an account; undefined where it can. */
export function emailProblem(email: string): string | undefined {
  if (email.length <= EMAIL_LENGTH && EMAIL_FORM.test(email)) return undefined
  return `email must be an address such as ada@example.org, of at most ${EMAIL_LENGTH} characters`
}

/** Why a text can't be the name of an account; undefined where it can. */
export function accountNameProblem(name: string): string | undefined {
  if (name.trim() !== '' && name.length <= NAME_LENGTH && !UNSEEN.test(name)) return undefined
  return `name must have 1 to ${NAME_LENGTH} characters, none of them a control character`
}
