import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { UNLIMITED } from '../../../domain/key-rules.ts'
import { controlFile, openDataFolder } from '../files/data-folder.ts'
import { openControl } from './control.ts'

const NOW = Date.UTC(2026, 0, 1)
const SECRET = Buffer.alloc(32, 7)

/** What the first released version made, word for word. */
const VERSION_1 = `
  CREATE TABLE settings(
    name TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE apps(
    id TEXT NOT NULL PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE removed_apps(
    id TEXT NOT NULL PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE keys(
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE,
    permission TEXT NOT NULL,
    apps TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id=${0x53_48_46_43};
  PRAGMA user_version=1;
  INSERT INTO apps VALUES ('01APP', 'demo', 1);
  INSERT INTO keys VALUES ('01B', 'web', '${'b'.repeat(64)}', 'full', NULL, 3);
  INSERT INTO keys VALUES ('01A', 'app', '${'a'.repeat(64)}', 'full', NULL, 2);
  INSERT INTO settings VALUES ('provisioned', CAST('yes' AS BLOB));
`

function versionOneFolder(t: TestContext, { tokenSecret }: { tokenSecret: boolean }): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  openDataFolder(folder)
  const db = new DatabaseSync(controlFile(folder))
  db.exec(VERSION_1)
  if (tokenSecret) db.prepare("INSERT INTO settings VALUES ('token_secret', ?)").run(SECRET)
  db.close()
  return folder
}

test('a folder of version 1 keeps its apps, its keys with every right, its settings and its token secret', async (t) => {
  const folder = versionOneFolder(t, { tokenSecret: true })
  const control = openControl(folder, { now: () => NOW })
  t.after(() => control.close())
  const { apps, keysByHash, keysById, tokenSecrets } = control.readDirectory()
  assert.deepEqual([...apps.values()], [{ id: '01APP', slug: 'demo', createdAt: 1 }])
  const web = {
    id: '01B',
    name: 'web',
    rules: UNLIMITED,
    secrets: [{ hash: 'b'.repeat(64), until: null }],
    createdAt: 3,
    lastUsedAt: null,
  }
  assert.deepEqual(keysById.get('01B'), web)
  assert.deepEqual(keysByHash.get('b'.repeat(64)), web)
  assert.deepEqual([...keysById.keys()], ['01A', '01B'])
  assert.equal(control.setting('provisioned'), 'yes')
  assert.equal(control.setting('token_secret'), undefined)
  assert.deepEqual(
    tokenSecrets.map(({ secret, until }) => [Buffer.from(secret), until]),
    [[SECRET, null]],
  )
  assert.match(tokenSecrets[0]?.kid ?? '', /^[0-9a-f]{16}$/)
  assert.deepEqual(await control.listAudit({ limit: 10 }), [])
})

test('a migrated key can be changed, rotated and revoked as any other', async (t) => {
  const folder = versionOneFolder(t, { tokenSecret: true })
  const control = openControl(folder, { now: () => NOW })
  t.after(() => control.close())
  await control.updateKey({ name: 'web', rules: { apps: ['demo'] } }, 'cli:test')
  const rotated = await control.rotateKey(
    { name: 'web', hash: 'c'.repeat(64), oldUntil: NOW + 1 },
    'cli:test',
  )
  assert.deepEqual(rotated.rules, { ...UNLIMITED, apps: ['demo'] })
  assert.deepEqual(rotated.secrets, [
    { hash: 'c'.repeat(64), until: null },
    { hash: 'b'.repeat(64), until: NOW + 1 },
  ])
  await control.revokeKey('web', 'cli:test')
  assert.deepEqual([...control.readDirectory().keysByHash.keys()], ['a'.repeat(64)])
})

test('a folder of version 1 that was never opened by a server gets a token secret', async (t) => {
  const control = openControl(versionOneFolder(t, { tokenSecret: false }))
  t.after(() => control.close())
  assert.equal(control.readDirectory().tokenSecrets[0]?.secret.length, 32)
})

test('the migration is made once, and opening again finds what it made', async (t) => {
  const folder = versionOneFolder(t, { tokenSecret: true })
  const first = openControl(folder)
  const { tokenSecrets } = first.readDirectory()
  await first.close()
  const second = openControl(folder)
  t.after(() => second.close())
  assert.deepEqual(second.readDirectory().tokenSecrets, tokenSecrets)
  const db = new DatabaseSync(controlFile(folder))
  assert.equal(db.prepare('PRAGMA user_version').get()?.user_version, 2)
  assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
  db.close()
})
