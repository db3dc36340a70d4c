import { readKeyRules } from '../domain/read-key-rules.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type AppKey, describeAppKey } from './describe-app-keys.ts'
import { type AppKeyInput, findAppKeyToChange } from './find-app-keys.ts'
import { requireAppAlone } from './require-app-alone.ts'
import { updateKey } from './update-key.ts'

export interface AppKeyUpdateInput extends AppKeyInput {
  /** As JSON: an object of rules by their names. What is left out stays. */
  readonly rules: unknown
}

/** @throws AppError `app_not_found`, `permission_denied`, `key_not_found`, `invalid_rule` */
export async function updateAppKey(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'now'>,
  caller: AccountCaller,
  { rules, ...input }: AppKeyUpdateInput,
): Promise<AppKey> {
  const { found, owner, key } = await findAppKeyToChange(context, caller, input)
  const wanted = readKeyRules(rules)
  requireAppAlone(found, wanted)
  return describeAppKey(context, found, await updateKey(owner, { ...key, rules: wanted }))
}
