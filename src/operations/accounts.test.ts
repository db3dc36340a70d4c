import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashApiKey } from '../credentials/api-key.ts'
import { openControl } from '../storage/sqlite/control.ts'
import { openDataFolder } from '../storage/sqlite/data-folder.ts'
import { createApp } from './create-app.ts'
import { createKey } from './create-key.ts'
import { deleteApp } from './delete-app.ts'
import { listAppRecords } from './list-app-records.ts'
import { listKeys } from './list-keys.ts'
import { provision } from './provision.ts'
import { revokeKey } from './revoke-key.ts'

function accounts(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-'))
  openDataFolder(dataDir)
  const control = openControl(dataDir)
  t.after(async () => {
    await control.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { control, dataDir }
}

test('slugs and names of a wrong form are refused before anything is stored', async (t) => {
  const { control, dataDir } = accounts(t)
  for (const slug of ['', 'A', '-a', 'a-', 'a_b', 'a/b', '..', 'é', 'a'.repeat(64), 'a\n'])
    await assert.rejects(createApp(control, slug), { code: 'invalid_name' })
  for (const name of ['', '  ', ' a', 'a ', 'a\nb', 'a\u0000', '\u2028', '\ud800', 'x'.repeat(129)])
    await assert.rejects(createKey(control, name), { code: 'invalid_name' })
  assert.deepEqual([await listAppRecords(control), await listKeys(control)], [[], []])
  assert.deepEqual(readdirSync(join(dataDir, 'apps')), [])
})

test('what is not there can be neither deleted nor revoked', async (t) => {
  const { control } = accounts(t)
  for (const slug of ['nothing', '__proto__', ''])
    await assert.rejects(deleteApp(control, slug), { code: 'app_not_found' })
  await assert.rejects(revokeKey(control, 'nothing'), { code: 'key_not_found' })
})

test('the longest names are taken, emoji counted as one character', async (t) => {
  const { control } = accounts(t)
  assert.equal((await createApp(control, 'a'.repeat(63))).slug, 'a'.repeat(63))
  assert.equal((await createKey(control, '🌾'.repeat(128))).record.name, '🌾'.repeat(128))
})

test('a key is answered once and stored as its hash alone', async (t) => {
  const { control, dataDir } = accounts(t)
  const { apiKey, record } = await createKey(control, 'web')
  assert.equal(record.hash, hashApiKey(apiKey))
  assert.deepEqual(await listKeys(control), [record])
  for (const name of readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile()))
    assert.ok(!readFileSync(join(dataDir, name.name), 'latin1').includes(apiKey.slice(4)))
})

test('a new folder gets the app demo and one key, once in its life', async (t) => {
  const { control } = accounts(t)
  const first = await provision(control)
  assert.equal(first?.appSlug, 'demo')
  assert.equal((await listKeys(control))[0]?.hash, hashApiKey(first?.apiKey ?? ''))
  assert.equal(await provision(control), undefined)
  await deleteApp(control, 'demo')
  await revokeKey(control, 'default')
  assert.equal(await provision(control), undefined)
  assert.deepEqual([await listAppRecords(control), await listKeys(control)], [[], []])
})

test('what was made before the first start is used and not added to', async (t) => {
  const { control } = accounts(t)
  await createApp(control, 'shop')
  const first = await provision(control)
  assert.equal(first?.appSlug, 'shop')
  assert.deepEqual(
    (await listAppRecords(control)).map((app) => app.slug),
    ['shop'],
  )
})

test('a folder that has a key gets no second one', async (t) => {
  const { control } = accounts(t)
  await createKey(control, 'web')
  assert.equal(await provision(control), undefined)
  assert.deepEqual(
    (await listKeys(control)).map((key) => key.name),
    ['web'],
  )
  assert.deepEqual(
    (await listAppRecords(control)).map((app) => app.slug),
    ['demo'],
  )
})
