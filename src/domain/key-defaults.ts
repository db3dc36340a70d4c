import { AppError } from '../errors.ts'
import { describeSomeRules } from './describe-rules.ts'
import { type KeyRulesInput, parseKeyRules } from './key-rules-input.ts'
import { readKeyRules } from './read-key-rules.ts'

/**
 * The rules of a key that is made without them, as people write them. A time to expire counts from when the key is made;
 * `apps` is none of them, for such a key opens its app alone.
 */
export type KeyDefaults = Omit<KeyRulesInput, 'apps'>

const FROM_NOW_ON = /^(?:\d+[dhms]|never)$/

/** Checks each, and answers it in its one form. @throws AppError `invalid_rule` */
export function readKeyDefaults(json: unknown): KeyDefaults {
  const given = readKeyRules(json)
  if (given.apps !== undefined)
    throw new AppError(
      'invalid_rule',
      'apps is no default: a key that is made without it opens its app alone',
    )
  const { expires } = given
  if (expires !== undefined && !FROM_NOW_ON.test(expires))
    throw new AppError(
      'invalid_rule',
      'as a default, expires says for how long a key is good (30d, 12h, 90m, 2s), or never',
    )
  const described = describeSomeRules(parseKeyRules(given, { now: 0 }))
  return { ...described, ...(expires !== undefined && { expires }) }
}

/** Whether a stored value has the form of defaults. */
export function isKeyDefaults(stored: unknown): boolean {
  try {
    readKeyDefaults(stored ?? null)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
