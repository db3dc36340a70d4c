/** What an account may have, as the server says it; null is no limit, or what nobody counts. */
export interface Quota {
  readonly apps: number | null
  readonly keys: number | null
  readonly bytes: number | null
  readonly requestsPerDay: number | null
}

export interface DescribedQuota {
  /** What is set for the account alone; null where nothing is. */
  readonly own?: Partial<Quota> | null
  readonly limits: Quota
  readonly used: Quota
}

export const QUOTA_LIMITS = ['apps', 'keys', 'bytes', 'requestsPerDay'] as const

/** What stands in the fields of a form. */
export type TypedQuota = Readonly<Record<keyof Quota, string>>

/** What is typed where nothing is limited, beside nothing at all. */
export const UNLIMITED_WORD = 'none'
const MEGABYTE = 1_000_000

/** @param unlimited what stands there for no limit */
export function typedQuota(quota: Partial<Quota>, unlimited: string): TypedQuota {
  const typed = QUOTA_LIMITS.map((limit) => {
    const value = quota[limit]
    if (value === undefined) return [limit, '']
    if (value === null) return [limit, unlimited]
    return [limit, String(limit === 'bytes' ? value / MEGABYTE : value)]
  })
  return Object.fromEntries(typed) as TypedQuota
}

/** What the server takes; a field that is left empty is left out. */
export function quotaFrom(typed: TypedQuota): Partial<Quota> {
  const given = QUOTA_LIMITS.filter((limit) => typed[limit].trim() !== '')
  return Object.fromEntries(given.map((limit) => [limit, limitFrom(limit, typed[limit])]))
}

/** Whether a field can be sent. */
export function isQuotaLimit(limit: keyof Quota, typed: string): boolean {
  const value = limitFrom(limit, typed)
  return typed.trim() === '' || value === null || Number.isSafeInteger(value)
}

/** NaN where it is none. */
function limitFrom(limit: keyof Quota, typed: string): number | null {
  const text = typed.trim()
  if (text === UNLIMITED_WORD) return null
  if (limit === 'bytes')
    return /^\d{1,10}(\.\d{1,6})?$/.test(text) ? Math.round(Number(text) * MEGABYTE) : Number.NaN
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}
