import { type KeyRules, permissionText } from '../domain/key-rules.ts'
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
  const { verbs, apps, collections, addresses, websites, localhost, rate, expiresAt, tokenLifetimeMs } = rules
  return {
    permission: permissionText(verbs),
    apps,
    collections,
    addresses,
    websites,
    localhost,
    rate: rate === null ? 'none' : `${rate.requests}/${rate.perMs === 1000 ? 's' : 'min'}`,
    expires: expiresAt === null ? 'never' : new Date(expiresAt).toISOString(),
    tokenLifetime: durationText(tokenLifetimeMs),
  }
}
