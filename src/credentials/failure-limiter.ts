import { networkOf } from '../domain/network.ts'
import { createTable, type SharedRecord, SharedTable, type TableMemory } from '../shared-memory/table.ts'

/** Failures that an address may have at once, and that come back to it in a minute. */
const FREE_FAILURES = 10
const REGAINED_MS = 60_000 / FREE_FAILURES
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15 * 60_000
/** After so long without a failure the next wait is half of what it would have been. */
const HALVED_MS = 60_000
const MOST_DOUBLINGS = Math.log2(LONGEST_WAIT_MS / FIRST_WAIT_MS)
/** Networks that are remembered at a time. */
const NETWORKS = 10_000

/** Failures that are not regained yet. */
const COUNT = 0
/** How often the wait has doubled, less what quiet has taken back; not always whole. */
const DOUBLINGS = 1
/** When the last failure that counted was, or until when the address is told to wait. */
const AT = 2
const FIELDS = 3

export interface FailureLimiter {
  /**
   * Notes that an address presented credentials that are no good. Answers for how many seconds it should leave off,
   * or undefined while its failures are still few.
   */
  fail(address: string): number | undefined
}

/** Memory for what is known of networks, which all threads that count the same failures have to share. */
export function createFailures(): TableMemory {
  return createTable({ names: NETWORKS, fields: FIELDS })
}

/**
 * Slows down whoever tries credentials: ten bad ones are free, then the address is told to wait one second, and after
 * each wait the next bad one doubles it, up to 15 minutes. It is asked about bad credentials only, so that a whole
 * office behind one address goes on working while one of its machines fails; a key of 200 random bits is not found by
 * trying, and what this bounds is the noise. IPv6 counts by its networks of 64 bits, for one machine has all of one.
 * Networks whose failures are all regained make room for others; one for which there is no room is told to wait.
 * @param now milliseconds of a clock that is never set back, and the same for all threads
 */
export function createFailureLimiter(now: () => number, memory = createFailures()): FailureLimiter {
  const failing = new SharedTable(memory, (record) => isRegained(record, now()))
  return {
    fail: (address) =>
      failing.use(networkOf(address), (failures) => {
        const waitMs = failures === undefined ? FIRST_WAIT_MS : noteFailure(failures, now())
        return waitMs === 0 ? undefined : Math.ceil(waitMs / 1000)
      }),
  }
}

/** Notes one more failure; answers the milliseconds to wait. */
function noteFailure({ values, at }: SharedRecord, time: number): number {
  const quietMs = time - values[at + AT]!
  if (quietMs < 0) return -quietMs
  const count = Math.max(0, values[at + COUNT]! - quietMs / REGAINED_MS) + 1
  const doublings = Math.max(0, values[at + DOUBLINGS]! - quietMs / HALVED_MS)
  const isFree = count <= FREE_FAILURES
  const waitMs = isFree ? 0 : Math.min(FIRST_WAIT_MS * 2 ** doublings, LONGEST_WAIT_MS)
  values[at + COUNT] = isFree ? count : FREE_FAILURES
  values[at + DOUBLINGS] = isFree ? doublings : Math.min(doublings + 1, MOST_DOUBLINGS)
  values[at + AT] = time + waitMs
  return waitMs
}

function isRegained({ values, at }: SharedRecord, time: number): boolean {
  const quietMs = time - values[at + AT]!
  return quietMs >= Math.max(values[at + COUNT]! * REGAINED_MS, values[at + DOUBLINGS]! * HALVED_MS)
}
