import { actorOf, requireOperator, requireRecentPassword } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedTokenSecret, listTokenSecrets } from './list-token-secrets.ts'
import { rotateTokenSecret } from './rotate-token-secret.ts'

/**
 * Has tokens signed with another secret, and answers all that are good then.
 * @param input `now` where every token is to end at once
 * @throws AppError `permission_denied`, `password_required`, and as `rotateTokenSecret` does
 */
export async function replaceTokenSecret(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  input: { readonly now: boolean },
): Promise<DescribedTokenSecret[]> {
  requireOperator(caller)
  requireRecentPassword(context, caller)
  const { accounts: control, now } = context
  await rotateTokenSecret({ control, actor: actorOf(caller), owner: null, now }, input)
  return listTokenSecrets(context, caller)
}
