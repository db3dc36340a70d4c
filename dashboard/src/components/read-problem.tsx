import { isSignedOut } from '../session.ts'
import { Problem } from './problem.tsx'

/** What went wrong on a page of the account. That a session has ended is said once, in a dialog over the page. */
export function ReadProblem({
  error,
  onAgain,
}: {
  readonly error: Error | null
  /** Tries again what went wrong. */
  readonly onAgain?: () => unknown
}) {
  return error === null || isSignedOut(error) ? null : <Problem error={error} {...(onAgain && { onAgain })} />
}
