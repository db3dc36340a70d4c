import { createReadStream, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemProblem } from '../../../domain/system-problem.ts'
import { AppError } from '../../../errors.ts'
import { isAppId } from '../../accounts/directory-rows.ts'
import type { BackupContents, MadeBackup } from '../../backup-store.ts'
import type { AppRecord, KeyRecord } from '../../store.ts'
import { removeDatabase } from '../control/app-files.ts'
import { type ControlFile, reopenControlFile } from '../control/control-file.ts'
import { appFile, controlFile, syncFolder } from '../files/data-folder.ts'
import { databaseBytes, spareBytes } from '../files/measure-storage.ts'
import { createAppFile } from '../files/schema.ts'
import { sqliteCode } from '../files/sqlite-code.ts'
import { holdSiteFiles, makeTemporaryFolder } from '../files/temporary-folder.ts'
import { appDescription } from './app-description.ts'
import { openBackup } from './backup-file.ts'
import { unfinishedName } from './backup-folder.ts'
import { backupFolderProblem } from './backup-folder-problem.ts'
import { copyDatabase } from './copy-database.ts'
import { openForeign, problemOf } from './foreign-database.ts'
import { CONTROL, type Manifest, manifestText, partsOfApp, siteOfApp, TLS_FILES } from './manifest.ts'
import { readSiteFiles } from './site-part.ts'
import { stripSecrets } from './strip-secrets.ts'
import { isWholeSite, type StoredSiteFiles } from './whole-site.ts'
import { type PartSource, writeZip } from './write-zip.ts'

export interface MakeBackupCommand extends BackupContents {
  readonly dataDir: string
  /** Where the file is to be; one that is there is replaced by a good one alone. */
  readonly path: string
  /** Of Sheaf. */
  readonly version: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
const DAMAGED: ReadonlySet<number> = new Set([SQLITE_CORRUPT, SQLITE_NOTADB])

/**
 * Makes a backup beside whoever is using the data folder: each database as it is at one moment after the beginning, looked
 * through for damage, and the whole file read back before it has its name. Of sites, what is damaged is left out and told.
 * @throws AppError `app_not_found`, `store_unavailable` where something is damaged, and what the system refuses
 */
export async function makeBackup(command: MakeBackupCommand): Promise<MadeBackup> {
  const { dataDir, path, now } = command
  const job = makeTemporaryFolder(dataDir)
  try {
    // Before the control file is copied: what a version in that copy names stays until all files are copied, too.
    holdSiteFiles(job)
    await copyWhole(controlFile(dataDir), { path, to: controlFile(job.path), what: 'control.sqlite' })
    const { sources, manifest, damagedSites } = partsOf(command, job.path)
    const bytes = await writeWhole(path, (unfinished) =>
      writeZip(unfinished, sources, (parts) => manifestText({ ...manifest, parts })),
    )
    return { path, bytes, apps: manifest.apps.length, madeAt: now, damagedSites }
  } catch (error) {
    throw refusedBySystem(path, error) ?? error
  } finally {
    job.remove()
  }
}

/** A full disk, a failing one, and a file that can't be there. */
function refusedBySystem(path: string, error: unknown): AppError | undefined {
  if (!(error instanceof Error) || error instanceof AppError) return undefined
  const isOfAFile = 'syscall' in error || sqliteCode(error) !== undefined
  const problem =
    systemProblem(error) ?? (isOfAFile ? (backupFolderProblem(dirname(path)) ?? error.message) : undefined)
  if (problem === undefined) return undefined
  const cause = new Error(problem, { cause: error })
  return new AppError('store_unavailable', `${basename(path)} can't be made: ${problem}`, { cause })
}

/**
 * Writes a backup beside its place, and puts it there when it was read back. What is not, is removed, also where the process or
 * thread is ended by `process.exit`.
 */
async function writeWhole<Written>(
  path: string,
  write: (unfinished: string) => Promise<Written>,
): Promise<Written> {
  const unfinished = join(dirname(path), unfinishedName(basename(path)))
  const remove = (): void => rmSync(unfinished, { force: true })
  process.once('exit', remove)
  try {
    const written = await write(unfinished)
    const backup = await openBackup(unfinished, { apps: Number.POSITIVE_INFINITY })
    await backup.verify().finally(() => backup.close())
    renameSync(unfinished, path)
    syncFolder(dirname(path))
    return written
  } catch (error) {
    remove()
    throw error
  } finally {
    process.off('exit', remove)
  }
}

interface BackupParts {
  readonly sources: readonly PartSource[]
  readonly manifest: Omit<Manifest, 'parts'>
  /** Slugs, which are added while the parts are written. */
  readonly damagedSites: string[]
}

function partsOf(command: MakeBackupCommand, folder: string): BackupParts {
  const { dataDir, path, app, hasSecrets, version, now } = command
  const control = reopenControlFile(folder)
  try {
    const { apps, keys } = directoryOf(control, { dataDir, app })
    const ofApps = apps.flatMap((each) => appParts(each, { dataDir, path, folder, keys, control }))
    const head = { sheaf: version, madeAt: new Date(now).toISOString() }
    const listed = apps.map(({ id, slug }) => ({ id, slug, ...partsOfApp(id) }))
    if (app !== undefined)
      return {
        ...{ sources: ofApps, manifest: { ...head, contents: 'app', hasSecrets: false, apps: listed } },
        damagedSites: [],
      }
    const damagedSites: string[] = []
    const ofSites = [...control.manifests()].flatMap(([id, manifests]) => {
      const of = apps.find((each) => each.id === id)
      return of === undefined ? [] : [sitePart(of, { dataDir, manifests, damagedSites })]
    })
    const sources = [...serverParts({ dataDir, folder, hasSecrets }), ...ofApps, ...ofSites]
    return { sources, manifest: { ...head, contents: 'server', hasSecrets, apps: listed }, damagedSites }
  } finally {
    control.close()
  }
}

/** Apps whose documents are there, deleted ones among them, and all keys. */
function directoryOf(
  control: ControlFile,
  { dataDir, app }: Pick<MakeBackupCommand, 'dataDir' | 'app'>,
): { apps: readonly AppRecord[]; keys: readonly KeyRecord[] } {
  const all = control.listEveryApp().filter(({ id }) => isAppId(id) && existsSync(appFile(dataDir, id)))
  const apps = app === undefined ? all : all.filter(({ id }) => id === app)
  if (app !== undefined && apps.length === 0) throw new AppError('app_not_found', 'there is no such app')
  return { apps, keys: [...control.readDirectory().keysById.values()] }
}

function serverParts({
  dataDir,
  folder,
  hasSecrets,
}: Pick<MakeBackupCommand, 'dataDir' | 'hasSecrets'> & { readonly folder: string }): PartSource[] {
  const control: PartSource = {
    name: CONTROL,
    open: async () => {
      if (!hasSecrets) stripSecrets(controlFile(folder))
      return createReadStream(controlFile(folder))
    },
  }
  // A certificate is of no use without its key, and the account at an authority is one.
  const files = hasSecrets ? TLS_FILES.filter((name) => existsSync(join(dataDir, name))) : []
  return [
    control,
    ...files.map((name) => ({ name, open: async () => oneChunk(readFileSync(join(dataDir, name))) })),
  ]
}

interface AppPartsContext {
  readonly dataDir: string
  /** Where the backup is to be. */
  readonly path: string
  readonly folder: string
  readonly keys: readonly KeyRecord[]
  readonly control: ControlFile
}

function appParts(app: AppRecord, { dataDir, path, folder, keys, control }: AppPartsContext): PartSource[] {
  const { documents, description } = partsOfApp(app.id)
  const text = appDescription(app, { keys, settings: control })
  return [
    { name: documents, open: () => copiedDocuments(app, { dataDir, path, folder }) },
    { name: description, open: async () => oneChunk(Buffer.from(text)) },
  ]
}

interface SitePartContext {
  readonly dataDir: string
  readonly manifests: readonly string[]
  readonly damagedSites: string[]
}

function sitePart(
  { id, slug }: AppRecord,
  { dataDir, manifests, damagedSites }: SitePartContext,
): PartSource {
  const site = { dataDir, app: id, manifests }
  const read = async function* (): AsyncGenerator<Uint8Array> {
    const stored: StoredSiteFiles = new Map()
    yield* readSiteFiles(site, stored)
    // One that was removed for good a moment ago has no site any more.
    const isWhole = (await isWholeSite(site, stored)) || !existsSync(appFile(dataDir, id))
    if (!isWhole) damagedSites.push(slug)
  }
  return { name: siteOfApp(id), open: async () => read() }
}

/** A copy for as long as it is read, so that no more than one is there at a time. */
async function copiedDocuments(
  { id, slug }: AppRecord,
  { dataDir, path, folder }: Pick<AppPartsContext, 'dataDir' | 'path' | 'folder'>,
): Promise<AsyncIterable<Uint8Array>> {
  const copy = join(folder, `${id}.sqlite`)
  // One that was removed for good a moment ago has no documents any more.
  const what = `the app ${JSON.stringify(slug)}`
  if (!(await copyWhole(appFile(dataDir, id), { path, to: copy, what }))) createAppFile(copy)
  return readOnce(copy)
}

async function* readOnce(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path)
  removeDatabase(path)
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

interface WantedCopy {
  readonly to: string
  readonly what: string
  /** Of the backup. */
  readonly path: string
}

/**
 * @returns whether it was there
 * @throws AppError `store_unavailable` where there is no room for it, and where it is damaged: a backup of that would push
 * out one that is good
 */
async function copyWhole(from: string, { to, what, path }: WantedCopy): Promise<boolean> {
  await requireRoomForCopy(from, { to, what, path })
  try {
    const isThere = await copyDatabase(from, to)
    if (isThere) requireWhole(to)
    return isThere
  } catch (error) {
    if (!DAMAGED.has(sqliteCode(error) ?? 0)) throw error
    const message = `${what} is damaged, so that no good backup can be made; restore it from an earlier one`
    throw new AppError('store_unavailable', message, { cause: error })
  }
}

/** Both the copy and what the backup has of it, where that is on the same disk. */
async function requireRoomForCopy(from: string, { to, what, path }: WantedCopy): Promise<void> {
  const { bytes, walBytes } = await databaseBytes(from)
  const isSameDisk = statSync(dirname(to)).dev === statSync(dirname(path)).dev
  const needed = (bytes + walBytes) * (isSameDisk ? 2 : 1)
  const free = await spareBytes(dirname(to))
  if (needed <= free) return
  throw new AppError(
    'store_unavailable',
    `the disk has no room for a backup of ${what}: ${needed} bytes are needed, and ${free} are free beside a reserve for other writes`,
  )
}

function requireWhole(path: string): void {
  const db = openForeign(path)
  try {
    const problem = problemOf(db)
    if (problem !== undefined) throw Object.assign(new Error(problem), { errcode: SQLITE_CORRUPT })
  } finally {
    db.close()
  }
}
