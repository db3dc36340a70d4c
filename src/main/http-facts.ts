import type { HttpCounts } from '../http/http-counts.ts'
import type { HttpFacts } from '../metrics/metric-facts.ts'
import { SharedCount } from '../shared-memory/count.ts'
import { MemoryBudget } from '../shared-memory/memory-budget.ts'

/** What all threads that serve HTTP have under way together, and have turned away. */
export function httpFacts(counts: HttpCounts): HttpFacts {
  const { heldBytes, bytes } = new MemoryBudget(counts.memory)
  return {
    openConnections: new SharedCount(counts.openConnections).value,
    openRequests: new SharedCount(counts.openRequests).value,
    shedRequests: new SharedCount(counts.shedRequests).value,
    memory: { heldBytes, bytes },
  }
}
