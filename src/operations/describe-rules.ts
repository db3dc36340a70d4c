import { type KeyRules, permissionText, type Rate } from '../domain/key-rules.ts'
import { durationText } from './duration.ts'

/** A key's rules for people and programs: each text is one that `parseKeyRules` takes. */
export interface RulesDescription {
  readonly permission: string
  readonly apps: 'all' | readonly string[]
  readonly collections: 'all' | readonly string[]
  readonly addresses: 'all' | readonly string[]
  readonly websites: 'all' | readonly string[]
  readonly localhost: boolean
  readonly rate: string
  readonly expires: string
  readonly tokenLifetime: string
}

export function describeRules(rules: KeyRules): RulesDescription {
  return describeSomeRules(rules) as RulesDescription
}

/** The same for those rules that are given. */
export function describeSomeRules(rules: Partial<KeyRules>): Partial<RulesDescription> {
  const { verbs, rate, expiresAt, tokenLifetimeMs, ...alike } = rules
  return {
    ...(verbs !== undefined && { permission: permissionText(verbs) }),
    ...alike,
    ...(rate !== undefined && { rate: rateText(rate) }),
    ...(expiresAt !== undefined && {
      expires: expiresAt === null ? 'never' : new Date(expiresAt).toISOString(),
    }),
    ...(tokenLifetimeMs !== undefined && { tokenLifetime: durationText(tokenLifetimeMs) }),
  }
}

function rateText(rate: Rate | null): string {
  return rate === null ? 'none' : `${rate.requests}/${rate.perMs === 1000 ? 's' : 'min'}`
}
