import { nameOfKey } from '../credentials/key-name.ts'
import { type KeyRulesInput, parseKeyRules } from '../domain/key-rules-input.ts'
import { isFull } from '../domain/site-key-permission.ts'
import { AppError } from '../errors.ts'
import type { KeyGuard } from '../storage/account-changes.ts'
import type { KeyRecord } from '../storage/store.ts'
import type { OwnerContext } from './context.ts'

/**
 * Changes the rules that are given, for the key and for every token made from it, and leaves the rest.
 * @throws AppError `invalid_rule`, `key_not_found`
 */
export async function updateKey(
  { control, actor, owner, now }: OwnerContext,
  { name, id, onlyApp, rules }: KeyGuard & { name: string; rules: KeyRulesInput },
): Promise<KeyRecord> {
  const changed = parseKeyRules(rules, { now: now() })
  if (Object.keys(changed).length === 0)
    throw new AppError('invalid_rule', 'there is nothing to change; name at least one rule')
  return control.updateKey(
    {
      ...{ owner, name: await nameOfKey(control, name), id, onlyApp },
      ...{ rules: changed, saysFull: isFull(rules.permission) },
    },
    actor,
  )
}
