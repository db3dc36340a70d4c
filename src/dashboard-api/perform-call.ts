import { authenticateCaller } from '../operations/authenticate-caller.ts'
import type { AccountsContext, Caller } from '../operations/context.ts'
import { ACCOUNT_OPERATIONS, PUBLIC_OPERATIONS } from './account-operations.ts'
import type { AccountCall } from './account-service.ts'

type PublicOperation = (context: AccountsContext, input: unknown) => Promise<unknown>
type AccountOperation = (context: AccountsContext, caller: Caller, input: unknown) => Promise<unknown>

/**
 * Does what a call asks for, for whoever is behind it. The names and types of inputs were checked where the call was made.
 * @throws AppError what the operation throws, and what `authenticateCaller` throws
 */
export async function performCall(
  context: AccountsContext,
  { name, input, requester }: AccountCall,
): Promise<unknown> {
  const { address, userAgent, ...credentials } = requester
  if (name in PUBLIC_OPERATIONS) {
    const operation = PUBLIC_OPERATIONS[name as keyof typeof PUBLIC_OPERATIONS] as PublicOperation
    return operation(context, { ...(input as object), address, userAgent })
  }
  const caller = await authenticateCaller(context, { ...credentials, address })
  return (ACCOUNT_OPERATIONS[name as keyof typeof ACCOUNT_OPERATIONS] as AccountOperation)(
    context,
    caller,
    input,
  )
}
