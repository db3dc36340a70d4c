import { networkOf } from '../domain/network.ts'
import { generateSecret } from './secret.ts'

/** For so long what was asked may be answered: somebody has to find a key, and type its PIN. */
export const CHALLENGE_MS = 5 * 60_000
/** Challenges that wait for an answer: those of guests and those of accounts, and of one network or account. */
const MOST = 10_000
const MOST_OF_HOLDER = 100
/** What one customer of a provider has at most (RFC 6177, section 2). */
const NETWORK_BITS = 56

/** What an answer is good for, and for whom: nothing else can be done by it. */
export interface Challenged {
  readonly purpose: 'sign-in' | 'confirm' | 'create'
  /** By its id; none at a sign-in, which finds out. */
  readonly account?: string | undefined
}

export interface Challenges {
  /** @param address where the request comes from */
  create(challenged: Challenged, address: string): string
  /** Whether that was asked, for that, a while ago at most and never answered yet. It is answered by this. */
  take(challenge: string, challenged: Challenged): boolean
}

interface Waiting extends Challenged {
  readonly holder: string
  readonly until: number
}

/**
 * Random texts that an authenticator signs, so that what it signed is good once. They are kept in memory: what a restart
 * forgets is asked anew. The oldest of too many makes room, that of the same network first and then of whichever has most.
 * Those of accounts have room of their own, which nobody takes without signing in.
 * @param now milliseconds of a clock that is never set back
 */
export function createChallenges(now: () => number): Challenges {
  const guests = new WaitingChallenges(now)
  const accounts = new WaitingChallenges(now)
  return {
    create({ purpose, account }, address) {
      const until = now() + CHALLENGE_MS
      const challenge = generateSecret()
      if (account !== undefined) accounts.add(challenge, { purpose, account, holder: account, until })
      else guests.add(challenge, { purpose, holder: networkOf(address, NETWORK_BITS), until })
      return challenge
    },
    take(challenge, { purpose, account }) {
      const known = guests.take(challenge) ?? accounts.take(challenge)
      return known?.purpose === purpose && known.account === account && known.until > now()
    },
  }
}

/** By who holds them: a network, or an account. */
class WaitingChallenges {
  private readonly now: () => number
  private readonly waiting = new Map<string, Waiting>()
  /** None is empty. */
  private readonly holders = new Map<string, Set<string>>()

  constructor(now: () => number) {
    this.now = now
  }

  add(challenge: string, waits: Waiting): void {
    this.makeRoom(waits.holder)
    this.waiting.set(challenge, waits)
    const ofHolder = this.holders.get(waits.holder) ?? new Set()
    this.holders.set(waits.holder, ofHolder.add(challenge))
  }

  take(challenge: string): Waiting | undefined {
    const known = this.waiting.get(challenge)
    if (known === undefined) return undefined
    this.waiting.delete(challenge)
    const ofHolder = this.holders.get(known.holder)!
    ofHolder.delete(challenge)
    if (ofHolder.size === 0) this.holders.delete(known.holder)
    return known
  }

  private makeRoom(holder: string): void {
    // Each waits equally long, so that they end in the order in which they were made.
    for (const [challenge, { until }] of this.waiting) {
      if (until > this.now()) break
      this.take(challenge)
    }
    const own = this.holders.get(holder)
    if (own !== undefined && own.size >= MOST_OF_HOLDER) this.takeOldest(own)
    else if (this.waiting.size >= MOST) this.takeOldest(this.longest())
  }

  private takeOldest(challenges: Iterable<string>): void {
    const [oldest] = challenges
    if (oldest !== undefined) this.take(oldest)
  }

  private longest(): ReadonlySet<string> {
    let longest: ReadonlySet<string> = new Set()
    for (const each of this.holders.values()) if (each.size > longest.size) longest = each
    return longest
  }
}
