import { networkOf } from '../domain/network.ts'
import { createTable, type SharedRecord, SharedTable, type TableMemory } from '../shared-memory/table.ts'
import { createAttemptWindow, createWindows } from './attempt-window.ts'

/** Failures that a network may have in ten minutes. */
const NETWORK_FAILURES = 100
/** Failures of an account that cost no wait, and that come back to it one by one. */
const FREE_FAILURES = 10
const REGAINED_MS = 60_000
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 60_000
/** After so long without a failure the next wait is half of what it would have been. */
const HALVED_MS = 10 * 60_000
const MOST_DOUBLINGS = Math.ceil(Math.log2(LONGEST_WAIT_MS / FIRST_WAIT_MS))
/** Accounts, and networks, that are remembered at a time. */
const NAMES = 10_000
/** What is said where there is no room to remember one more. */
const NO_ROOM_SECONDS = 60

/** Failures that are not regained yet. */
const COUNT = 0
/** How often the wait has doubled, less what quiet has taken back; not always whole. */
const DOUBLINGS = 1
/** When the last attempt was, or until when others have to wait. */
const AT = 2
const FIELDS = 3

export interface SignInAttempt {
  /** Where it comes from. */
  readonly address: string
  /** Which account it is for, whether there is one or not: its e-mail address in the form in which it is looked for. */
  readonly account: string
  /** Whether somebody has signed in to that account from that network before. */
  readonly isKnownAddress: boolean
  /** Whether the password was right, and it is the code of a second factor that is tried. */
  readonly isCode?: boolean
}

export interface SignInLimits {
  /**
   * Before a password or a code is looked at. Answers for how many seconds to leave off, or undefined where the attempt
   * may be made. It counts as a failure from then on, so that those made at once count, too.
   */
  begin(attempt: SignInAttempt): number | undefined
  /** The attempt was right, or was not made after all: it is no failure. */
  takeBack(attempt: SignInAttempt): void
}

/** Memory for what is known of attempts, which all threads that count them together have to share. */
export interface SignInAttempts {
  readonly networks: TableMemory
  readonly accounts: TableMemory
  readonly codes: TableMemory
}

export function createSignInAttempts(): SignInAttempts {
  return {
    networks: createWindows(NAMES),
    accounts: createTable({ names: NAMES, fields: FIELDS }),
    codes: createTable({ names: NAMES, fields: FIELDS }),
  }
}

/**
 * Slows down whoever tries passwords, and lets nobody lock another out of an account. A network (an address of IPv4, 64
 * bits of IPv6) has 100 failures in ten minutes. An account has ten from networks from which nobody has signed in to it;
 * then those have to wait five seconds, and after each wait the next failure doubles it, up to a minute. Networks from
 * which somebody has are not asked to wait for the account. Codes are few enough to be found by trying: by wrong ones each
 * of those networks comes to wait as well, for itself alone. What is remembered has a bound, and nothing is forgotten
 * before its time to make room: who is new while there is none has to wait, and known networks get in uncounted.
 * @param now milliseconds of a clock that is never set back, and the same for all threads
 */
export function createSignInLimits(now: () => number, attempts = createSignInAttempts()): SignInLimits {
  const networks = createAttemptWindow({ memory: attempts.networks, mostAttempts: NETWORK_FAILURES, now })
  const tableIn = (memory: TableMemory): SharedTable =>
    new SharedTable(memory, (record) => isRegained(record, now()))
  const accounts = tableIn(attempts.accounts)
  const codes = tableIn(attempts.codes)

  /** Under what name failures make others wait; undefined where they don't. */
  function slowed({ address, account, isKnownAddress, isCode }: SignInAttempt): Slowed | undefined {
    if (!isKnownAddress) return { table: accounts, name: account }
    // Only who has the password takes room here.
    return isCode ? { table: codes, name: `${account} ${networkOf(address)}` } : undefined
  }

  function beginSlowed({ table, name }: Slowed): number | undefined {
    return table.use(name, (record) => {
      const waitMs = record === undefined ? NO_ROOM_SECONDS * 1000 : noteAttempt(record, now())
      return waitMs === 0 ? undefined : Math.ceil(waitMs / 1000)
    })
  }

  return {
    begin(attempt) {
      const network = networkOf(attempt.address)
      const networkWait = networks.begin(network)
      if (typeof networkWait === 'number') return networkWait
      if (networkWait === 'no-room' && !attempt.isKnownAddress) return NO_ROOM_SECONDS
      const one = slowed(attempt)
      const wait = one && beginSlowed(one)
      if (wait !== undefined) networks.takeBack(network)
      return wait
    },
    takeBack(attempt) {
      networks.takeBack(networkOf(attempt.address))
      const one = slowed(attempt)
      one?.table.use(one.name, (record) => {
        if (record !== undefined) takeBackAttempt(record, now())
      })
    },
  }
}

interface Slowed {
  readonly table: SharedTable
  readonly name: string
}

/** Counts an attempt as a failure and answers 0, or answers the milliseconds to wait before there may be one. */
function noteAttempt({ values, at }: SharedRecord, time: number): number {
  const quietMs = time - values[at + AT]!
  if (quietMs < 0) return -quietMs
  const count = Math.max(0, values[at + COUNT]! - quietMs / REGAINED_MS) + 1
  const doublings = Math.max(0, values[at + DOUBLINGS]! - quietMs / HALVED_MS)
  // Only whole failures are regained: the tenth in a row is the tenth, however long they took.
  const isFree = Math.ceil(count) < FREE_FAILURES
  values[at + COUNT] = Math.min(count, FREE_FAILURES)
  values[at + DOUBLINGS] = isFree ? doublings : Math.min(doublings + 1, MOST_DOUBLINGS)
  values[at + AT] = time + (isFree ? 0 : Math.min(FIRST_WAIT_MS * 2 ** doublings, LONGEST_WAIT_MS))
  return 0
}

/** The wait, if there is one, was for a failure that was none. */
function takeBackAttempt({ values, at }: SharedRecord, time: number): void {
  if (values[at + AT]! > time) {
    values[at + AT] = time
    values[at + DOUBLINGS] = Math.max(0, values[at + DOUBLINGS]! - 1)
  }
  values[at + COUNT] = Math.max(0, values[at + COUNT]! - 1)
}

function isRegained({ values, at }: SharedRecord, time: number): boolean {
  const quietMs = time - values[at + AT]!
  return quietMs >= Math.max(values[at + COUNT]! * REGAINED_MS, values[at + DOUBLINGS]! * HALVED_MS)
}
