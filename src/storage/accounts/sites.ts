import type { Kysely, Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { DeployRecord, NewDeploy, SiteState } from '../site-store.ts'
import { DEFAULT_KEPT } from './site-keys.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/*
 * Sites and their versions. Each function is a part of its caller's transaction; apps are named by their ids.
 */

export async function selectSite(db: Kysely<Tables>, app: string): Promise<SiteState> {
  const row = await db.selectFrom('sites').select(['live', 'kept']).where('app', '=', app).executeTakeFirst()
  return {
    live: row?.live == null ? null : (storedTime(row.live) ?? null),
    kept: storedTime(row?.kept) ?? DEFAULT_KEPT,
  }
}

/** The newest first. */
export async function selectDeploys(db: Kysely<Tables>, app: string): Promise<DeployRecord[]> {
  const rows = await db
    .selectFrom('deploys')
    .selectAll()
    .where('app', '=', app)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(deployRecord)
}

/** @throws AppError `deploy_not_found` */
export async function requireDeploy(db: Kysely<Tables>, app: string, version: number): Promise<DeployRecord> {
  const row = await db
    .selectFrom('deploys')
    .selectAll()
    .where('app', '=', app)
    .where('version', '=', BigInt(version))
    .executeTakeFirst()
  if (row !== undefined) return deployRecord(row)
  throw new AppError('deploy_not_found', `the site has no version ${version}, or keeps it no more`)
}

/** Its number is one that the app never had. */
export async function insertDeploy(
  db: Kysely<Tables>,
  { app, isLive, ...deploy }: Omit<NewDeploy, 'app'> & { readonly app: string },
  now: number,
): Promise<DeployRecord> {
  await ensureSite(db, app)
  const counted = await db
    .updateTable('sites')
    .set(({ eb }) => ({ last_version: eb('last_version', '+', 1n) }))
    .where('app', '=', app)
    .returning('last_version')
    .executeTakeFirstOrThrow()
  const version = Number(counted.last_version)
  await db
    .insertInto('deploys')
    .values({ app, version, ...deploy, created_at: now })
    .execute()
  if (isLive) await updateLive(db, app, version)
  return { ...deploy, version, createdAt: now }
}

export async function updateLive(db: Kysely<Tables>, app: string, live: number | null): Promise<void> {
  await ensureSite(db, app)
  await db.updateTable('sites').set({ live }).where('app', '=', app).execute()
}

export async function updateKept(db: Kysely<Tables>, app: string, kept: number): Promise<void> {
  await ensureSite(db, app)
  await db.updateTable('sites').set({ kept }).where('app', '=', app).execute()
}

/** @throws AppError `deploy_not_found`, `deploy_live` */
export async function deleteDeploy(db: Kysely<Tables>, app: string, version: number): Promise<void> {
  await requireDeploy(db, app, version)
  if ((await selectSite(db, app)).live === version)
    throw new AppError('deploy_live', `version ${version} is live; make another one live first`)
  await deleteVersions(db, app, [version])
}

/**
 * Lets go of the oldest versions where there are too many; answers of how many. The live one stays.
 * @param made the version that was just made, which stays, too, even where the live one is all that is to be kept
 */
export async function trimDeploys(db: Kysely<Tables>, app: string, made?: number): Promise<number> {
  const { live, kept } = await selectSite(db, app)
  const versions = (await selectDeploys(db, app)).map(({ version }) => version)
  const staying = versions.filter((version) => version === live || version === made)
  const others = versions.filter((version) => !staying.includes(version))
  const tooMany = others.slice(Math.max(0, kept - staying.length))
  await deleteVersions(db, app, tooMany)
  return tooMany.length
}

async function deleteVersions(db: Kysely<Tables>, app: string, versions: readonly number[]): Promise<void> {
  if (versions.length === 0) return
  await db.deleteFrom('deploys').where('app', '=', app).where('version', 'in', versions.map(BigInt)).execute()
}

async function ensureSite(db: Kysely<Tables>, app: string): Promise<void> {
  await db
    .insertInto('sites')
    .values({ app, live: null, last_version: 0, kept: DEFAULT_KEPT, key_id: null, key: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function deployRecord(row: Selectable<Tables['deploys']>): DeployRecord {
  const { manifest, message, author } = row
  return {
    ...{ version: Number(row.version), manifest, message, author },
    ...{ files: Number(row.files), bytes: Number(row.bytes) },
    createdAt: storedTime(row.created_at) ?? 0,
  }
}
