import type { KeyRulesInput } from '../domain/key-rules-input.ts'
import { readKeyRules } from '../domain/read-key-rules.ts'
import { AppError } from '../errors.ts'
import type { AccountApp } from '../storage/account-records.ts'

/**
 * Holds an editor to keys for the app alone: with any other an editor would get at the owner's other apps.
 * @throws AppError `permission_denied`
 */
export function requireAppAlone({ app: { slug }, role }: AccountApp, { apps = [] }: KeyRulesInput): void {
  if (role !== 'owner' && (apps === 'all' || apps.some((each) => each !== slug)))
    throw new AppError('permission_denied', 'an editor makes and changes keys for this app alone')
}

/** Rules of a new key as JSON: without `apps` it is for this app alone. @throws AppError `invalid_rule` */
export function rulesOfApp(slug: string, rules: unknown): KeyRulesInput {
  return { apps: [slug], ...readKeyRules(rules) }
}
