import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Linux counts processor time for /proc in hundredths of a second on every architecture (`USER_HZ`). */
const TICKS_PER_SECOND = 100

interface ProcessTimes {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
}

/** User and system time so far of all threads of these processes and of all that descend from them, in seconds. */
export function cpuSeconds(pids: readonly number[]): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? timesOf(Number(name)) : []))
  const counted = new Set(pids)
  // A child may be listed before its parent, where numbers have begun anew.
  for (let size = 0; size < counted.size; ) {
    size = counted.size
    for (const { pid, parent } of all) if (counted.has(parent)) counted.add(pid)
  }
  const ticks = all.reduce((sum, one) => (counted.has(one.pid) ? sum + one.ticks : sum), 0)
  return ticks / TICKS_PER_SECOND
}

/** From /proc/<pid>/stat; nothing where the process has just ended. */
function timesOf(pid: number): ProcessTimes[] {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return []
  }
  // The name in parentheses may hold spaces; what follows it begins with field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Its own time, and that of its children that have ended.
  const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
  return [{ pid, parent: Number(fields[1]), ticks }]
}

/** Memory that a process has in RAM, in MiB, from /proc/<pid>/status. */
export function residentMib(pid: number): number {
  return statusMib(pid, 'VmRSS')
}

/** The most that it has had in RAM since `forgetPeak`, in MiB. */
export function peakMib(pid: number): number {
  return statusMib(pid, 'VmHWM')
}

/** The peak begins anew from what is in RAM now (proc(5), `clear_refs`). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function statusMib(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
}
