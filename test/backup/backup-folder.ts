import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { DEFAULT_LIMITS } from '../../src/domain/limits.ts'
import { parseIndexFields } from '../../src/query/index-fields.ts'
import { receiveDeploy } from '../../src/sites/receive-deploy.ts'
import { SiteFiles } from '../../src/sites/site-files.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import { makeBackup } from '../../src/storage/sqlite/backup/make-backup.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { Connection } from '../../src/storage/sqlite/files/connection.ts'
import { appFile, openDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'
import { makeTemporaryFolder } from '../../src/storage/sqlite/files/temporary-folder.ts'
import { registerIndex, workOnIndexes } from '../../src/storage/sqlite/index/index-work.ts'
import type { AppRecord } from '../../src/storage/store.ts'
import { type Files, fileStream } from '../sites/deploy-bodies.ts'

export const LIMITS = DEFAULT_LIMITS
export const NOW = Date.UTC(2026, 10, 29, 12)

export function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-backup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A data folder with what the work makes in it. */
export async function dataFolder(
  t: TestContext,
  work: (accounts: AccountStore, dataDir: string) => Promise<void> = async () => {},
): Promise<string> {
  const dataDir = join(temporary(t), 'data')
  openDataFolder(dataDir)
  const accounts = await openAccounts({ dataDir })
  try {
    await work(accounts, dataDir)
  } finally {
    await accounts.close()
  }
  return dataDir
}

/** Deploys files to an app without a server. @returns the hash of the manifest */
export async function deployTo(
  { accounts, dataDir, app }: { accounts: AccountStore; dataDir: string; app: AppRecord },
  files: Files,
): Promise<string> {
  const { path: folder, remove } = makeTemporaryFolder(dataDir)
  const body = join(folder, 'body')
  writeFileSync(body, fileStream(files))
  const command = { app: app.id, body, kind: 'files', limits: LIMITS } as const
  const made = await receiveDeploy(new SiteFiles(dataDir), command, {
    folder,
    own: () => {},
    roomBytes: 1_000_000_000,
  })
  remove()
  const { manifest, files: count, bytes } = made
  const deploy = { app, manifest, files: count, bytes, message: '', author: 'ada', isLive: true }
  await accounts.insertDeploy(deploy, 'test')
  return manifest
}

/** What an app's site has on the disk, ordered by names. */
export function siteOf(dataDir: string, app: string): readonly (readonly [name: string, content: string])[] {
  const files = readdirSync(join(dataDir, 'sites', app, 'files'), { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')] as const)
    .toSorted()
}

export interface FilledCollection {
  readonly name: string
  /** The texts of documents, each with its `_id` as JSON, in natural order. */
  readonly documents: readonly (readonly [id: string | number, text: string])[]
  readonly indexes?: readonly { readonly fields: string; readonly isUnique: boolean }[]
}

/** Fills an app's file without a server. */
export function fillApp(dataDir: string, app: string, collections: readonly FilledCollection[]): void {
  const connection = new Connection(appFile(dataDir, app), 'writer')
  for (const { name, documents, indexes = [] } of collections) {
    const { id, table } = connection.catalog.collectionToWrite(name)
    for (const [index, [key, text]] of documents.entries())
      connection.run(`INSERT INTO ${table} (seq, id, doc) VALUES (?, ?, jsonb(?))`, index * 2 + 1, key, text)
    const last = documents.length * 2
    connection.run(
      'UPDATE collections SET documents = ?, last_place = ? WHERE id = ?',
      documents.length,
      last,
      id,
    )
    for (const { fields: text, isUnique } of indexes) {
      const fields = parseIndexFields(text, LIMITS)
      registerIndex(connection, {
        collection: name,
        name: text,
        fields,
        isUnique,
        isAutomatic: false,
        now: NOW,
      })
    }
  }
  while (workOnIndexes(connection, 1000));
  connection.close()
}

/** What a file has: collections with their documents in natural order, and the names of ready indexes. */
export function contentsOf(
  path: string,
): Record<string, { documents: unknown[]; indexes: unknown[]; lastRowId: unknown }> {
  const db = new DatabaseSync(path)
  try {
    const collections = db.prepare('SELECT * FROM collections ORDER BY name').all()
    return Object.fromEntries(
      collections.map(({ id, name, last_place: lastRowId }) => [
        name,
        {
          documents: db
            .prepare(`SELECT seq, json(doc) AS text FROM c${id} ORDER BY seq`)
            .all()
            .map(({ seq, text }) => [seq, text]),
          indexes: db
            .prepare(
              "SELECT id, name, is_unique FROM indexes WHERE collection = ? AND state = 'ready' ORDER BY name",
            )
            .all(id!)
            .map((index) => [
              index.name,
              index.is_unique,
              db.prepare(`SELECT count(*) AS n FROM i${index.id}`).get()!.n,
            ]),
          lastRowId,
        },
      ]),
    )
  } finally {
    db.close()
  }
}

/** A backup of a data folder, in a folder of its own. */
export async function backupOf(
  t: TestContext,
  dataDir: string,
  contents: { readonly app?: string; readonly hasSecrets?: boolean } = {},
): Promise<string> {
  const path = join(temporary(t), 'backup.zip')
  await makeBackup({ hasSecrets: true, ...contents, dataDir, path, version: '0.1.0', now: NOW })
  return path
}

/** The parts of a zip file by their names. */
export async function unzipped(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const parts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, Buffer.concat(await Array.fromAsync(await zip.openReadStreamPromise(entry))))
  zip.close()
  return parts
}

/** Makes a zip file of parts, in their order. */
export async function zipped(
  path: string,
  parts: Iterable<readonly [name: string, bytes: Buffer]>,
): Promise<void> {
  const zip = new ZipFile()
  for (const [name, bytes] of parts) zip.addBuffer(bytes, name)
  zip.end()
  const file = await open(path, 'w')
  await file.writeFile(zip.outputStream as unknown as AsyncIterable<Buffer>)
  await file.close()
}

export function bytesOf(path: string): Buffer {
  return readFileSync(path)
}

/** As a manifest has it. */
export function partOf(name: string, bytes: Buffer) {
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
