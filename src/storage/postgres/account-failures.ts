import { systemProblem } from '../../domain/system-problem.ts'
import { AppError } from '../../errors.ts'

/**
 * Classes of SQLSTATE that may pass by themselves: connections, transactions that were rolled back, resources, an
 * operator's hand, the system (PostgreSQL 18, appendix A).
 */
const PASSING = new Set(['08', '25', '40', '53', '55', '57', '58'])
/** Of sockets, which the driver passes on. */
const CONNECTION = /^E[A-Z]+$/

/** What went wrong with the database, as the caller is told of it. */
export function postgresError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isPassing =
    PASSING.has(code.slice(0, 2)) || CONNECTION.test(code) || /\bconnection\b/i.test(error.message)
  if (!isPassing && systemProblem(error) === undefined) return error
  const message = 'the database can not be reached or used right now; try again later'
  return new AppError('store_unavailable', message, { cause: error })
}
