import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { DEFAULT_LIMITS } from '../../src/domain/limits.ts'
import { packDocuments } from '../../src/storage/packed.ts'
import { copyDatabase } from '../../src/storage/sqlite/backup/copy-database.ts'
import { rebuildApp } from '../../src/storage/sqlite/backup/rebuild-app.ts'
import { Connection } from '../../src/storage/sqlite/files/connection.ts'
import { appFile } from '../../src/storage/sqlite/files/data-folder.ts'
import { checkCatalog } from '../check-catalog.ts'
import { ANYTHING } from '../contract-harness.ts'
import { openSqlite } from '../open-sqlite.ts'

/** More than an import does in one go. */
const MANY = 2500

it('a backup has what was imported, and nothing of an import that is under way', async (t) => {
  const { store, app, dataDir, close } = await openSqlite(DEFAULT_LIMITS)
  t.after(close)
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-imported-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const at = { app, collection: 'c' }
  await store.saveDocuments({ ...at, permitted: ANYTHING, documents: [{ id: 'a', text: '{"_id":"a"}' }] })
  const stage = async (round: number) => {
    const staged = await store.beginImport({ ...at, onConflict: 'replace', skipsRefused: false })
    const documents = Array.from({ length: MANY }, (_, id) => ({
      id,
      text: `{"_id":${id},"round":${round}}`,
    }))
    await staged.add(packDocuments(documents))
    await staged.add(packDocuments([]))
    return staged
  }
  await (await stage(1)).finish()
  await stage(2)
  const [copy, rebuilt] = [join(folder, 'copy.sqlite'), join(folder, 'rebuilt.sqlite')]
  assert.equal(await copyDatabase(appFile(dataDir, app), copy), true)
  rebuildApp(copy, rebuilt, DEFAULT_LIMITS)
  const connection = new Connection(rebuilt, 'reader')
  t.after(() => connection.close())
  checkCatalog(connection)
  assert.deepEqual(connection.prepare('SELECT name, documents FROM collections').all(), [['c', MANY + 1]])
  const { table } = connection.catalog.collection('c')!
  const rounds = `SELECT count(*) FROM ${table} WHERE doc ->> '$.round' = 1`
  assert.deepEqual(connection.row(rounds), [MANY])
})
