import { networkOf } from '../domain/network.ts'
import { generateSecret } from './secret.ts'

/** For so long what was asked may be answered: somebody has to find a key, and type its PIN. */
export const CHALLENGE_MS = 5 * 60_000
/** Challenges that wait for an answer, in all and of one network. */
const MOST = 10_000
const MOST_OF_NETWORK = 100

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
  readonly network: string
  readonly until: number
}

/**
 * Random texts that an authenticator signs, so that what it signed is good once. They are kept in memory: what a restart
 * forgets is asked anew. The oldest of too many makes room, that of the same network first.
 * @param now milliseconds of a clock that is never set back
 */
export function createChallenges(now: () => number): Challenges {
  const waiting = new Map<string, Waiting>()
  const networks = new Map<string, Set<string>>()

  function forget(challenge: string): Waiting | undefined {
    const known = waiting.get(challenge)
    if (known === undefined) return undefined
    waiting.delete(challenge)
    const ofNetwork = networks.get(known.network)!
    ofNetwork.delete(challenge)
    if (ofNetwork.size === 0) networks.delete(known.network)
    return known
  }

  function makeRoom(network: string): void {
    const [oldest] = (networks.get(network)?.size ?? 0) >= MOST_OF_NETWORK ? networks.get(network)! : []
    if (oldest !== undefined) forget(oldest)
    for (const [challenge, { until }] of waiting) {
      // Each waits equally long, so that they end in the order in which they were made.
      if (until > now() && waiting.size < MOST) break
      forget(challenge)
    }
  }

  return {
    create(challenged, address) {
      const network = networkOf(address)
      makeRoom(network)
      const challenge = generateSecret()
      waiting.set(challenge, { ...challenged, network, until: now() + CHALLENGE_MS })
      const ofNetwork = networks.get(network) ?? new Set()
      networks.set(network, ofNetwork.add(challenge))
      return challenge
    },
    take(challenge, { purpose, account }) {
      const known = forget(challenge)
      return known?.purpose === purpose && known.account === account && known.until > now()
    },
  }
}
