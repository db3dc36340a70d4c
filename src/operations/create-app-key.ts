import { SAFE_BITS, secretBits } from '../domain/secret-strength.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { createKey } from './create-key.ts'
import { type AppKey, describeAppKey } from './describe-app-keys.ts'
import { ownerContextOf } from './find-app-keys.ts'
import type { AppInput } from './open-app.ts'
import { requireAppAlone, rulesOfNewKey } from './require-app-alone.ts'

export interface NewAppKeyInput extends AppInput {
  readonly name: string
  /** As JSON: an object of rules by their names. Those that are left out are as the app has them for new keys. */
  readonly rules?: unknown
  /** Made elsewhere; without it one is made. */
  readonly secret?: string | undefined
}

/** A key whose secret is new; `key` is nowhere else and can't be had again. Without it the secret was given. */
export type AppKeyWithSecret = AppKey & {
  readonly key?: string
  /** About how many bits a given secret has at most, where it may be guessed. */
  readonly guessableBits?: number
}

/**
 * Makes a key of the app's owner. An editor makes keys for this app alone.
 * @throws AppError `app_not_found`, `permission_denied`, and what `createKey` throws
 */
export async function createAppKey(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'now'>,
  caller: AccountCaller,
  { app: slug, name, rules, secret }: NewAppKeyInput,
): Promise<AppKeyWithSecret> {
  const found = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
  const wanted = rulesOfNewKey(found.app, rules)
  requireAppAlone(found, wanted)
  const owner = ownerContextOf(context, caller, found)
  const { record, apiKey } = await createKey(owner, { name, rules: wanted, secret })
  const described = await describeAppKey(context, found, record)
  if (secret === undefined) return { ...described, key: apiKey }
  const bits = secretBits(secret)
  return { ...described, ...(bits < SAFE_BITS && { guessableBits: bits }) }
}
