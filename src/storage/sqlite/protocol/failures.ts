import { systemProblem } from '../../../domain/system-problem.ts'
import { AppError, type ErrorCode } from '../../../errors.ts'

/** An error as it crosses from one thread to another. */
export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  /** Which document of a save it is about, from 0. */
  readonly documentIndex?: number
  readonly retryAfterSeconds?: number
  readonly entityTag?: string
  /** Where an unexpected one came from, for the log alone. */
  readonly stack?: string
}

/** SQLite's primary result codes of files that can't be used now: a full disk, a failing one, missing rights. */
const UNAVAILABLE = new Set([5, 6, 7, 8, 10, 11, 13, 14, 23, 26])

const UNAVAILABLE_NOW = {
  code: 'store_unavailable',
  message: 'the data can not be read or written right now; try again later',
} as const

export function failureOf(error: unknown): Failure {
  if (error instanceof AppError) {
    const { code, message, cause, documentIndex, retryAfterSeconds, entityTag } = error
    return {
      ...{ code, message },
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(documentIndex !== undefined && { documentIndex }),
      ...(entityTag !== undefined && { entityTag }),
      ...(cause instanceof Error && { stack: cause.stack ?? cause.message }),
    }
  }
  if (isSqliteError(error) && UNAVAILABLE.has(error.errcode & 0xff))
    return { ...UNAVAILABLE_NOW, stack: `${error.message}\n${error.stack ?? ''}` }
  // Not SQLite, but the system that it, too, runs on.
  const problem = systemProblem(error)
  if (problem !== undefined) return { ...UNAVAILABLE_NOW, stack: `${problem}: ${(error as Error).stack}` }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'internal', message: 'something went wrong inside the store', stack }
}

/** The error that a thread reported, as one of this thread. */
export function errorOf(failure: Failure): AppError {
  const { code, message, documentIndex, retryAfterSeconds, entityTag, stack } = failure
  const cause = stack === undefined ? undefined : new Error(stack)
  return new AppError(code, message, {
    cause,
    entityTag,
    ...(documentIndex !== undefined && { documentIndex }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

/** Whether a statement named a table that was dropped after it had been looked up. */
export function isMissingTable(error: unknown): boolean {
  return error instanceof Error && /^no such table: c\d+$/.test(error.message)
}
