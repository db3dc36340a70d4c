import type { Log } from '../http/log/log.ts'
import type { ControlFile } from '../storage/sqlite/control/control-file.ts'

const LOOK_MS = 60 * 60 * 1000

/** What of the wiring this needs. */
interface Upkeep {
  readonly control: Pick<ControlFile, 'hasExpiredApps'>
  /** Has what has ended removed, on a thread that may wait for the disk. */
  readonly accounts: { tidy(): void }
  readonly log: Pick<Log, 'fault'>
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
}

/**
 * Looks every hour for deleted apps that can be restored no more, and has them removed; a start does the same. The thread of
 * accounts is not started for anything less.
 * @returns ends it
 */
export function keepTidy({ control, accounts, log, now = Date.now }: Upkeep): () => void {
  const timer = setInterval(() => {
    try {
      if (control.hasExpiredApps(now())) accounts.tidy()
    } catch (error) {
      log.fault('deleted apps can not be removed', error)
    }
  }, LOOK_MS).unref()
  return () => clearInterval(timer)
}
