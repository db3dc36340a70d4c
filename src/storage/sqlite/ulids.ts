import { monotonicFactory } from 'ulid'
import type { SqliteControl } from './control.ts'

/** How far ahead of the clock the floor is kept, so that it is written rarely. */
const LEASE_MS = 10_000
const FLOOR = 'ulid_floor_ms'

/**
 * ULIDs that only ever rise, also when the clock is set back or the server is restarted: the control file holds a
 * time that no ULID has passed yet, and the next run begins there if the clock is behind it.
 */
export function lastingUlids(control: SqliteControl, now: () => number): () => string {
  const next = monotonicFactory()
  let time = Number(control.setting(FLOOR) ?? 0)
  let floor = time
  return () => {
    time = Math.max(time, now())
    if (time >= floor) {
      floor = time + LEASE_MS
      control.putSetting(FLOOR, String(floor))
    }
    return next(time)
  }
}
