import type { Limits } from '../../domain/limits.ts'
import { AppError } from '../../errors.ts'
import type { Connection } from './connection.ts'

/** What every write has at hand. */
export interface WriteContext {
  readonly connection: Connection
  readonly limits: Limits
  readonly serviceNames: readonly string[]
  /** A ULID greater than every one before it. */
  readonly nextUlid: () => string
  /** When the write has to give up, in milliseconds of `performance.now()`. */
  readonly deadline: number
}

/** @throws AppError `deadline_exceeded` */
export function checkDeadline(deadline: number): void {
  if (performance.now() > deadline)
    throw new AppError('deadline_exceeded', 'the write took too long in the store; narrow its query')
}
