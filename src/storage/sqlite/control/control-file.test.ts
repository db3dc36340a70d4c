import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { UNLIMITED } from '../../../domain/key-rules.ts'
import type { AccountStore } from '../../account-store.ts'
import { hasAutoIndex } from '../../accounts/auto-index-setting.ts'
import { appFile, controlFile, openDataFolder } from '../files/data-folder.ts'
import { openControlFile, reopenControlFile } from './control-file.ts'
import { DirectoryAge } from './directory-age.ts'
import { DirectoryWatch } from './directory-watch.ts'
import { openAccounts } from './open-accounts.ts'

const NOW = Date.UTC(2026, 0, 1)
const ACTOR = 'cli:test'
const HASH = '1'.repeat(64)

async function opened(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  openDataFolder(folder)
  const accounts = await openAccounts({ dataDir: folder, now: () => NOW })
  const file = await openControlFile(folder, () => NOW)
  t.after(async () => {
    file.close()
    await accounts.close()
  })
  const change = (sql: string): void => {
    const db = new DatabaseSync(controlFile(folder))
    db.exec(sql)
    db.close()
  }
  return { folder, accounts, file, change }
}

function webKey(accounts: AccountStore, name = 'web', hash = HASH) {
  return accounts.createKey({ owner: null, name, hash, rules: UNLIMITED }, ACTOR)
}

describe('the control file', () => {
  it("is its owner's alone, with its -wal and -shm and the apps' files", async (t) => {
    const before = process.umask(0)
    t.after(() => process.umask(before))
    const { folder, accounts } = await opened(t)
    await accounts.createApp({ slug: 'demo', owner: null }, ACTOR)
    const apps = join(folder, 'apps')
    const files = [
      ...readdirSync(folder).map((name) => join(folder, name)),
      ...readdirSync(apps).map((name) => join(apps, name)),
    ]
    const modes = files.filter((path) => statSync(path).isFile()).map((path) => statSync(path).mode & 0o777)
    assert.deepEqual([modes.length, new Set(modes)], [4, new Set([0o600])])
  })

  it('is in WAL mode, so that a reader never waits for a writer', async (t) => {
    const { folder, file, accounts, change } = await opened(t)
    await webKey(accounts)
    const writer = new DatabaseSync(controlFile(folder))
    t.after(() => writer.close())
    assert.equal(writer.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal')
    writer.exec('BEGIN IMMEDIATE; DELETE FROM keys')
    assert.equal(file.readDirectory().keysById.size, 1)
    assert.equal((await accounts.listKeys()).length, 1)
    writer.exec('COMMIT')
    assert.equal(file.readDirectory().keysById.size, 0)
    change('DELETE FROM key_secrets')
  })

  it("has an app's file for as long as the app, with its -wal and -shm", async (t) => {
    const { folder, accounts } = await opened(t)
    const app = await accounts.createApp({ slug: 'demo', owner: null }, ACTOR)
    const user = new DatabaseSync(appFile(folder, app.id))
    user.exec("INSERT INTO collections(name) VALUES ('c')")
    assert.equal(readdirSync(join(folder, 'apps')).length, 3)
    await accounts.removeApp('demo', ACTOR)
    user.close()
    assert.deepEqual(readdirSync(join(folder, 'apps')), [])
  })

  it('removes no file outside for an app whose row is damaged', async (t) => {
    const { folder, accounts, change } = await opened(t)
    await accounts.createApp({ slug: 'demo', owner: null }, ACTOR)
    const outside = join(folder, 'server.sqlite')
    writeFileSync(outside, 'kept')
    change("UPDATE apps SET id = '../server'")
    await accounts.removeApp('demo', ACTOR)
    assert.equal(readFileSync(outside, 'utf8'), 'kept')
  })

  it('has a version that rises with every change of the directory, by whichever connection', async (t) => {
    const { folder, accounts, file } = await opened(t)
    const other = reopenControlFile(folder)
    t.after(() => other.close())
    const changes: (() => Promise<unknown>)[] = [
      () => accounts.createApp({ slug: 'a', owner: null }, ACTOR),
      () => webKey(accounts),
      () => accounts.updateKey({ owner: null, name: 'web', rules: { localhost: false } }, ACTOR),
      () => accounts.rotateTokenSecret({ oldUntil: NOW }, ACTOR),
      () => accounts.revokeKey({ owner: null, name: 'web' }, ACTOR),
      () => accounts.deleteApp('a', ACTOR),
      () => accounts.restoreApp('a', ACTOR),
      () => accounts.removeApp('a', ACTOR),
    ]
    let seen = [file.version(), other.version()]
    for (const change of changes) {
      await change()
      const now = [file.version(), other.version()]
      assert.ok(now[0]! > seen[0]! && now[1]! > seen[1]!, String(change))
      seen = now
    }
    assert.deepEqual([file.version(), other.version()], seen, 'and not without a change')
  })

  it('has the same version after what is no change of the directory', async (t) => {
    const { folder, accounts, file } = await opened(t)
    const { id } = await webKey(accounts)
    const version = file.version()
    file.putSetting('quota', 'häl\u0000lo')
    file.putSetting('quota', 'grüezi')
    assert.equal(reopened(t, folder).setting('quota'), 'grüezi')
    const used = new Map([
      [id, NOW + 60_000],
      ['of a key that was revoked', NOW],
    ])
    file.touchKeys(used)
    file.touchKeys(new Map([[id, NOW + 30_000]]))
    file.touchKeys(new Map())
    assert.equal(reopened(t, folder).readDirectory().keysById.get(id)?.lastUsedAt, NOW + 60_000)
    assert.equal(file.hasAccounts(), false)
    const ada = { email: 'ada@example.org', name: 'Ada', password: '$argon2id$', isOperator: true }
    const account = (await accounts.createAccount(ada, ACTOR)).id
    await accounts.createSession({ account, way: 'password', hash: HASH, address: '', userAgent: '' })
    await accounts.endSessions({ account }, { account, name: ada.email, address: '' })
    await accounts.noteAddress({ account, address: '192.0.2.1' })
    await accounts.listAudit({ limit: 1 })
    assert.equal(file.hasAccounts(), true)
    assert.equal(file.version(), version)
  })

  it('is not made anew by whoever opens it again', async (t) => {
    const { folder } = await opened(t)
    const file = controlFile(folder)
    renameSync(file, `${file}.away`)
    const gone = { code: 'data_folder_unusable', message: /control\.sqlite is gone; restore it$/ }
    assert.throws(() => reopenControlFile(folder), gone)
    assert.equal(existsSync(file), false)
    writeFileSync(file, '')
    assert.throws(() => reopenControlFile(folder), {
      message: /is another one than before; restart the server$/,
    })
    renameSync(`${file}.away`, file)
  })

  it('takes a link for setting up without the query builder, which makes the first account', async (t) => {
    const { accounts, file } = await opened(t)
    file.putSetupLink({ hash: HASH, until: NOW + 1 })
    assert.deepEqual(await accounts.findLink(HASH), { purpose: 'setup', hash: HASH, until: NOW + 1 })
    for (const text of ['{', 'null', '[]', '{"hash":1,"until":1}', `{"hash":"${HASH}"}`]) {
      file.putSetting('setup_link', text)
      assert.equal(await accounts.findLink(HASH), undefined, text)
    }
  })

  it('stores a key as its hash, and has no column for more', async (t) => {
    const { folder, accounts } = await opened(t)
    await webKey(accounts)
    const db = new DatabaseSync(controlFile(folder))
    const columns = ['keys', 'key_secrets'].map((table) =>
      Object.keys(db.prepare(`SELECT * FROM ${table}`).get() ?? {}),
    )
    db.close()
    assert.deepEqual(columns, [
      ['id', 'name', 'owner', 'rules', 'created_at', 'last_used_at', 'token_generation'],
      ['seq', 'key_id', 'hash', 'until'],
    ])
  })

  it('has no index made unasked where that setting is damaged, until it is set anew', async (t) => {
    const { accounts, file } = await opened(t)
    const demo = await accounts.createApp({ slug: 'demo', owner: null }, ACTOR)
    const other = await accounts.createApp({ slug: 'other', owner: null }, ACTOR)
    for (const text of ['{', '{}', 'null']) {
      file.putSetting('auto_index_off', text)
      assert.equal(hasAutoIndex(file, demo.id), false, text)
    }
    await accounts.setAutoIndex({ app: 'demo', isOn: true }, ACTOR)
    assert.deepEqual([hasAutoIndex(file, demo.id), hasAutoIndex(file, other.id)], [true, false])
    await accounts.setAutoIndex({ app: 'demo', isOn: false }, ACTOR)
    assert.equal(hasAutoIndex(file, demo.id), false)
  })

  it('is good for five seconds more where it can not be read, and again when it can', async (t) => {
    const { folder, accounts, change } = await opened(t)
    for (const [name, hash] of [
      ['a', 'a'.repeat(64)],
      ['b', HASH],
    ] as const)
      await webKey(accounts, name, hash)
    const clock = { now: 1_000_000 }
    const failures: unknown[] = []
    const seen: number[] = []
    const age = new DirectoryAge(undefined, () => clock.now)
    const onFailure = (error: unknown): void => void failures.push(error)
    const watch = new DirectoryWatch(reopenControlFile(folder), { onFailure }, age)
    watch.start(({ keysById }) => seen.push(keysById.size))
    const elsewhere = new DirectoryAge(age.cell, () => clock.now)
    change('ALTER TABLE keys RENAME TO lost; UPDATE directory_version SET version = version + 1')
    assert.throws(() => watch.poll(), /no such table: keys/)
    clock.now += 5000
    assert.doesNotThrow(() => watch.checkAge())
    elsewhere.check()
    clock.now += 100
    for (const check of [() => watch.checkAge(), () => elsewhere.check()])
      assert.throws(check, { code: 'store_unavailable', message: /no credentials can be checked/ })
    change('ALTER TABLE lost RENAME TO keys')
    watch.poll()
    watch.checkAge()
    elsewhere.check()
    watch.close()
    assert.deepEqual([seen, failures], [[2, 2], []])
  })
})

function reopened(t: TestContext, folder: string) {
  const file = reopenControlFile(folder)
  t.after(() => file.close())
  return file
}
