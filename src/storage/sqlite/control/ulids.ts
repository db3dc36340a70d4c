import { randomInt } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import type { ControlFile } from './control-file.ts'

/** How far ahead of the clock the floor is kept, so that it is written rarely. */
const LEASE_MS = 10_000
const FLOOR = 'ulid_floor_ms'
/** Node.js draws these from random bytes that it keeps ready; by itself `ulid` asks the system for each character. */
const RANDOM_STEPS = 256

/**
 * ULIDs that only ever rise, also when the clock is set back or the server is restarted: the control file holds a
 * time that no ULID has passed yet, and the next run begins there if the clock is behind it.
 */
export function monotonicUlids(
  control: Pick<ControlFile, 'setting' | 'putSetting'>,
  now: () => number,
): () => string {
  const next = monotonicFactory(() => randomInt(RANDOM_STEPS) / RANDOM_STEPS)
  let time = Number(control.setting(FLOOR) ?? 0)
  let floor = time
  return () => {
    time = Math.max(time, now())
    if (time >= floor) {
      // Where it can't be written down, nothing is handed out.
      control.putSetting(FLOOR, String(time + LEASE_MS))
      floor = time + LEASE_MS
    }
    return next(time)
  }
}
