import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Limits } from '../../../domain/limits.ts'
import { AppError } from '../../../errors.ts'
import { SiteFiles } from '../../../sites/site-files.ts'
import { markToCollect } from '../../../sites/to-collect.ts'
import { isAppId } from '../../accounts/directory-rows.ts'
import { NEWEST_VERSION } from '../../accounts/newest-version.ts'
import { openControlDatabase } from '../control/control-database.ts'
import { reopenControlFile } from '../control/control-file.ts'
import { APPLICATION_ID } from '../control/control-schema.ts'
import {
  appFile,
  controlFile,
  lockDataFolder,
  makeDataFolder,
  syncFolder,
  UNFINISHED_RESTORE,
  unusable,
} from '../files/data-folder.ts'
import { makeTemporaryFolder, sweepTemporaryFolders } from '../files/temporary-folder.ts'
import { type BackupFile, openBackup, requireRoom } from './backup-file.ts'
import { openForeign, problemOf, stampOf } from './foreign-database.ts'
import { CONTROL, damaged, newer, siteOfApp, TLS_FILES } from './manifest.ts'
import { rebuildApp } from './rebuild-app.ts'
import { writeSiteFiles } from './site-part.ts'
import { isWholeSite, type StoredSiteFiles } from './whole-site.ts'

export interface RestoreFolderCommand {
  /** A file, or what comes on standard input. */
  readonly source: string | AsyncIterable<Uint8Array>
  /** Empty, not there, or with what a restore has left that did not end. */
  readonly dataDir: string
  readonly limits: Limits
}

export interface RestoredFolder {
  readonly apps: number
  readonly documents: number
  readonly madeAt: string
  readonly hasSecrets: boolean
  readonly hasCertificate: boolean
  /** Slugs of apps of whose sites something is missing. */
  readonly damagedSites: readonly string[]
}

const SITES = 'sites'
/** Folders of a data folder that a restore works in. */
const FOLDERS = ['apps', 'tls', 'tmp']
/** What an empty data folder may have: what a refused start leaves among it, and what a file system has. */
const OF_AN_EMPTY_FOLDER: ReadonlySet<string> = new Set([
  UNFINISHED_RESTORE,
  'apps',
  'tls',
  'tmp',
  'run',
  'server.lock',
  'lost+found',
])
/** What an earlier server, with other limits, has taken is taken again: as far as limits can be moved. */
const WIDEST = { nestingLevels: 500, documentBytes: 256 * 1024 * 1024 }
const TLS_BYTES = 1024 * 1024

/**
 * Makes a data folder of a backup of everything. From the first step to the last a file in it says so, with which neither a
 * server nor a command takes it; it stays where the restore fails or is killed, and the next one begins anew.
 * @throws AppError `invalid_backup`, `data_folder_unusable` where it isn't empty, `data_folder_in_use`, `store_unavailable`
 */
export async function restoreFolder({
  source,
  dataDir,
  limits,
}: RestoreFolderCommand): Promise<RestoredFolder> {
  requireEmpty(dataDir)
  const made = FOLDERS.filter((name) => !existsSync(join(dataDir, name)))
  makeDataFolder(dataDir)
  const lock = lockDataFolder(dataDir)
  try {
    // Once more, for from here on nobody else makes a store there.
    requireEmpty(dataDir)
    writeFileSync(join(dataDir, UNFINISHED_RESTORE), '', { mode: 0o600, flush: true })
    syncFolder(dataDir)
    removeLeft(dataDir)
    const restored = await restoreInto(dataDir, { source, limits: { ...limits, ...WIDEST } })
    rmSync(join(dataDir, UNFINISHED_RESTORE))
    syncFolder(dataDir)
    return restored
  } catch (error) {
    if (existsSync(join(dataDir, UNFINISHED_RESTORE))) {
      removeLeft(dataDir)
      for (const name of made) rmSync(join(dataDir, name), { recursive: true, force: true })
    }
    throw error
  } finally {
    lock.release()
  }
}

async function restoreInto(
  dataDir: string,
  { source, limits }: Omit<RestoreFolderCommand, 'dataDir'>,
): Promise<RestoredFolder> {
  sweepTemporaryFolders(dataDir)
  const job = makeTemporaryFolder(dataDir)
  try {
    return await restoreBy(job.path, { source, dataDir, limits })
  } finally {
    job.remove()
  }
}

async function restoreBy(
  folder: string,
  { source, dataDir, limits }: RestoreFolderCommand,
): Promise<RestoredFolder> {
  const path = typeof source === 'string' ? source : join(folder, 'backup.zip')
  if (typeof source !== 'string') await writeFile(path, source, { mode: 0o600 })
  const backup = await openBackup(path, { apps: Number.POSITIVE_INFINITY })
  try {
    const { manifest } = backup
    if (manifest.contents !== 'server')
      throw new AppError(
        'invalid_backup',
        'this is a backup of one app, which goes into a store that there is already: --app NEWSLUG',
      )
    await requireRoom(backup, folder)
    for (const name of ['apps', 'tls', 'tls/acme']) mkdirSync(join(folder, name), { mode: 0o700 })
    await unpackControl(backup, folder)
    const documents = await unpackApps(backup, { folder, limits })
    const damagedSites = await unpackSites(backup, folder)
    const certificate = await unpackCertificate(backup, folder)
    place(folder, dataDir, [...manifest.apps.map(({ documents: name }) => name), ...certificate])
    const { apps, madeAt, hasSecrets } = manifest
    const hasCertificate = certificate.length > 0
    return { apps: apps.length, documents, madeAt, hasSecrets, hasCertificate, damagedSites }
  } finally {
    backup.close()
  }
}

/** @throws AppError `invalid_backup` */
async function unpackControl(backup: BackupFile, folder: string): Promise<void> {
  const path = controlFile(folder)
  await backup.extract(CONTROL, path)
  const db = openForeign(path)
  try {
    const { applicationId, version } = stampOf(db)
    if (applicationId !== APPLICATION_ID || version < 1) throw damaged(CONTROL)
    if (version > NEWEST_VERSION) throw newer(backup.manifest.sheaf)
    const problem = problemOf(db)
    if (problem !== undefined) throw damaged(CONTROL, new Error(problem))
    // Sheaf makes tables and indexes alone: nothing that would run by itself when rows are read or written.
    const strange = "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type <> 'table'"
    const programs = "SELECT 1 FROM sqlite_schema WHERE type NOT IN ('table', 'index')"
    if (db.prepare(strange).get() ?? db.prepare(programs).get()) throw damaged(CONTROL)
  } finally {
    db.close()
  }
  // Brings one of an earlier version to this one.
  ;(await openControlDatabase(folder)).close()
}

/** @returns how many documents there are in all apps */
async function unpackApps(
  { manifest, ...backup }: BackupFile,
  { folder, limits }: { readonly folder: string; readonly limits: Limits },
): Promise<number> {
  let documents = 0
  const copy = join(folder, 'copy.sqlite')
  for (const app of manifest.apps) {
    await backup.extract(app.documents, copy)
    documents += rebuildApp(copy, appFile(folder, app.id), limits).documents
    rmSync(copy)
  }
  return documents
}

/**
 * Of what was deployed or let go of while the backup was made, files may be there that no version names.
 * @returns slugs of apps whose versions have not all of their files: what is damaged is left out
 */
async function unpackSites({ manifest, ...backup }: BackupFile, folder: string): Promise<string[]> {
  const copy = join(folder, 'copy.site')
  const control = reopenControlFile(folder)
  const manifests = control.manifests()
  control.close()
  const damaged: string[] = []
  for (const { id, slug } of manifest.apps) {
    const site = { dataDir: folder, app: id, manifests: manifests.get(id) ?? [] }
    let stored: StoredSiteFiles = new Map()
    if (manifest.parts.some(({ name }) => name === siteOfApp(id))) {
      await backup.extract(siteOfApp(id), copy)
      mkdirSync(new SiteFiles(folder).folderOf(id), { recursive: true, mode: 0o700 })
      stored = await writeSiteFiles(copy, site)
      markToCollect(new SiteFiles(folder).folderOf(id))
      rmSync(copy)
    }
    if (!(await isWholeSite(site, stored))) damaged.push(slug)
  }
  return damaged
}

/** @returns the names of the files that there are */
async function unpackCertificate({ manifest, ...backup }: BackupFile, folder: string): Promise<string[]> {
  const names = TLS_FILES.filter((name) => manifest.parts.some((part) => part.name === name))
  for (const name of names)
    await writeFile(join(folder, name), await backup.text(name, TLS_BYTES), { mode: 0o600, flush: true })
  return names
}

/** Puts all that was unpacked where it belongs. */
function place(folder: string, dataDir: string, names: readonly string[]): void {
  if (names.some((name) => name.startsWith('tls/acme/')))
    mkdirSync(join(dataDir, 'tls', 'acme'), { mode: 0o700, recursive: true })
  for (const name of names) renameSync(join(folder, name), join(dataDir, name))
  for (const name of new Set(names.map(dirname))) syncFolder(join(dataDir, name))
  if (existsSync(join(folder, SITES))) renameSync(join(folder, SITES), join(dataDir, SITES))
  renameSync(controlFile(folder), controlFile(dataDir))
  syncFolder(dataDir)
}

/** @throws AppError `data_folder_unusable` */
function requireEmpty(dataDir: string): void {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return
  const isLeft = existsSync(join(dataDir, UNFINISHED_RESTORE)) ? isOfARestore : () => false
  const first = entriesOf(dataDir).find((name) => !isLeft(name))
  if (first !== undefined)
    throw unusable(dataDir, `a restore takes an empty folder, and there is ${JSON.stringify(first)} in it`)
}

/** Removes what a restore that did not end has put in its place: of a folder that nobody else has worked in. */
function removeLeft(dataDir: string): void {
  for (const name of entriesOf(dataDir).filter(isOfARestore)) rmSync(join(dataDir, name), { recursive: true })
}

function isOfARestore(name: string): boolean {
  const [, id] = /^apps\/(.+)\.sqlite$/.exec(name) ?? []
  return name === CONTROL || name === SITES || TLS_FILES.includes(name) || (id !== undefined && isAppId(id))
}

/** What there is beside what an empty folder may have, by paths from the folder. */
function entriesOf(dataDir: string): string[] {
  const found = readdirSync(dataDir).filter((name) => !OF_AN_EMPTY_FOLDER.has(name))
  const inside = ['apps', 'tls'].flatMap((name) => filesIn(join(dataDir, name)))
  return [...found, ...inside.map((path) => relative(dataDir, path))]
}

function filesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => !entry.isDirectory()).map(({ name, parentPath }) => join(parentPath, name))
}
