import type { Config } from '../config.ts'
import { divideDescriptors } from '../domain/descriptors.ts'
import { CONNECTION_BYTES, divideMemory, type MemoryBytes, type MemoryShares } from '../domain/memory.ts'

/** With less memory there are no more readers than it takes, whatever is configured: one for the foreground, one for the background. */
const FEW_THREADS_BELOW = 384 * 1024 * 1024
const LEAST_READERS = 2

/** What the machine, or whoever divides it, lets the process have. */
export interface Machine {
  /** Files that may be open at once; undefined where there is no limit. */
  readonly openFiles: number | undefined
  readonly memory: MemoryBytes
}

export interface FittedConfig extends Config {
  /** What made `limits.openConnections` smaller, for the log. */
  readonly bound?: string | undefined
  readonly memoryShares?: MemoryShares
}

export interface Fitted {
  readonly config: FittedConfig
  /** Apps whose files one storage thread keeps open. */
  readonly openApps: number
  readonly memoryShares: MemoryShares
}

/**
 * Makes the limits no larger than the machine allows.
 * @throws AppError `invalid_configuration` where it is too small to serve with
 */
export function fitToMachine(config: Config, { openFiles, memory }: Machine): Fitted {
  const { limits, httpThreads } = config
  const readerThreads = memory.bytes < FEW_THREADS_BELOW ? LEAST_READERS : config.readerThreads
  const threads = { storageThreads: 1 + readerThreads, httpThreads }
  const byFiles = divideDescriptors(openFiles, {
    ...threads,
    openConnections: limits.openConnections,
  })
  const memoryShares = divideMemory(memory, threads)
  const bodyBytes = Math.min(limits.bodyBytes, memoryShares.bodyBytes)
  // Half of the budget at most is for connections that have nothing to do.
  const byMemory = Math.floor(memoryShares.budgetBytes / 2 / CONNECTION_BYTES)
  const openConnections = Math.min(byFiles.openConnections, byMemory)
  const bound =
    byMemory < byFiles.openConnections
      ? `the process may use ${Math.floor(memory.bytes / 2 ** 20)} MiB of memory`
      : `the process may open ${openFiles} files; raise ulimit -n`
  return {
    config: Object.freeze({
      ...config,
      limits: Object.freeze({ ...limits, openConnections, bodyBytes }),
      readerThreads,
      memoryShares,
      ...(openConnections < limits.openConnections && { bound }),
    }),
    openApps: byFiles.openApps,
    memoryShares,
  }
}
