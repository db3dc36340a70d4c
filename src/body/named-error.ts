import { AppError } from '../errors.ts'

/** The same error, with what it is about before its message. */
export function namedError(name: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  return new AppError(error.code, `${name}: ${error.message}`, { cause: error.cause })
}
