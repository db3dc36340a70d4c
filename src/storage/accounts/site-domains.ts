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

/** One that a deleted app had is free: where that is restored, it waits to be verified anew. */
export async function updateVerified(db: Kysely<Tables>, of: DomainOf, now: number): Promise<void> {
  await db
    .updateTable('site_domains')
    .set({ verified_at: null })
    .where('domain', '=', of.domain)
    .where('app', '!=', of.app)
    .execute()
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

/** @throws AppError `domain_taken` where it was verified for another app that is there */
export async function refuseTakenDomain(db: Kysely<Tables>, { app, domain }: DomainOf): Promise<void> {
  const taken = await db
    .selectFrom('site_domains')
    .innerJoin('apps', 'apps.id', 'site_domains.app')
    .select('site_domains.app')
    .where('domain', '=', domain)
    .where('site_domains.app', '!=', app)
    .where('verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (taken === undefined) return
  throw new AppError('domain_taken', `another app's site is at ${domain}; have it removed there first`)
}

function domainRecord(row: Selectable<Tables['site_domains']>): SiteDomain {
  const { domain, token } = row
  const verifiedAt = row.verified_at === null ? null : (storedTime(row.verified_at) ?? 0)
  return { domain, token, createdAt: storedTime(row.created_at) ?? 0, verifiedAt }
}
