import { describeKeySentence } from '../domain/describe-key-sentence.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { parseKeyRules } from '../domain/key-rules-input.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'
import { requireAppAlone, rulesOfNewKey } from './require-app-alone.ts'

export interface KeyRulesInputOfApp extends AppInput {
  /** As JSON: those of a key that is yet to be made. */
  readonly rules?: unknown
  /** Whether they are to be those of the app's site key, which is good on pages of its site alone. */
  readonly isSiteKey?: boolean | undefined
}

/**
 * Sums up what a key would do that is made with these rules, or says what is wrong with them.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_rule`
 */
export async function summariseKeyRules(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  { app: slug, rules, isSiteKey = false }: KeyRulesInputOfApp,
): Promise<{ readonly sentence: string }> {
  const found = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
  const wanted = rulesOfNewKey(found.app, rules)
  requireAppAlone(found, wanted)
  const parsed = parseKeyRules(wanted, { now: context.now() })
  return { sentence: describeKeySentence({ ...UNLIMITED, ...parsed }, { isSiteKey }) }
}
