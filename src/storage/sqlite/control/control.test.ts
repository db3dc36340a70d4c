import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { UNLIMITED } from '../../../domain/key-rules.ts'
import { appFile, controlFile, openDataFolder } from '../files/data-folder.ts'
import { openControl, type SqliteControl } from './control.ts'

const NOW = Date.UTC(2026, 0, 1)
const HASH_1 = '1'.repeat(64)
const HASH_2 = '2'.repeat(64)
const ACTOR = 'cli:test'

function dataFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  openDataFolder(folder)
  return folder
}

function opened(t: TestContext, folder: string): SqliteControl {
  const control = openControl(folder, { now: () => NOW })
  t.after(() => control.close())
  return control
}

function refusesToOpen(folder: string, message: RegExp): void {
  assert.throws(
    () => openControl(folder),
    (error: Error & { code: string }) => {
      assert.equal(error.code, 'data_folder_unusable')
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /\n/)
      return true
    },
  )
}

test('a control file that is no database, or a foreign one, is refused and left as it is', (t) => {
  const folder = dataFolder(t)
  const file = controlFile(folder)
  writeFileSync(
    file,
    'this is not a database, only a text that is long enough to be taken for one. '.repeat(20),
  )
  refusesToOpen(folder, /control\.sqlite is damaged or not a Sheaf control file/)
  assert.equal(statSync(file).size, 1540)
  rmSync(file)
  const foreign = new DatabaseSync(file)
  foreign.exec('CREATE TABLE songs(title TEXT)')
  foreign.close()
  refusesToOpen(folder, /is not a Sheaf control file/)
  rmSync(file)
})

test('a control file with a damaged page is refused', async (t) => {
  const folder = dataFolder(t)
  await openControl(folder).close()
  const file = controlFile(folder)
  const damaged = Buffer.alloc(statSync(file).size, 0xa5)
  damaged.write('SQLite format 3\u0000', 'latin1')
  writeFileSync(file, damaged)
  refusesToOpen(folder, /damaged or not a Sheaf control file/)
})

test('a control file of a newer version is refused by name', async (t) => {
  const folder = dataFolder(t)
  await openControl(folder).close()
  const db = new DatabaseSync(controlFile(folder))
  db.exec('PRAGMA user_version=99')
  db.close()
  refusesToOpen(folder, /written by a newer Sheaf \(version 99, this one knows 2\); upgrade/)
})

test("the control file, its -wal and -shm and the apps' files are their owner's alone", async (t) => {
  const folder = dataFolder(t)
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const control = opened(t, folder)
  await control.createApp('demo', ACTOR)
  const apps = join(folder, 'apps')
  const files = [
    ...readdirSync(folder).map((name) => join(folder, name)),
    ...readdirSync(apps).map((n) => join(apps, n)),
  ]
  const modes = files.filter((path) => statSync(path).isFile()).map((path) => statSync(path).mode & 0o777)
  assert.equal(modes.length, 4)
  assert.deepEqual(new Set(modes), new Set([0o600]))
})

test('the control file is in WAL mode, so that a reader never waits for a writer', (t) => {
  const folder = dataFolder(t)
  opened(t, folder)
  const db = new DatabaseSync(controlFile(folder))
  assert.equal(db.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal')
  db.close()
})

test('a slug can be taken once, and its second life is another app', async (t) => {
  const folder = dataFolder(t)
  const control = opened(t, folder)
  const first = await control.createApp('demo', ACTOR)
  assert.match(first.id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.deepEqual({ slug: first.slug, createdAt: first.createdAt }, { slug: 'demo', createdAt: NOW })
  await assert.rejects(control.createApp('demo', ACTOR), { code: 'app_exists', message: /"demo" already/ })
  assert.deepEqual(readdirSync(join(folder, 'apps')), [`${first.id}.sqlite`])
  await control.deleteApp('demo', ACTOR)
  await assert.rejects(control.deleteApp('demo', ACTOR), { code: 'app_not_found' })
  assert.notEqual((await control.createApp('demo', ACTOR)).id, first.id)
})

test("an app's file is gone with the app, its -wal and -shm too", async (t) => {
  const folder = dataFolder(t)
  const control = opened(t, folder)
  const app = await control.createApp('demo', ACTOR)
  const user = new DatabaseSync(appFile(folder, app.id))
  user.exec("INSERT INTO collections(name) VALUES ('c')")
  assert.equal(readdirSync(join(folder, 'apps')).length, 3)
  await control.deleteApp('demo', ACTOR)
  user.close()
  assert.deepEqual(readdirSync(join(folder, 'apps')), [])
})

test('what a killed process left of a deletion is finished by the next one', async (t) => {
  const folder = dataFolder(t)
  const control = openControl(folder)
  const app = await control.createApp('demo', ACTOR)
  await control.close()
  const db = new DatabaseSync(controlFile(folder))
  db.exec(`DELETE FROM apps; INSERT INTO removed_apps(id) VALUES ('${app.id}')`)
  db.close()
  assert.ok(existsSync(appFile(folder, app.id)))
  opened(t, folder)
  assert.equal(existsSync(appFile(folder, app.id)), false)
})

test('apps and keys are listed by code point', async (t) => {
  const control = opened(t, dataFolder(t))
  for (const slug of ['b', 'a-1', 'a', '0']) await control.createApp(slug, ACTOR)
  for (const name of ['é', 'z', 'Z', 'e\u0301'])
    await control.createKey({ name, hash: name.padEnd(64, '0'), rules: UNLIMITED }, ACTOR)
  assert.deepEqual(
    (await control.listApps()).map((app) => app.slug),
    ['0', 'a', 'a-1', 'b'],
  )
  assert.deepEqual(
    (await control.listKeys()).map((key) => key.name),
    ['Z', 'e\u0301', 'z', 'é'],
  )
})

test("a key's name can be taken once, and a key that is not there can't be revoked", async (t) => {
  const control = opened(t, dataFolder(t))
  const key = await control.createKey({ name: 'web', hash: HASH_1, rules: UNLIMITED }, ACTOR)
  assert.deepEqual(await control.listKeys(), [
    {
      id: key.id,
      name: 'web',
      rules: UNLIMITED,
      secrets: [{ hash: HASH_1, until: null }],
      createdAt: NOW,
      lastUsedAt: null,
    },
  ])
  await assert.rejects(control.createKey({ name: 'web', hash: HASH_2, rules: UNLIMITED }, ACTOR), {
    code: 'key_exists',
  })
  await control.revokeKey('web', ACTOR)
  await assert.rejects(control.revokeKey('web', ACTOR), { code: 'key_not_found' })
  assert.deepEqual(await control.listKeys(), [])
})

test('apps and keys are as many as the limits say at most, and those there are go on', async (t) => {
  const folder = dataFolder(t)
  const control = openControl(folder, { limits: { apps: 2, keys: 2 } })
  t.after(() => control.close())
  const key = (name: string) =>
    control.createKey({ name, hash: name.padEnd(64, '0'), rules: UNLIMITED }, ACTOR)
  for (const name of ['a', 'b']) await Promise.all([control.createApp(name, ACTOR), key(name)])
  const trail = await control.listAudit({ limit: 10 })
  await assert.rejects(control.createApp('c', ACTOR), {
    code: 'too_many_apps',
    message: /at most 2 apps; delete/,
  })
  await assert.rejects(key('c'), { code: 'too_many_keys', message: /at most 2 keys; revoke/ })
  // What is there is what a second attempt at it has to hear of.
  await assert.rejects(control.createApp('a', ACTOR), { code: 'app_exists' })
  await assert.rejects(key('a'), { code: 'key_exists' })
  assert.deepEqual(await control.listAudit({ limit: 10 }), trail)
  assert.equal(readdirSync(join(folder, 'apps')).length, 2)
  await control.rotateKey({ name: 'a', hash: HASH_1, oldUntil: NOW }, ACTOR)
  await control.deleteApp('a', ACTOR)
  await control.revokeKey('a', ACTOR)
  await Promise.all([control.createApp('c', ACTOR), key('c')])
  const lower = openControl(folder, { limits: { apps: 1, keys: 1 } })
  t.after(() => lower.close())
  assert.equal((await lower.listKeys()).length, 2, 'a limit that was lowered takes nothing away')
  await lower.updateKey({ name: 'b', rules: { localhost: false } }, ACTOR)
  await assert.rejects(lower.createApp('d', ACTOR), { code: 'too_many_apps' })
})

test('names that could be SQL or prototype names are only names', async (t) => {
  const control = opened(t, dataFolder(t))
  const names = ["'; DROP TABLE keys; --", '__proto__', 'constructor', '"', '%']
  for (const [index, name] of names.entries())
    await control.createKey({ name, hash: String(index).repeat(64), rules: UNLIMITED }, ACTOR)
  assert.deepEqual(
    (await control.listKeys()).map((key) => key.name),
    [...names].sort(),
  )
  await control.createApp('constructor', ACTOR)
  assert.equal(control.readDirectory().apps.get('__proto__'), undefined)
  assert.equal(control.readDirectory().apps.get('constructor')?.slug, 'constructor')
})

test('the directory has the apps by slug and the keys by hash and id', async (t) => {
  const control = opened(t, dataFolder(t))
  const app = await control.createApp('demo', ACTOR)
  const key = await control.createKey({ name: 'web', hash: HASH_1, rules: UNLIMITED }, ACTOR)
  const { tokenSecrets, ...rest } = control.readDirectory()
  assert.deepEqual(rest, {
    apps: new Map([['demo', app]]),
    keysByHash: new Map([[HASH_1, key]]),
    keysById: new Map([[key.id, key]]),
    damages: [],
  })
  assert.deepEqual(
    tokenSecrets.map(({ secret, until }) => [secret.length, until]),
    [[32, null]],
  )
})

test('the token secret is made once, whoever opens the file', async (t) => {
  const folder = dataFolder(t)
  const first = opened(t, folder)
  const { tokenSecrets } = first.readDirectory()
  assert.deepEqual(opened(t, folder).readDirectory().tokenSecrets, tokenSecrets)
  const other = opened(t, dataFolder(t)).readDirectory().tokenSecrets
  assert.notDeepEqual(other, tokenSecrets)
})

test('the version rises with every change of the directory, by this connection or another', async (t) => {
  const folder = dataFolder(t)
  const one = opened(t, folder)
  const other = opened(t, folder)
  const changes: (() => Promise<unknown>)[] = [
    () => one.createApp('a', ACTOR),
    () => other.createApp('b', ACTOR),
    () => one.createKey({ name: 'k', hash: HASH_1, rules: UNLIMITED }, ACTOR),
    () => other.revokeKey('k', ACTOR),
    () => one.deleteApp('b', ACTOR),
    () => other.deleteApp('a', ACTOR),
  ]
  let seen = [one.version(), other.version()]
  for (const change of changes) {
    await change()
    const now = [one.version(), other.version()]
    assert.ok(now[0]! > seen[0]! && now[1]! > seen[1]!, String(change))
    seen = now
  }
  assert.deepEqual([one.version(), other.version()], seen, 'and not without a change')
})

test('settings are kept, and writing one is no change of the directory', (t) => {
  const folder = dataFolder(t)
  const control = opened(t, folder)
  const version = control.version()
  assert.equal(control.setting('greeting'), undefined)
  control.putSetting('greeting', 'häl\u0000lo')
  control.putSetting('greeting', 'grüezi')
  assert.equal(control.setting('greeting'), 'grüezi')
  assert.equal(opened(t, folder).setting('greeting'), 'grüezi')
  assert.equal(control.version(), version)
})

test('a key is stored as its hash, and there is no column for more', async (t) => {
  const folder = dataFolder(t)
  const control = opened(t, folder)
  await control.createKey({ name: 'web', hash: HASH_1, rules: UNLIMITED }, ACTOR)
  const db = new DatabaseSync(controlFile(folder))
  const columns = ['keys', 'key_secrets'].map((table) =>
    Object.keys(db.prepare(`SELECT * FROM ${table}`).get() ?? {}),
  )
  db.close()
  assert.deepEqual(columns, [
    ['id', 'name', 'rules', 'created_at', 'last_used_at'],
    ['seq', 'key_id', 'hash', 'until'],
  ])
})
