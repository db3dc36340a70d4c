import type { Log } from '../http/log/log.ts'
import type { ControlFile } from '../storage/sqlite/control/control-file.ts'

const LOOK_MS = 60 * 60 * 1000

/** What of the wiring this needs. */
interface Upkeep {
  readonly control: Pick<ControlFile, 'hasExpiredApps'>
  /** Has what has ended removed, on a thread that may wait for the disk. */
  readonly accounts: { tidy(): void }
  /** Apps whose sites may have files that no version names. */
  readonly sitesToCollect: () => readonly string[]
  readonly log: Pick<Log, 'fault'>
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
}

/**
 * Looks every hour for deleted apps that can be restored no more, and has them removed; whoever opens the accounts does the
 * same. At once, too, it looks for what a killed process has left of a deploy. The thread of accounts is not started for
 * anything less.
 * @returns ends it
 */
export function keepTidy({ control, accounts, sitesToCollect, log, now = Date.now }: Upkeep): () => void {
  if (sitesToCollect().length > 0) accounts.tidy()
  const timer = setInterval(() => {
    try {
      if (control.hasExpiredApps(now()) || sitesToCollect().length > 0) accounts.tidy()
    } catch (error) {
      log.fault('what has ended can not be removed', error)
    }
  }, LOOK_MS).unref()
  return () => clearInterval(timer)
}
