import type { Limits } from './limits.ts'

/** What the file system of the data folder has: what this process may still write, and all. */
export interface DiskFacts {
  readonly freeBytes: number
  readonly diskBytes: number
}

/** Whether there is room enough on a disk: `critical` is about to be full. */
export type DiskLevel = 'enough' | 'low' | 'critical'

const GIB = 1024 ** 3

/**
 * How near a disk is to being full: `low` under a tenth of it or 10 GiB, whichever is less, `critical` under a fiftieth or
 * 1 GiB, or where the longest write would not find its room twice.
 */
export function diskLevel(
  { freeBytes, diskBytes }: DiskFacts,
  { bodyBytes }: Pick<Limits, 'bodyBytes'>,
): DiskLevel {
  // It stands in the write-ahead log, and then in the file, too.
  const writeBytes = 2 * bodyBytes
  if (freeBytes < Math.max(2 * writeBytes, Math.min(diskBytes / 50, GIB))) return 'critical'
  return freeBytes < Math.min(diskBytes / 10, 10 * GIB) ? 'low' : 'enough'
}
