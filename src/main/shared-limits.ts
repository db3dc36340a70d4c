import { createFailures } from '../credentials/failure-limiter.ts'
import { createQuotaUses, type QuotaMemory } from '../credentials/quota-uses.ts'
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
  /** What accounts use of their quotas, which whoever has the accounts counts, too. */
  readonly quotaUses: QuotaMemory
}

export function createSharedLimits(
  limits: Limits,
  {
    memory,
    quotaUses = createQuotaUses(),
  }: { memory?: SharedMemory | undefined; quotaUses?: QuotaMemory } = {},
): SharedLimits {
  const counts = createHttpCounts(limits, memory)
  return { rates: createBuckets(), failures: createFailures(), counts, quotaUses }
}
