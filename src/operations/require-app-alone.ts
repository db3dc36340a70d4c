import type { KeyRulesInput } from '../domain/key-rules-input.ts'
import { readKeyRules } from '../domain/read-key-rules.ts'
import { AppError } from '../errors.ts'
import type { AccountApp } from '../storage/account-records.ts'
import type { AppRecord } from '../storage/store.ts'

/**
 * Holds an editor to keys for the app alone: with any other an editor would get at the owner's other apps.
 * @throws AppError `permission_denied`
 */
export function requireAppAlone({ app: { slug }, role }: AccountApp, { apps = [] }: KeyRulesInput): void {
  if (role !== 'owner' && (apps === 'all' || apps.some((each) => each !== slug)))
    throw new AppError('permission_denied', 'an editor makes and changes keys for this app alone')
}

/**
 * Rules of a new key as JSON: those that are not given are the app's defaults, and without `apps` it is for this app alone.
 * @throws AppError `invalid_rule`, also where nobody can say what the defaults are
 */
export function rulesOfNewKey({ slug, settings, damage }: AppRecord, rules: unknown): KeyRulesInput {
  if (damage !== undefined)
    throw new AppError(
      'invalid_rule',
      `no key is made, for of the settings of the app ${damage}; mend them first`,
    )
  return { apps: [slug], ...settings?.keyDefaults, ...readKeyRules(rules) }
}
