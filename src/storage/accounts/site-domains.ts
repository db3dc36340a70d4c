import type { Kysely, Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { SiteDomain } from '../site-domain-store.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Of one app at a time. */
const MOST_DOMAINS = 20

interface DomainOf {
  /** By its id. */
  readonly app: string
  readonly domain: string
}

/*
 * Domains of sites. Each function is a part of its caller's transaction.
 */

export async function selectDomains(db: Kysely<Tables>, app: string): Promise<SiteDomain[]> {
  const rows = await db
    .selectFrom('site_domains')
    .selectAll()
    .where('app', '=', app)
    .orderBy('domain')
    .execute()
  return rows.map(domainRecord)
}

/** @throws AppError `domain_not_found` */
export async function requireDomain(db: Kysely<Tables>, { app, domain }: DomainOf): Promise<SiteDomain> {
  const found = (await selectDomains(db, app)).find((each) => each.domain === domain)
  if (found !== undefined) return found
  throw noDomain(domain)
}

export function noDomain(domain: string): AppError {
  return new AppError('domain_not_found', `the site has no domain ${domain}`)
}

export function takenDomain(domain: string): AppError {
  return new AppError(
    'domain_taken',
    `another app's site is at ${domain}, so that only the TXT record shows whose it is, not a file`,
  )
}

/** @throws AppError `too_many_domains` */
export async function insertDomain(
  db: Kysely<Tables>,
  domain: DomainOf & { readonly token: string },
  now: number,
): Promise<void> {
  if ((await selectDomains(db, domain.app)).length >= MOST_DOMAINS)
    throw new AppError(
      'too_many_domains',
      `a site may have at most ${MOST_DOMAINS} domains; remove one of them`,
    )
  await db
    .insertInto('site_domains')
    .values({ ...domain, created_at: now })
    .execute()
}

export async function updateVerified(db: Kysely<Tables>, of: DomainOf, now: number): Promise<void> {
  await db
    .updateTable('site_domains')
    .set({ verified_at: now })
    .where('app', '=', of.app)
    .where('domain', '=', of.domain)
    .execute()
}

export async function deleteDomain(db: Kysely<Tables>, { app, domain }: DomainOf): Promise<void> {
  await db.deleteFrom('site_domains').where('app', '=', app).where('domain', '=', domain).execute()
}

/** Another app that a domain was verified for; one that is deleted may be restored. */
export async function selectHolder(
  db: Kysely<Tables>,
  { app, domain }: DomainOf,
): Promise<{ readonly app: string; readonly slug: string; readonly isDeleted: boolean } | undefined> {
  const row = await db
    .selectFrom('site_domains')
    .innerJoin('apps', 'apps.id', 'site_domains.app')
    .select(['site_domains.app', 'slug', 'deleted_at'])
    .where('domain', '=', domain)
    .where('site_domains.app', '!=', app)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row && { app: row.app, slug: row.slug, isDeleted: row.deleted_at !== null }
}

/** Lets a domain wait to be verified anew. @param token what has to be found there then */
export async function takeVerified(
  db: Kysely<Tables>,
  { app, domain, token }: DomainOf & { readonly token: string },
): Promise<void> {
  await db
    .updateTable('site_domains')
    .set({ verified_at: null, token })
    .where('app', '=', app)
    .where('domain', '=', domain)
    .execute()
}

function domainRecord(row: Selectable<Tables['site_domains']>): SiteDomain {
  const { domain, token } = row
  const verifiedAt = row.verified_at === null ? null : (storedTime(row.verified_at) ?? 0)
  return { domain, token, createdAt: storedTime(row.created_at) ?? 0, verifiedAt }
}
