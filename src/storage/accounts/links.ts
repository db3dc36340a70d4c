import type { Kysely, Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Link, LinkTarget } from '../account-records.ts'
import { requireAccount } from './accounts.ts'
import { hasEnded } from './expressions.ts'
import { selectSetting, upsertSetting } from './settings.ts'
import { SETUP_LINK_SETTING, setupLinkFrom, setupLinkText } from './setup-link.ts'
import type { Tables } from './tables.ts'

/** Links that have not ended, of one server. */
const MOST_LINKS = 10_000

/*
 * Links, which are good once. Each function is a part of its caller's transaction.
 */

/** @throws AppError `account_not_found`, `too_many_links` */
export async function insertLink(db: Kysely<Tables>, link: Link, now: number): Promise<void> {
  if (link.purpose === 'setup') return upsertSetting(db, SETUP_LINK_SETTING, setupLinkText(link))
  await db.deleteFrom('links').where(hasEnded(now)).execute()
  const { count } = await db
    .selectFrom('links')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_LINKS)
    throw new AppError(
      'too_many_links',
      `there are ${MOST_LINKS} links that nobody has used; wait until some end`,
    )
  const { hash, purpose, until } = link
  if (link.purpose === 'reset') {
    await requireAccount(db, link.account)
    // The newest alone is good, but who asks for one by mail may be anybody: that ends none that an operator handed out.
    const earlier = db.deleteFrom('links').where('account', '=', link.account)
    await (link.mailedTo === undefined ? earlier : earlier.where('email', 'is not', null)).execute()
  }
  await db
    .insertInto('links')
    .values({
      ...{ hash, purpose, until },
      account: link.purpose === 'reset' ? link.account : null,
      email: link.purpose === 'invite' ? link.email : (link.mailedTo ?? null),
      is_operator: link.purpose === 'invite' && link.isOperator ? 1 : 0,
    })
    .execute()
}

/** Undefined where it has ended, too. */
export async function selectLink(db: Kysely<Tables>, hash: string, now: number): Promise<Link | undefined> {
  const setup = setupLinkFrom(await selectSetting(db, SETUP_LINK_SETTING))
  if (setup?.hash === hash) return setup.until > now ? { ...setup, purpose: 'setup' } : undefined
  const row = await db
    .selectFrom('links')
    .selectAll()
    .where('hash', '=', hash)
    .where(({ not }) => not(hasEnded(now)))
    .executeTakeFirst()
  const target = row && targetOf(row)
  return target && { hash, until: Number(row.until), ...target }
}

/** Uses a link up. @throws AppError `invalid_link` */
export async function takeLink(db: Kysely<Tables>, hash: string, now: number): Promise<LinkTarget> {
  const link = await selectLink(db, hash, now)
  if (link === undefined) throw invalidLink()
  if (link.purpose === 'setup')
    await db.deleteFrom('settings').where('name', '=', SETUP_LINK_SETTING).execute()
  else await db.deleteFrom('links').where('hash', '=', hash).execute()
  return link
}

/** The same words whatever is wrong with it. */
export function invalidLink(): AppError {
  return new AppError('invalid_link', 'this link was used, has ended, or never was; ask for another one')
}

/** Undefined where it can't be read. */
function targetOf({
  purpose,
  account,
  email,
  is_operator,
}: Selectable<Tables['links']>): LinkTarget | undefined {
  if (purpose === 'reset' && account !== null)
    return { purpose, account, ...(email !== null && { mailedTo: email }) }
  if (purpose === 'invite') return { purpose, email, isOperator: is_operator === 1n }
  return undefined
}
