import { readFileSync } from 'node:fs'
import { cpuSeconds } from './process-usage.ts'

const TICKS_PER_SECOND = 100
/** What others may take of a machine that is called quiet. */
const QUIET_PROCESSORS = 0.1

export const NOT_QUIET = '**The machine was not quiet.**'

interface Moment {
  readonly at: number
  /** Processor time of the whole machine that was used, and that its host gave to other machines, in seconds. */
  readonly busy: number
  readonly stolen: number
  /** Of this process and of all that it started. */
  readonly own: number
}

export function machineNow(): Moment {
  // user, nice, system, idle, iowait, irq, softirq, steal: proc(5).
  const [user, nice, system, , , irq, softirq, steal] = /^cpu +(.*)/
    .exec(readFileSync('/proc/stat', 'utf8'))![1]!
    .split(' ')
    .map((ticks) => Number(ticks) / TICKS_PER_SECOND) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const busy = user + nice + system + irq + softirq
  return { at: performance.now(), busy, stolen: steal, own: cpuSeconds([process.pid]) }
}

/** What others took of the machine since then: a figure that was measured beside them is to be read so. */
export function othersSince(before: Moment): string {
  const now = machineNow()
  const seconds = (now.at - before.at) / 1000
  const others = Math.max(0, now.busy - before.busy - (now.own - before.own))
  const share = (used: number): string => `${(used / seconds).toFixed(2)}`
  const warning = others / seconds > QUIET_PROCESSORS ? `${NOT_QUIET} ` : ''
  return `${warning}Beside the benchmark, ${share(others)} processors were busy, and ${share(now.stolen - before.stolen)} taken by the host.`
}
