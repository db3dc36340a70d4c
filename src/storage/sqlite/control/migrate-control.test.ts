import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { UNLIMITED } from '../../../domain/key-rules.ts'
import { hasAutoIndex } from '../../accounts/auto-index-setting.ts'
import { MIGRATION_NAMES } from '../../accounts/migrations.ts'
import { NEWEST_VERSION } from '../../accounts/newest-version.ts'
import { controlFile, openDataFolder } from '../files/data-folder.ts'
import { type ControlFile, openControlFile } from './control-file.ts'
import { openAccounts } from './open-accounts.ts'

const FIXTURES = new URL('../../../../test/fixtures/control/', import.meta.url)
const NOW = Date.UTC(2026, 0, 1)
const [A, B, C] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)] as const
const SEVENS = Buffer.alloc(32, 7)

/** A data folder whose control file is what an earlier version left. */
function folderOf(t: TestContext, fixture?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  openDataFolder(folder)
  if (fixture !== undefined) change(folder, readFileSync(new URL(fixture, FIXTURES), 'utf8'))
  return folder
}

function change(folder: string, sql: string): void {
  const db = new DatabaseSync(controlFile(folder))
  db.exec(sql)
  db.close()
}

async function opened(t: TestContext, folder: string): Promise<ControlFile> {
  const file = await openControlFile(folder, () => NOW)
  t.after(() => file.close())
  return file
}

/** Every table and index of a control file, as SQLite describes it; how a statement was written doesn't matter. */
function schemaOf(folder: string): unknown {
  const db = new DatabaseSync(controlFile(folder), { readOnly: true })
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const tables = names.map(({ name }) => [
    name,
    db.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY name').all(name!),
    db.prepare('SELECT "unique", partial FROM pragma_index_list(?) ORDER BY "unique"').all(name!),
  ])
  const check = db.prepare('PRAGMA integrity_check').get()?.integrity_check
  db.close()
  return { tables, check }
}

async function refusesToOpen(folder: string, message: RegExp): Promise<void> {
  await assert.rejects(openControlFile(folder), (error: Error & { code: string }) => {
    assert.equal(error.code, 'data_folder_unusable')
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
}

describe('a control file', () => {
  it('that is no database, or a foreign one, is refused and left as it is', async (t) => {
    const folder = folderOf(t)
    const file = controlFile(folder)
    writeFileSync(
      file,
      'this is not a database, only a text that is long enough to be taken for one. '.repeat(20),
    )
    await refusesToOpen(folder, /control\.sqlite is damaged or not a Sheaf control file/)
    assert.equal(statSync(file).size, 1540)
    rmSync(file)
    change(folder, 'CREATE TABLE songs(title TEXT)')
    await refusesToOpen(folder, /is not a Sheaf control file/)
    change(folder, 'PRAGMA user_version=3')
    await refusesToOpen(folder, /is not a Sheaf control file/)
  })

  it('with a damaged page is refused', async (t) => {
    const folder = folderOf(t)
    const control = await openControlFile(folder)
    control.close()
    const file = controlFile(folder)
    const damaged = Buffer.alloc(statSync(file).size, 0xa5)
    damaged.write('SQLite format 3\u0000', 'latin1')
    writeFileSync(file, damaged)
    await refusesToOpen(folder, /damaged or not a Sheaf control file/)
  })

  it('of a newer version is refused by name', async (t) => {
    const folder = folderOf(t)
    const control = await openControlFile(folder)
    control.close()
    change(folder, 'PRAGMA user_version=99')
    await refusesToOpen(folder, /written by a newer Sheaf \(version 99, this one knows 9\); upgrade/)
  })

  it('says its version where earlier versions look for it, who refuse it', async (t) => {
    const folder = folderOf(t, 'version-2.sql')
    await opened(t, folder)
    const db = new DatabaseSync(controlFile(folder), { readOnly: true })
    t.after(() => db.close())
    assert.equal(db.prepare('PRAGMA user_version').get()?.user_version, NEWEST_VERSION)
    assert.equal(db.prepare('PRAGMA application_id').get()?.application_id, 0x53_48_46_43)
    assert.equal(NEWEST_VERSION, MIGRATION_NAMES.length)
  })

  it('of version 1 keeps its apps, its keys with every right, its settings and its token secret', async (t) => {
    const folder = folderOf(t, 'version-1.sql')
    const file = await opened(t, folder)
    const { apps, keysByHash, keysById, tokenSecrets, damages } = file.readDirectory()
    assert.deepEqual([...apps.values()], [{ id: '01APP', slug: 'demo', owner: null, createdAt: 1 }])
    const web = {
      ...{ id: '01B', name: 'web', owner: null, rules: UNLIMITED, createdAt: 3, lastUsedAt: null },
      secrets: [{ hash: B, until: null }],
    }
    assert.deepEqual([keysById.get('01B'), keysByHash.get(B)], [web, web])
    assert.deepEqual([...keysById.keys()], ['01A', '01B'])
    assert.deepEqual([file.setting('provisioned'), file.setting('token_secret')], ['yes', undefined])
    assert.deepEqual(
      tokenSecrets.map(({ secret, until }) => [Buffer.from(secret), until]),
      [[SEVENS, null]],
    )
    assert.match(tokenSecrets[0]?.kid ?? '', /^[0-9a-f]{16}$/)
    assert.deepEqual([damages, file.hasAccounts()], [[], false])
  })

  it('of version 1 that was never opened by a server gets a token secret', async (t) => {
    const folder = folderOf(t, 'version-1.sql')
    change(folder, "DELETE FROM settings WHERE name = 'token_secret'")
    assert.equal((await opened(t, folder)).readDirectory().tokenSecrets[0]?.secret.length, 32)
  })

  it('of version 2 keeps its apps, keys, secrets, settings and audit trail, and what is damaged as it is', async (t) => {
    const folder = folderOf(t, 'version-2.sql')
    const file = await opened(t, folder)
    const { apps, keysById, keysByHash, tokenSecrets, damages } = file.readDirectory()
    assert.deepEqual(
      [...apps.values()],
      [
        { id: '01APP', slug: 'demo', owner: null, createdAt: NOW },
        { id: '01BIG', slug: 'shop', owner: null, createdAt: 0 },
      ],
    )
    assert.deepEqual(keysById.get('01A'), {
      ...{ id: '01A', name: 'web', owner: null, createdAt: NOW + 1, lastUsedAt: NOW + 2 },
      rules: {
        ...{
          permission: ['read'],
          apps: ['demo'],
          collections: 'all',
          addresses: ['10.0.0.0/8'],
          websites: 'all',
        },
        ...{
          localhost: false,
          rate: { requests: 5, perMs: 1000 },
          expiresAt: 4_102_444_800_000,
          tokenLifetimeMs: 2000,
        },
      },
      secrets: [
        { hash: C, until: null },
        { hash: A, until: 4_102_444_800_000 },
      ],
    })
    assert.deepEqual(keysByHash.get(B)?.rules.permission, [])
    assert.deepEqual([keysByHash.size, damages.length], [3, 1])
    assert.match(damages[0]!, /^the key "broken" lets nobody in/)
    assert.deepEqual(
      tokenSecrets.map(({ kid, secret, until }) => [kid, secret[0], until]),
      [
        ['fedcba9876543210', 8, null],
        ['0123456789abcdef', 7, 4_102_444_800_000],
      ],
    )
    assert.deepEqual([file.setting('provisioned'), file.setting('ulid_floor_ms')], ['yes', '1767225600000'])
    assert.deepEqual([hasAutoIndex(file, '01APP'), hasAutoIndex(file, '01BIG')], [false, true])
    const accounts = await openAccounts({ dataDir: folder, now: () => NOW })
    t.after(() => accounts.close())
    const nobody = { account: null, app: null, appSlug: null, address: null }
    assert.deepEqual(await accounts.listAudit({ limit: 10 }), [
      {
        id: '42',
        at: NOW + 1,
        actor: 'cli:ada',
        action: 'key.create',
        subject: 'web',
        details: '{"verbs":["read"]}',
        ...nobody,
      },
      { id: '41', at: NOW, actor: 'start', action: 'app.create', subject: 'demo', details: '{}', ...nobody },
    ])
  })

  it('of version 3 keeps its accounts with what is theirs, and no app of it is deleted', async (t) => {
    const folder = folderOf(t, 'version-3.sql')
    const accounts = await openAccounts({ dataDir: folder, now: () => NOW })
    t.after(() => accounts.close())
    const [ada, bob] = await accounts.listAccounts()
    assert.deepEqual(
      [ada, bob].map((account) => [account?.email, account?.isOperator]),
      [
        ['ada@example.org', true],
        ['bob@example.org', false],
      ],
    )
    const apps = await accounts.listAppsOf(ada!.id)
    assert.deepEqual(
      apps.map(({ app, role }) => [app.slug, app.owner, role]),
      [
        ['demo', null, 'owner'],
        ['shop', bob!.id, 'editor'],
      ],
    )
    assert.deepEqual(await accounts.listDeletedApps(), [])
    const { keysByHash, apps: served } = await accounts.readDirectory()
    assert.deepEqual([...served.keys()], ['demo', 'shop'])
    assert.deepEqual(
      [A, B, C].map((hash) => keysByHash.get(hash)?.owner),
      [null, bob!.id, bob!.id],
    )
    assert.equal((await accounts.listTokens(bob!.id))[0]?.name, 'ci')
    assert.equal((await accounts.listAudit({ limit: 20 })).length, 9)
  })

  it('that was migrated can be changed as any other', async (t) => {
    for (const fixture of ['version-1.sql', 'version-2.sql', 'version-3.sql']) {
      const folder = folderOf(t, fixture)
      const accounts = await openAccounts({ dataDir: folder, now: () => NOW })
      t.after(() => accounts.close())
      const web = { owner: null, name: 'web' }
      await accounts.updateKey({ ...web, rules: { apps: ['demo'] } }, 'cli:test')
      const rotated = await accounts.rotateKey(
        { ...web, hash: 'd'.repeat(64), oldUntil: NOW + 1 },
        'cli:test',
      )
      assert.deepEqual(rotated.rules.apps, ['demo'])
      assert.equal(rotated.secrets[0]?.hash, 'd'.repeat(64))
      await accounts.revokeKey(web, 'cli:test')
      await accounts.removeApp('demo', 'cli:test')
      assert.equal((await accounts.listAudit({ limit: 10 }))[0]?.subject, 'demo')
      assert.deepEqual([...(await accounts.readDirectory()).keysById.keys()].length, 1)
    }
  })

  it('is the same whichever version it began with, and whole', async (t) => {
    const fixtures = [undefined, 'version-1.sql', 'version-2.sql', 'version-3.sql']
    const folders = fixtures.map((fixture) => folderOf(t, fixture))
    for (const folder of folders) await opened(t, folder)
    const [made, ...migrated] = folders.map(schemaOf)
    assert.equal((made as { check: unknown }).check, 'ok')
    for (const schema of migrated) assert.deepEqual(schema, made)
  })

  it('is migrated once, whoever begins at the same time', async (t) => {
    for (const fixture of [undefined, 'version-1.sql', 'version-2.sql', 'version-3.sql']) {
      const folder = folderOf(t, fixture)
      const script = fileURLToPath(new URL('control-file.ts', import.meta.url))
      const open = `import(${JSON.stringify(script)}).then((m) => m.openControlFile(${JSON.stringify(folder)}))`
      // Node.js 24 says of its SQLite that it is experimental.
      const words = ['--disable-warning=ExperimentalWarning', '-e', open]
      const runs = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, words))
      assert.deepEqual(
        (await Promise.all(runs)).map(({ stderr }) => stderr),
        ['', '', '', ''],
      )
      const { tokenSecrets } = (await opened(t, folder)).readDirectory()
      assert.equal(tokenSecrets.filter(({ until }) => until === null).length, 1)
      const db = new DatabaseSync(controlFile(folder), { readOnly: true })
      const names = db.prepare('SELECT name FROM kysely_migration ORDER BY name').all()
      db.close()
      assert.deepEqual(
        names.map(({ name }) => name),
        MIGRATION_NAMES,
      )
    }
  })
})
