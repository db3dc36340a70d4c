import { Command } from 'commander'
import { type OwnQuota, QUOTA_LIMITS, type Quota } from '../../domain/quota.ts'
import { AppError } from '../../errors.ts'
import { describeAccountQuota } from '../../operations/describe-account-quota.ts'
import { getDefaultQuota } from '../../operations/get-default-quota.ts'
import { setAccountQuota } from '../../operations/set-account-quota.ts'
import { setDefaultQuota } from '../../operations/set-default-quota.ts'
import { type CommandResult, dataOption, jsonOption, type OutputOptions, report, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withAccounts } from '../with-control.ts'

const UNIT_BYTES = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 }

type QuotaOptions = OutputOptions & Partial<Record<keyof Quota, string>>

/** `sheaf account quota` */
export function accountQuotaCommand({ env, print }: Terminal): Command {
  return new Command('quota')
    .description('show or set what accounts may have: one of them, or all without an e-mail')
    .argument('[email]')
    .option('--apps <count>', 'apps: a whole number, none for no limit, or default for what all may have')
    .option('--keys <count>', 'API keys, as above')
    .option('--bytes <size>', 'documents, indexes and files of sites, as above: 500MiB, 2GiB')
    .option('--requests-per-day <count>', 'requests to its apps and sites in a day by UTC, as above')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (email: string | undefined, options: QuotaOptions) => {
      const change = changeFrom(options)
      const result = await withAccounts({ env, options }, async (context, caller) => {
        if (email === undefined) {
          const before = await getDefaultQuota(context, caller)
          const isShown = Object.keys(change).length === 0
          return ofAll(
            isShown ? before : await setDefaultQuota(context, caller, { quota: changed(before, change) }),
          )
        }
        const before = await describeAccountQuota(context, caller, { account: email })
        if (Object.keys(change).length === 0) return ofOne(before)
        const own = changed(before.own ?? {}, change)
        const quota = Object.keys(own).length === 0 ? null : own
        return ofOne(await setAccountQuota(context, caller, { account: email, quota }))
      })
      report(print, options, result)
    })
}

type Change = Partial<Record<keyof Quota, number | null | 'default'>>

/** @throws AppError `invalid_parameter` */
function changeFrom(options: QuotaOptions): Change {
  const given = QUOTA_LIMITS.filter((limit) => options[limit] !== undefined)
  return Object.fromEntries(given.map((limit) => [limit, valueFrom(limit, options[limit]!)]))
}

function valueFrom(limit: keyof Quota, text: string): number | null | 'default' {
  if (text === 'none') return null
  if (text === 'default') return 'default'
  const [, digits, unit] = /^(\d{1,15})(KiB|MiB|GiB|TiB)?$/.exec(text) ?? []
  const value = Number(digits) * (unit === undefined ? 1 : UNIT_BYTES[unit as keyof typeof UNIT_BYTES])
  if (Number.isSafeInteger(value) && (unit === undefined || limit === 'bytes')) return value
  const units = limit === 'bytes' ? ', in bytes or as 500MiB or 2GiB' : ''
  throw new AppError(
    'invalid_parameter',
    `${limit} takes a whole number from 0${units}, none, or default, not ${JSON.stringify(text)}`,
  )
}

function changed(before: OwnQuota, change: Change): OwnQuota {
  const all = Object.entries({ ...before, ...change }).filter(([, value]) => value !== 'default')
  return Object.fromEntries(all)
}

function ofAll(quota: Quota): CommandResult {
  const rows = QUOTA_LIMITS.map((limit) => [limit, shown(quota[limit])])
  return { text: table(['LIMIT', 'AN ACCOUNT MAY HAVE'], rows), json: quota }
}

/** What nobody but a running server knows is not told. */
function ofOne(described: Awaited<ReturnType<typeof describeAccountQuota>>): CommandResult {
  const { own, limits, used } = described
  const rows = QUOTA_LIMITS.map((limit) => [
    limit,
    shown(limits[limit]),
    own !== null && Object.hasOwn(own, limit) ? 'account' : 'default',
    used[limit] === null ? '' : String(used[limit]),
  ])
  const { apps, keys } = used
  return {
    text: table(['LIMIT', 'IT MAY HAVE', 'SET FOR', 'IT HAS'], rows),
    json: { own, limits, used: { apps, keys } },
  }
}

function shown(limit: number | null): string {
  return limit === null ? 'no limit' : String(limit)
}
