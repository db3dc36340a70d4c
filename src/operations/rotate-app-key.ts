import { isoTime } from '../domain/iso-time.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppKeyWithSecret } from './create-app-key.ts'
import { describeAppKey } from './describe-app-keys.ts'
import { type AppKeyInput, findAppKeyToChange } from './find-app-keys.ts'
import { rotateKey } from './rotate-key.ts'

export interface AppKeyRotationInput extends AppKeyInput {
  /** How long old secrets work still: `24h`, which it is without it, `0` for not at all. */
  readonly overlap?: string | undefined
  /** Made elsewhere, and the new one. */
  readonly secret?: string | undefined
}

export type RotatedAppKey = AppKeyWithSecret & {
  /** When the last of the old secrets stops working. */
  readonly oldUntil: string
}

/** @throws AppError `app_not_found`, `permission_denied`, and what `rotateKey` throws */
export async function rotateAppKey(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'now'>,
  caller: AccountCaller,
  { overlap, secret, ...input }: AppKeyRotationInput,
): Promise<RotatedAppKey> {
  const { owner, found, key } = await findAppKeyToChange(context, caller, input)
  const { record, apiKey, oldUntil } = await rotateKey(owner, { ...key, overlap, secret })
  const shown = secret === undefined && { key: apiKey }
  return { ...(await describeAppKey(context, found, record)), ...shown, oldUntil: isoTime(oldUntil) }
}
