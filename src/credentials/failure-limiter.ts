import { parseAddress } from '../domain/network.ts'

/** Failures that an address may have at once, and that come back to it in a minute. */
const FREE_FAILURES = 10
const REGAINED_MS = 60_000 / FREE_FAILURES
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15 * 60_000
/** After so long without a failure the next wait is half of what it would have been. */
const HALVED_MS = 60_000
const MOST_DOUBLINGS = Math.log2(LONGEST_WAIT_MS / FIRST_WAIT_MS)
/** Networks that are remembered, about 200 bytes each; the one that failed longest ago goes first. */
const NETWORKS = 10_000

export interface FailureLimiter {
  /**
   * Notes that an address presented credentials that are no good. Answers for how many seconds it should leave off,
   * or undefined while its failures are still few.
   */
  fail(address: string): number | undefined
}

interface Failures {
  /** Those that are not regained yet. */
  count: number
  /** How often the wait has doubled, less what quiet has taken back; not always whole. */
  doublings: number
  /** When the last failure that counted was, or until when the address is told to wait. */
  at: number
}

/**
 * Slows down whoever tries credentials: ten bad ones are free, then the address is told to wait one second, and after
 * each wait the next bad one doubles it, up to 15 minutes. It is asked about bad credentials only, so that a whole
 * office behind one address goes on working while one of its machines fails; a key of 200 random bits is not found by
 * trying, and what this bounds is the noise. IPv6 counts by its networks of 64 bits, for one machine has all of one.
 * @param now milliseconds of a clock that is never set back
 */
export function createFailureLimiter(now: () => number): FailureLimiter {
  const failing = new Map<string, Failures>()
  return {
    fail(address) {
      const network = networkOf(address)
      const time = now()
      const known = failing.get(network)
      if (known !== undefined && time < known.at) return Math.ceil((known.at - time) / 1000)
      const failures = nextFailures(known, time)
      failing.delete(network)
      if (failing.size >= NETWORKS) failing.delete(failing.keys().next().value!)
      failing.set(network, failures)
      return failures.at > time ? Math.ceil((failures.at - time) / 1000) : undefined
    },
  }
}

/** What another failure makes of those before it. */
function nextFailures(known: Failures | undefined, time: number): Failures {
  const quietMs = known === undefined ? 0 : time - known.at
  const count = Math.max(0, (known?.count ?? 0) - quietMs / REGAINED_MS) + 1
  const doublings = Math.max(0, (known?.doublings ?? 0) - quietMs / HALVED_MS)
  if (count <= FREE_FAILURES) return { count, doublings, at: time }
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** doublings, LONGEST_WAIT_MS)
  return { count: FREE_FAILURES, doublings: Math.min(doublings + 1, MOST_DOUBLINGS), at: time + waitMs }
}

export function networkOf(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === undefined || parsed.kind() === 'ipv4') return parsed?.toString() ?? ''
  return `${parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16))
    .join(':')}::/64`
}
