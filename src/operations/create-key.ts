import { generateApiKey, hashApiKey } from '../credentials/api-key.ts'
import { checkSecret } from '../credentials/given-secret.ts'
import { checkKeyName } from '../credentials/key-name.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { type KeyRulesInput, parseKeyRules } from '../domain/key-rules-input.ts'
import { AppError } from '../errors.ts'
import type { KeyRecord } from '../storage/store.ts'
import type { OwnerContext } from './context.ts'

/** A new key; `apiKey` is nowhere else and can't be had again. */
export interface CreatedKey {
  readonly record: KeyRecord
  readonly apiKey: string
}

export interface NewKeyInput {
  readonly name: string
  readonly rules?: KeyRulesInput | undefined
  /** Made elsewhere; without it one is made. */
  readonly secret?: string | undefined
}

/**
 * Makes a key that may do what its rules let it; without any it may do everything.
 * @param show called before the key is there; where it throws, none is made
 * @throws AppError `invalid_name`, `invalid_rule`, `invalid_secret`, `key_exists` (also where the secret is a key's), `too_many_keys`
 */
export async function createKey(
  { control, actor, owner, now }: OwnerContext,
  { name, rules = {}, secret }: NewKeyInput,
  show?: (created: CreatedKey) => void,
): Promise<CreatedKey> {
  checkKeyName(name)
  if (secret !== undefined) checkSecret(secret)
  if (secret === name)
    throw new AppError('invalid_name', 'the name is the secret itself; call the key by what it is for')
  const parsed = { ...UNLIMITED, ...parseKeyRules(rules, { now: now() }) }
  const apiKey = secret ?? generateApiKey()
  const key = { owner, name, hash: hashApiKey(apiKey), rules: parsed }
  const record = await control.createKey(key, actor, (made) => show?.({ record: made, apiKey }))
  return { record, apiKey }
}
