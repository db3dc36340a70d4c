import { createFailures } from '../credentials/failure-limiter.ts'
import { createBuckets } from '../credentials/token-buckets.ts'
import type { Limits } from '../domain/limits.ts'
import { createHttpCounts, type HttpCounts } from '../http/http-counts.ts'
import type { SharedMemory } from '../shared-memory/memory-budget.ts'
import type { TableMemory } from '../shared-memory/table.ts'

/** The memory in which all threads that serve HTTP hold to the same limits. */
export interface SharedLimits {
  readonly rates: TableMemory
  readonly failures: TableMemory
  readonly counts: HttpCounts
}

export function createSharedLimits(limits: Limits, memory?: SharedMemory): SharedLimits {
  return { rates: createBuckets(), failures: createFailures(), counts: createHttpCounts(limits, memory) }
}
