import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import { countRowsOf, selectQuota } from './quotas.ts'
import type { Tables } from './tables.ts'

/** One account may have a tenth of the apps and keys that the server may, so that none takes the room of all others. */
const ACCOUNT_SHARE = 10
/**
 * Characters of rules and settings, as they are kept. Threads that serve HTTP read all of them anew with each change of any of them, for
 * some 15 ms a MiB.
 */
const ACCOUNT_RULES = 256 * 1024
const ALL_ACCOUNTS_RULES = 4 * 1024 * 1024
const OPERATOR_RULES = 8 * 1024 * 1024

/*
 * What whoever isn't the operator may have. Each function is a part of its caller's transaction.
 */

/** @param most of the whole server @throws AppError `too_many_apps`, `quota_exceeded` */
export function refuseManyApps(db: Kysely<Tables>, owner: string | null, most: number): Promise<void> {
  return refuseMany(db, {
    table: 'apps',
    owner,
    most,
    code: 'too_many_apps',
    mend: ', with those that can be restored; remove',
  })
}

/** @param most of the whole server @throws AppError `too_many_keys`, `quota_exceeded` */
export function refuseManyKeys(db: Kysely<Tables>, owner: string | null, most: number): Promise<void> {
  return refuseMany(db, { table: 'keys', owner, most, code: 'too_many_keys', mend: '; revoke' })
}

/**
 * Refuses what comes at once before any work is done for it: each that comes counts, also where it would be left out.
 * @param most of the whole server
 * @throws AppError `too_many_keys`
 */
export function refuseManyComingKeys(coming: number, owner: string | null, most: number): void {
  const share = shareOf(owner, most)
  if (coming > share)
    throw new AppError('too_many_keys', `${coming} keys come with this app, and ${share} may be there`)
}

function shareOf(owner: string | null, most: number): number {
  return owner === null ? most : Math.ceil(most / ACCOUNT_SHARE)
}

async function refuseMany(
  db: Kysely<Tables>,
  what: {
    readonly table: 'apps' | 'keys'
    readonly owner: string | null
    readonly most: number
    readonly code: 'too_many_apps' | 'too_many_keys'
    readonly mend: string
  },
): Promise<void> {
  const { table, owner, code, mend } = what
  if (owner === null) return
  const most = shareOf(owner, what.most)
  const count = await countRowsOf(db, table, owner)
  if (count >= most)
    throw new AppError(code, `an account may have at most ${most} ${table}${mend} one that is not used`)
  const quota = (await selectQuota(db, owner)).limits[table]
  if (quota !== null && count >= quota)
    throw new AppError(
      'quota_exceeded',
      `the quota of this account is ${quota} ${quota === 1 ? table.slice(0, -1) : table}${mend} one that is not used, or ask the operator of this server for more`,
    )
}

/** Called when they were written, so that nothing is kept where there are too many. @throws AppError `invalid_rule` */
export async function refuseLongRules(db: Kysely<Tables>, owner: string | null): Promise<void> {
  const isTooLong =
    owner === null
      ? (await charactersOfRules(db, 'operator')) > OPERATOR_RULES
      : (await charactersOfRules(db, { owner })) > ACCOUNT_RULES ||
        (await charactersOfRules(db, 'accounts')) > ALL_ACCOUNTS_RULES
  if (isTooLong)
    throw new AppError(
      'invalid_rule',
      'the rules of all keys and the settings of all apps together would be too long; shorten their lists, or revoke ' +
        'keys that are not used',
    )
}

async function charactersOfRules(
  db: Kysely<Tables>,
  of: 'operator' | 'accounts' | { readonly owner: string },
): Promise<number> {
  const texts = db
    .selectFrom('keys')
    .select(['owner', 'rules as text'])
    .unionAll(db.selectFrom('apps').select(['owner', 'settings as text']))
  const sum = db
    .selectFrom(texts.as('texts'))
    .select(({ fn }) => fn.sum(fn<number>('length', ['text'])).as('characters'))
  const chosen =
    typeof of === 'object'
      ? sum.where('owner', '=', of.owner)
      : sum.where('owner', of === 'operator' ? 'is' : 'is not', null)
  return Number((await chosen.executeTakeFirstOrThrow()).characters ?? 0)
}
