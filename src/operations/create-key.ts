import { generateApiKey, hashApiKey } from '../credentials/api-key.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import type { KeyRecord } from '../storage/store.ts'
import type { AccountContext } from './account-context.ts'
import { checkKeyName } from './key-name.ts'
import { type KeyRulesInput, parseKeyRules } from './key-rules-input.ts'

/** A new key; `apiKey` is nowhere else and can't be had again. */
export interface CreatedKey {
  readonly record: KeyRecord
  readonly apiKey: string
}

/**
 * Makes a key that may do what its rules let it; without any it may do everything.
 * @param show called before the key is there; where it throws, none is made
 * @throws AppError `invalid_name`, `invalid_rule`, `key_exists`, `too_many_keys`
 */
export async function createKey(
  { control, actor, now }: AccountContext,
  { name, rules = {} }: { name: string; rules?: KeyRulesInput },
  show?: (created: CreatedKey) => void,
): Promise<CreatedKey> {
  checkKeyName(name)
  const parsed = { ...UNLIMITED, ...parseKeyRules(rules, { now: now() }) }
  const apiKey = generateApiKey()
  const key = { name, hash: hashApiKey(apiKey), rules: parsed }
  const record = await control.createKey(key, actor, (made) => show?.({ record: made, apiKey }))
  return { record, apiKey }
}
