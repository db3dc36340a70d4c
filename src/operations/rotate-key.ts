import { generateApiKey, hashApiKey } from '../credentials/api-key.ts'
import { checkSecret } from '../credentials/given-secret.ts'
import { nameOfKey } from '../credentials/key-name.ts'
import { parseDuration } from '../domain/duration.ts'
import type { KeyGuard } from '../storage/account-changes.ts'
import type { KeyRecord } from '../storage/store.ts'
import type { OwnerContext } from './context.ts'

const DEFAULT_OVERLAP = '24h'

/** A key with a new secret; `apiKey` is nowhere else and can't be had again. */
export interface RotatedKey {
  readonly record: KeyRecord
  readonly apiKey: string
  /** When the last of the old secrets stops working, in milliseconds since the Unix epoch. */
  readonly oldUntil: number
}

export interface KeyRotationInput extends KeyGuard {
  readonly name: string
  readonly overlap?: string | undefined
  /** Made elsewhere, and the new one. */
  readonly secret?: string | undefined
}

/**
 * Gives a key a new secret, and ends the old ones after `overlap` (24 hours; `0` is at once). Tokens are the key's,
 * not the secret's, and go on.
 * @param show called before the new secret works; where it throws, all stays as it was
 * @throws AppError `invalid_secret`, `key_exists` where the secret is a key's already, `invalid_rule` (also where the key has too many secrets that work), `key_not_found`
 */
export async function rotateKey(
  { control, actor, owner, now }: OwnerContext,
  { name, overlap = DEFAULT_OVERLAP, secret, id, onlyApp }: KeyRotationInput,
  show?: (rotated: RotatedKey) => void,
): Promise<RotatedKey> {
  const oldUntil = now() + parseDuration(overlap, { what: 'an overlap', least: 0 })
  if (secret !== undefined) checkSecret(secret)
  const apiKey = secret ?? generateApiKey()
  const key = { owner, name: await nameOfKey(control, name), id, onlyApp }
  const made = secret === undefined && { secret: apiKey }
  const change = { ...key, hash: hashApiKey(apiKey), ...made, oldUntil }
  const record = await control.rotateKey(change, actor, (shown) =>
    show?.({ record: shown, apiKey, oldUntil }),
  )
  return { record, apiKey, oldUntil }
}
