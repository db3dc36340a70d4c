import { isLimited, NO_QUOTA, type Quota, type Quotas, quotaFromText } from '../../domain/quota.ts'

/** The name of the setting that has what all accounts may have. */
export const QUOTA_SETTING = 'quota'

export const QUOTAS_SELECT = 'SELECT account, quota FROM account_quotas'
export const DEFAULT_QUOTA_SELECT = `SELECT value FROM settings WHERE name = '${QUOTA_SETTING}'`

export interface QuotaRows {
  readonly quotas: [account: string, quota: string][]
  readonly defaultQuota: [value: Uint8Array][]
}

/** Undefined where nothing is limited, so that nobody asks further. */
export function quotasFrom({ quotas, defaultQuota }: QuotaRows): Quotas | undefined {
  const forAll = defaultQuotaFrom(defaultQuota[0] && Buffer.from(defaultQuota[0][0]).toString())
  const byAccount = new Map(
    quotas.map(([account, text]): [string, Quota] => [account, { ...forAll, ...quotaFromText(text) }]),
  )
  const isAny = isLimited(forAll) || [...byAccount.values()].some(isLimited)
  return isAny ? { forAll, byAccount } : undefined
}

/** What can't be read limits nothing, for no secret depends on it. */
export function defaultQuotaFrom(text: string | undefined): Quota {
  return { ...NO_QUOTA, ...(text === undefined ? {} : quotaFromText(text)) }
}

/** What of them can't be read, each in a line for the log. */
export function quotaDamages({ quotas, defaultQuota }: QuotaRows): string[] {
  const lines = quotas
    .filter(([, text]) => quotaFromText(text) === undefined)
    .map(
      ([account]) =>
        `the quota of the account ${JSON.stringify(account)} can't be read, and what holds for all holds for it; "sheaf account quota" sets it anew`,
    )
  const text = defaultQuota[0] && Buffer.from(defaultQuota[0][0]).toString()
  if (text !== undefined && quotaFromText(text) === undefined)
    lines.push(
      `the quota for all accounts can't be read, and limits nothing; "sheaf account quota" sets it anew`,
    )
  return lines
}
