import {
  describeDamagedKey,
  describeKeySentence,
  type SentenceOptions,
} from '../domain/describe-key-sentence.ts'
import { describeRules } from '../domain/describe-rules.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { RulesDescription } from '../domain/key-rules-input.ts'
import type { KeyRecord } from '../storage/store.ts'

/** A key as programs read it; never the key itself. */
export interface DescribedKey extends Partial<RulesDescription> {
  readonly name: string
  /** Whether it is published with a site, to whose pages alone it is good. */
  readonly isSiteKey?: true
  /** What of it can't be read, in place of its rules. Nobody is let in by it. */
  readonly damaged?: string
  /** All of that in words. */
  readonly sentence: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** When each of the secrets that were rotated out stops working. */
  readonly oldKeysUntil: readonly string[]
}

export function describeKey(record: KeyRecord): DescribedKey {
  return {
    name: record.name,
    ...(record.isSiteKey && { isSiteKey: true as const }),
    ...(record.damage === undefined ? describeRules(record.rules) : { damaged: record.damage }),
    sentence: keySentence(record),
    createdAt: isoTime(record.createdAt),
    lastUsedAt: record.lastUsedAt === null ? null : isoTime(record.lastUsedAt),
    oldKeysUntil: record.secrets.flatMap(({ until }) => (until === null ? [] : [isoTime(until)])),
  }
}

/** What a key may do, in one sentence. @param options how much of long lists is shown */
export function keySentence({ rules, damage, isSiteKey }: KeyRecord, options?: SentenceOptions): string {
  if (damage !== undefined) return describeDamagedKey(damage)
  return describeKeySentence(rules, { ...options, isSiteKey: isSiteKey ?? false })
}
