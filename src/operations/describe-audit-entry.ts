import { describeSomeRules } from '../domain/describe-rules.ts'
import { isoTime } from '../domain/iso-time.ts'
import { rulesOfStored } from '../domain/key-rules.ts'
import type { AuditEntry } from '../storage/account-store.ts'

/** A line of the audit trail as programs read it. */
export type DescribedAuditEntry = Omit<AuditEntry, 'at' | 'details'> & {
  readonly at: string
  /** What was set or changed, in the words of a key's rules; never a secret. */
  readonly details: Readonly<Record<string, unknown>>
}

/** A line whose details are damaged is told without them, and hides no other. */
export function describeAuditEntry(entry: AuditEntry): DescribedAuditEntry {
  const described = { ...entry, at: isoTime(entry.at) }
  try {
    return { ...described, details: detailsOf(entry.details) }
  } catch {
    return { ...described, details: { damaged: true } }
  }
}

function detailsOf(text: string): Readonly<Record<string, unknown>> {
  const { oldUntil, until, ...stored } = JSON.parse(text) as Record<string, unknown> & Ends
  const { rules, others } = rulesOfStored(stored)
  return {
    ...others,
    ...describeSomeRules(rules),
    ...(oldUntil !== undefined && { oldUntil: isoTime(oldUntil) }),
    ...(until !== undefined && { until: isoTime(until) }),
  }
}

interface Ends {
  /** Of the secret that a key had before. */
  readonly oldUntil?: number
  /** Of a link. */
  readonly until?: number
}
