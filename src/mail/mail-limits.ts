/** Accounts whose messages are counted at a time. */
const ACCOUNTS = 10_000
const DAY_MS = 24 * 60 * 60 * 1000

/** Whether one more message may go to an account, which counts as sent from then on. */
export type LimitMail = (account: string) => boolean

/**
 * So many messages in any 24 hours to each account, and a pause between them, so that nobody has somebody's mailbox filled.
 * Where there is no room to count one more account, it gets none.
 * @param now milliseconds of a clock that is never set back
 */
export function createMailLimit(
  now: () => number,
  { perDay, pauseMs }: { readonly perDay: number; readonly pauseMs: number },
): LimitMail {
  const sent = new Map<string, readonly number[]>()
  return (account) => {
    const time = now()
    const times = (sent.get(account) ?? []).filter((at) => time - at < DAY_MS)
    if (times.length >= perDay || time - (times.at(-1) ?? Number.NEGATIVE_INFINITY) < pauseMs) return false
    if (!sent.has(account) && sent.size >= ACCOUNTS) forget(sent, time - DAY_MS)
    if (!sent.has(account) && sent.size >= ACCOUNTS) return false
    sent.set(account, [...times, time])
    return true
  }
}

/** Those to whom nothing went since then. */
function forget(sent: Map<string, readonly number[]>, since: number): void {
  for (const [account, times] of sent) if (times.at(-1)! <= since) sent.delete(account)
}
