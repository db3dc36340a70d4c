import type { Limits } from '../domain/limits.ts'
import { type CountMemory, SharedCount } from '../shared-memory/count.ts'
import { type SharedMemory, unboundedMemory } from '../shared-memory/memory-budget.ts'
import type { TableMemory } from '../shared-memory/table.ts'
import { createConnectionCounts } from './connection/connection-limits.ts'

/** What the threads that serve HTTP count together, as it travels from one to another. */
export interface HttpCounts {
  readonly openConnections: CountMemory
  readonly connectionsByNetwork: TableMemory
  readonly openRequests: CountMemory
  /** Turned away since the start, because of the load. */
  readonly shedRequests: CountMemory
  readonly heldBodyBytes: CountMemory
  /** What all that clients have under way may take. */
  readonly memory: SharedMemory
}

export function createHttpCounts(
  { openConnections }: Pick<Limits, 'openConnections'>,
  memory = unboundedMemory(),
): HttpCounts {
  return {
    openConnections: new SharedCount().memory,
    connectionsByNetwork: createConnectionCounts(openConnections),
    openRequests: new SharedCount().memory,
    shedRequests: new SharedCount().memory,
    heldBodyBytes: new SharedCount().memory,
    memory,
  }
}
