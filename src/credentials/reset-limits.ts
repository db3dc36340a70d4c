import { networkOf } from '../domain/network.ts'
import { createAttemptWindow, createWindows } from './attempt-window.ts'

/** Links that a network may ask for in ten minutes. */
const NETWORK_REQUESTS = 20
/** Networks that are remembered at a time. */
const NETWORKS = 10_000
const NO_ROOM_SECONDS = 60

/** How often a network may ask for links: for how many seconds it has to leave off, or undefined where it may. */
export type LimitResets = (address: string) => number | undefined

/** @param now milliseconds of a clock that is never set back */
export function createResetLimits(now: () => number): LimitResets {
  const networks = createAttemptWindow({
    ...{ memory: createWindows(NETWORKS), mostAttempts: NETWORK_REQUESTS, now },
  })
  return (address) => {
    const wait = networks.begin(networkOf(address))
    return wait === 'no-room' ? NO_ROOM_SECONDS : wait
  }
}
