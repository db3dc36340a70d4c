import { AppError } from '../errors.ts'
import { parseJson } from '../json/exact.ts'
import { isJsonObject } from '../json/value.ts'
import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

const MOST_BYTES = 64 * 1024
const NESTING_LEVELS = 100

/**
 * Keeps what the pages remember for an account, as the JSON text of one object.
 * @throws AppError `permission_denied` to a token, `body_too_large` above 64 KiB, and as `parseJson` does
 */
export async function putPreferences(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { preferences }: { readonly preferences: string },
): Promise<void> {
  requireSession(caller)
  // No text has more UTF-16 code units than bytes of UTF-8.
  if (preferences.length > MOST_BYTES || Buffer.byteLength(preferences) > MOST_BYTES)
    throw new AppError('body_too_large', `preferences may have at most ${MOST_BYTES} bytes`)
  if (!isJsonObject(parseJson(preferences, { nestingLevels: NESTING_LEVELS })))
    throw new AppError('invalid_json', 'preferences should be a JSON object')
  await accounts.putPreferences({ account: caller.account.id, preferences })
}
