import { readFileSync } from 'node:fs'

/** Linux counts processor time for /proc in hundredths of a second on every architecture (`USER_HZ`). */
const TICKS_PER_SECOND = 100

/** User and system time of all threads of a process so far, in seconds, from /proc/<pid>/stat. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may hold spaces; what follows it begins with field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Memory that a process has in RAM, in MiB, from /proc/<pid>/status. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1]) / 1024
}
