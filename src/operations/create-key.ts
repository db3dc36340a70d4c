import { generateApiKey, hashApiKey } from '../credentials/api-key.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { AppError } from '../errors.ts'
import type { KeyRecord } from '../storage/store.ts'
import type { AccountContext } from './account-context.ts'
import { type KeyRulesInput, parseKeyRules } from './key-rules-input.ts'

const NAME_CODE_POINTS = 128
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

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
  const problem = keyNameProblem(name)
  if (problem !== undefined) throw new AppError('invalid_name', `that can't be a key's name: ${problem}`)
  const parsed = { ...UNLIMITED, ...parseKeyRules(rules, { now: now() }) }
  const apiKey = generateApiKey()
  const record = await control.createKey({ name, hash: hashApiKey(apiKey), rules: parsed }, actor)
  return { record, apiKey }
}

function keyNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty'
  if (name !== name.trim()) return 'it may not begin or end with a space'
  // `--name --json` forgot the name, and no command could name that key.
  if (name.startsWith('-')) return 'it may not begin with -, as options do'
  if (CONTROL_CHARACTER.test(name)) return 'it may not contain control characters'
  if (!name.isWellFormed()) return 'it contains a lone surrogate'
  if ([...name].length > NAME_CODE_POINTS) return `it may have at most ${NAME_CODE_POINTS} characters`
  return undefined
}
