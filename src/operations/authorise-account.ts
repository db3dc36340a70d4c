import { AppError } from '../errors.ts'
import { requireOperator, requireSession } from './authorise-caller.ts'
import type { Caller } from './context.ts'

/**
 * The account, by its id, that something is to be done to: one's own in a session, another's as an operator.
 * @param id one's own where it is left out
 * @throws AppError `permission_denied`, `account_not_found` on the command line without an id
 */
export function authoriseAccount(caller: Caller, id?: string): string {
  if (caller.kind === 'account' && (id === undefined || id === caller.account.id)) {
    requireSession(caller)
    return caller.account.id
  }
  requireOperator(caller)
  if (id === undefined) throw new AppError('account_not_found', 'say which account')
  return id
}
