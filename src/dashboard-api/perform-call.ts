import type { TakeRequest } from '../credentials/token-buckets.ts'
import { AppError } from '../errors.ts'
import { authenticateCaller } from '../operations/authenticate-caller.ts'
import type { AccountsContext, Caller } from '../operations/context.ts'
import { ACCOUNT_OPERATIONS, COMMAND_LINE_OPERATIONS, PUBLIC_OPERATIONS } from './account-operations.ts'
import type { AccountCall } from './account-service.ts'

type PublicOperation = (context: AccountsContext, input: unknown) => Promise<unknown>
type AccountOperation = (context: AccountsContext, caller: Caller, input: unknown) => Promise<unknown>

/** So that nobody pushes the lines of others out of the audit trail: of 100,000 that takes 5 hours and a half. */
const CHANGES = { requests: 300, perMs: 60_000 } as const

export interface CallDependencies {
  readonly context: AccountsContext
  /** Counts the changes of each account. */
  readonly takeRequest: TakeRequest
}

/**
 * Does what a call asks for, for whoever is behind it. The names and types of inputs were checked where the call was made.
 * @throws AppError what the operation throws, and what `authenticateCaller` throws; `rate_limited`
 */
export async function performCall(
  { context, takeRequest }: CallDependencies,
  { name, input, requester, isChange }: AccountCall,
): Promise<unknown> {
  const { address, userAgent, commandLine, ...credentials } = requester
  if (name in PUBLIC_OPERATIONS) {
    const operation = PUBLIC_OPERATIONS[name as keyof typeof PUBLIC_OPERATIONS] as PublicOperation
    return operation(context, { ...(input as object), address, userAgent })
  }
  const operation = ACCOUNT_OPERATIONS[name as keyof typeof ACCOUNT_OPERATIONS] as AccountOperation
  if (commandLine !== undefined) {
    if (!COMMAND_LINE_OPERATIONS.has(name)) throw takesAccount()
    return operation(context, { kind: 'command-line', actor: commandLine }, input)
  }
  const caller = await authenticateCaller(context, { ...credentials, address })
  const waitMs = isChange ? takeRequest(caller.account.id, CHANGES) : 0
  if (waitMs > 0) throw tooManyChanges(waitMs)
  return operation(context, caller, input)
}

function takesAccount(): AppError {
  return new AppError('permission_denied', 'this takes an account, and a command on the data folder has none')
}

function tooManyChanges(waitMs: number): AppError {
  return new AppError('rate_limited', 'this account makes too many changes; wait, and make fewer', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })
}
