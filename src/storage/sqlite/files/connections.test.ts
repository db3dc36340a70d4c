import assert from 'node:assert/strict'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openAccounts } from '../control/open-accounts.ts'
import { Connections } from './connections.ts'
import { appFile, appsFolder, controlFile, openDataFolder } from './data-folder.ts'

/** A data folder with one app. */
async function withApp(t: TestContext): Promise<{ dataDir: string; app: string; connections: Connections }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-connections-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  openDataFolder(dataDir)
  const control = await openAccounts({ dataDir })
  const { id } = await control.createApp({ slug: 'demo', owner: null }, 'cli:test')
  await control.close()
  return { dataDir, app: id, connections: new Connections({ dataDir, mode: 'writer', limit: 1 }) }
}

test('an app whose file is gone or empty is there, and can not be used', async (t) => {
  const { dataDir, app, connections } = await withApp(t)
  const path = appFile(dataDir, app)
  const refused = (message: RegExp) => (error: Error & { code: string; cause: Error }) => {
    assert.equal(error.code, 'store_unavailable')
    assert.match(error.message, message)
    assert.ok(error.cause.message.startsWith(path), error.cause.message)
    return true
  }
  rmSync(path)
  assert.throws(() => connections.to(app), refused(/can not be opened/))
  writeFileSync(path, '')
  assert.throws(() => connections.to(app), refused(/damaged/))
  writeFileSync(path, 'no database at all, but a text '.repeat(100))
  assert.throws(() => connections.to(app), refused(/can not be opened/))
  assert.throws(() => connections.to('another'), { code: 'app_not_found' })
})

test('documents without a control file are left where they are', async (t) => {
  const { dataDir, app } = await withApp(t)
  rmSync(controlFile(dataDir))
  assert.throws(() => openDataFolder(dataDir), { code: 'data_folder_unusable', message: /restore it/ })
  assert.ok(statSync(appFile(dataDir, app)).size > 0)
})

test("what root makes in somebody's folder is that user's", async (t) => {
  if (process.getuid?.() !== 0) return
  const { dataDir } = await withApp(t)
  const nobody = 65534
  for (const folder of [dataDir, appsFolder(dataDir)]) chownSync(folder, nobody, nobody)
  const control = await openAccounts({ dataDir })
  const { id } = await control.createApp({ slug: 'rooted', owner: null }, 'cli:test')
  await control.close()
  assert.equal(statSync(appFile(dataDir, id)).uid, nobody)
})
