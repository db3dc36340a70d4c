/** A session that was not used for so long has ended. */
export const SESSION_IDLE_MS = 7 * 24 * 60 * 60 * 1000
/** No session lasts longer, however much it is used. */
export const SESSION_TOTAL_MS = 30 * 24 * 60 * 60 * 1000

/** An e-mail address as it is compared: two accounts can't differ by letter case alone. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/** Whether a session has ended by itself; all times in milliseconds since the Unix epoch. */
export function hasSessionEnded(session: { createdAt: number; seenAt: number }, now: number): boolean {
  return now - session.seenAt >= SESSION_IDLE_MS || now - session.createdAt >= SESSION_TOTAL_MS
}
