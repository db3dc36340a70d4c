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
 * @throws AppError `invalid_name`, `invalid_rule`, `key_exists`, `too_many_keys`
 */
export async function createKey(
  { control, actor, now }: AccountContext,
  { name, rules = {} }: { name: string; rules?: KeyRulesInput },
): Promise<CreatedKey> {
  checkKeyName(name)
  const parsed = { ...UNLIMITED, ...parseKeyRules(rules, { now: now() }) }
  const apiKey = generateApiKey()
  const record = await control.createKey({ name, hash: hashApiKey(apiKey), rules: parsed }, actor)
  return { record, apiKey }
}
