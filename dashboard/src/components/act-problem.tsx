import { ApiError } from '../api.ts'
import { isSignedOut } from '../session.ts'
import { Problem } from './problem.tsx'

interface ActProblemProps<Input> {
  /** A mutation. */
  readonly act: {
    readonly error: Error | null
    readonly variables: Input | undefined
    readonly mutate: (input: Input) => void
  }
}

/**
 * Why a change was not made. Where it may be made by the same request, that is offered; where something has to be typed
 * anew, the form has its button.
 */
export function ActProblem<Input>({ act: { error, variables, mutate } }: ActProblemProps<Input>) {
  if (error === null || isSignedOut(error)) return null
  return <Problem error={error} {...(isPassing(error) && { onAgain: () => mutate(variables as Input) })} />
}

/** Whether the request was not at fault: the server failed, was busy or away, or asked to wait. */
function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}
