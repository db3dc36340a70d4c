import type { Config } from '../config.ts'
import { divideDescriptors } from '../domain/descriptors.ts'

/** What the machine, or whoever divides it, lets the process have. */
export interface Machine {
  /** Files that may be open at once; undefined where there is no limit. */
  readonly openFiles: number | undefined
}

export interface FittedConfig extends Config {
  /** How many files the system lets the process open, where that made `limits.openConnections` smaller. */
  readonly openFiles?: number | undefined
}

export interface Fitted {
  readonly config: FittedConfig
  /** Apps whose files one storage thread keeps open. */
  readonly openApps: number
}

/**
 * Makes the limits no larger than the machine allows.
 * @throws AppError `invalid_configuration` where it is too small to serve with
 */
export function fitToMachine(config: Config, { openFiles }: Machine): Fitted {
  const { limits, readerThreads, httpThreads } = config
  const { openConnections, openApps } = divideDescriptors(openFiles, {
    storageThreads: 1 + readerThreads,
    httpThreads,
    openConnections: limits.openConnections,
  })
  const isFewer = openConnections < limits.openConnections
  return {
    config: Object.freeze({
      ...config,
      limits: Object.freeze({ ...limits, openConnections }),
      ...(isFewer && { openFiles }),
    }),
    openApps,
  }
}
