import { readdir, readFile } from 'node:fs/promises'
import type { ProcessUse } from '../metrics/metric-facts.ts'

const MOST_OPEN_FILES = /^Max open files\s+(\d+)/m

/** What this process uses, with all of its threads. */
export async function processUse(): Promise<ProcessUse> {
  const { user, system } = process.cpuUsage()
  return {
    startedAt: performance.timeOrigin,
    cpuSeconds: (user + system) / 1_000_000,
    residentBytes: process.memoryUsage.rss(),
    ...(await openFiles()),
  }
}

/** As Linux tells it; elsewhere nobody does. */
async function openFiles(): Promise<Pick<ProcessUse, 'openFiles' | 'mostOpenFiles'>> {
  try {
    const [, most] = MOST_OPEN_FILES.exec(await readFile('/proc/self/limits', 'utf8')) ?? []
    return {
      openFiles: (await readdir('/proc/self/fd')).length,
      mostOpenFiles: most === undefined ? undefined : Number(most),
    }
  } catch {
    return { openFiles: undefined, mostOpenFiles: undefined }
  }
}
