import { AppError } from '../errors.ts'

/** What an account may have; null is as much as the server has. */
export interface Quota {
  /** Deleted ones that can be restored among them. */
  readonly apps: number | null
  readonly keys: number | null
  /** Of all its apps together: documents, indexes, and the files of their sites. */
  readonly bytes: number | null
  /** To its apps and their sites, in one day by UTC. */
  readonly requestsPerDay: number | null
}

/** What is set for one account; for what is missing, the default for all accounts holds. */
export type OwnQuota = Readonly<Partial<Quota>>

/** What all accounts may have, where anything is limited. */
export interface Quotas {
  readonly forAll: Quota
  /** Of those with one of their own, by the account's id, with what holds for all where it says nothing. */
  readonly byAccount: ReadonlyMap<string, Quota>
}

/** The names under which they are stored, too, which never change. */
export const QUOTA_LIMITS = ['apps', 'keys', 'bytes', 'requestsPerDay'] as const satisfies (keyof Quota)[]

export const NO_QUOTA: Quota = Object.freeze({ apps: null, keys: null, bytes: null, requestsPerDay: null })

export const DAY_MS = 24 * 60 * 60 * 1000

export function isLimited(quota: OwnQuota): boolean {
  return QUOTA_LIMITS.some((limit) => typeof quota[limit] === 'number')
}

/** What an account may have, by its id; what has no owner is the operator's, and has no quota. */
export function quotaOf(quotas: Quotas | undefined, owner: string | null): Quota | undefined {
  if (quotas === undefined || owner === null) return undefined
  return quotas.byAccount.get(owner) ?? quotas.forAll
}

/**
 * Checks what is given, and answers it with nothing else.
 * @throws AppError `invalid_parameter`
 */
export function readQuota(
  given: Readonly<Partial<Record<keyof Quota, number | null | undefined>>>,
): OwnQuota {
  const wrong = QUOTA_LIMITS.find((limit) => given[limit] !== undefined && !isLimit(given[limit]))
  if (wrong !== undefined)
    throw new AppError('invalid_parameter', `${wrong} takes a whole number from 0, or null for no limit`)
  return Object.fromEntries(
    QUOTA_LIMITS.filter((limit) => given[limit] !== undefined).map((limit) => [limit, given[limit]]),
  )
}

export function quotaToText(quota: OwnQuota): string {
  return JSON.stringify(readQuota(quota))
}

/** Undefined where the text can't be read. */
export function quotaFromText(text: string): OwnQuota | undefined {
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined
    return readQuota(stored)
  } catch {
    return undefined
  }
}

function isLimit(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 0)
}
