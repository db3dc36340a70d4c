import { isSignedOut } from '../session.ts'
import { Problem } from './problem.tsx'

/** What went wrong with a read of a page. That a session has ended is said once, in a dialog over the page. */
export function ReadProblem({
  error,
  onAgain,
}: {
  readonly error: Error | null
  readonly onAgain: () => unknown
}) {
  return error === null || isSignedOut(error) ? null : <Problem error={error} onAgain={onAgain} />
}
