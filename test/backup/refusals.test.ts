import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, it, type TestContext } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import { readApp } from '../../src/storage/sqlite/backup/read-app.ts'
import { restoreFolder } from '../../src/storage/sqlite/backup/restore-folder.ts'
import { hash } from '../account-contract/harness.ts'
import {
  backupOf,
  bytesOf,
  dataFolder,
  fillApp,
  LIMITS,
  NOW,
  partOf,
  temporary,
  unzipped,
  zipped,
} from './backup-folder.ts'

/** A backup of everything, with one app. */
let whole: Buffer
let parts: Map<string, Buffer>
let app = ''

before(async (t) => {
  const context = t as TestContext
  const dataDir = await dataFolder(context, async (accounts, folder) => {
    ;({ id: app } = await accounts.createApp({ slug: 'demo', owner: null }, 'test'))
    const documents = Array.from({ length: 50 }, (_, id) => [id, `{"_id":${id},"text":"é"}`] as const)
    fillApp(folder, app, [{ name: 'notes', documents, indexes: [{ fields: 'text', isUnique: false }] }])
    const rules = { ...UNLIMITED, apps: ['demo'] }
    await accounts.createKey({ owner: null, name: 'web', hash: hash('1'), rules }, 'test')
  })
  const path = await backupOf(context, dataDir)
  whole = bytesOf(path)
  parts = await unzipped(path)
})

const documentsPart = (): string => `apps/${app}.sqlite`
const descriptionPart = (): string => `apps/${app}.json`

/** Both ways in: everything into a new folder, and the app. What they refuse, they refuse with this message. */
async function refuses(t: TestContext, bytes: Buffer | string, message: RegExp): Promise<void> {
  const folder = temporary(t)
  const path = join(folder, 'given.zip')
  writeFileSync(path, bytes)
  const dataDir = join(folder, 'data')
  await assert.rejects(restoreFolder({ source: path, dataDir, limits: LIMITS }), {
    code: 'invalid_backup',
    message,
  })
  const left = readdirSync(dataDir, { recursive: true }).filter((name) => name !== 'server.lock')
  assert.deepEqual(left, ['restore.unfinished'])
  await refusesApp(t, path, message)
}

async function refusesApp(t: TestContext, path: string, message: RegExp): Promise<void> {
  const reading = readApp({ path, folder: temporary(t), from: 'demo', limits: LIMITS, now: NOW })
  await assert.rejects(reading, { code: 'invalid_backup', message })
}

async function refusesForged(
  t: TestContext,
  replaced: Readonly<Record<string, Buffer | string>>,
  message: RegExp,
): Promise<void> {
  const path = join(temporary(t), 'forged.zip')
  writeFileSync(path, await forged(t, replaced))
  await refusesApp(t, path, message)
}

/** The backup with some parts replaced, and a manifest that says so. */
async function forged(t: TestContext, replaced: Readonly<Record<string, Buffer | string>>): Promise<Buffer> {
  const all = new Map(parts)
  for (const [name, bytes] of Object.entries(replaced)) all.set(name, Buffer.from(bytes))
  const manifest = JSON.parse(String(parts.get('manifest.json'))) as { parts: { name: string }[] }
  if (replaced['manifest.json'] === undefined) {
    const listed = manifest.parts.map(({ name }) => partOf(name, all.get(name)!))
    all.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, parts: listed })))
  }
  const path = join(temporary(t), 'forged.zip')
  await zipped(path, all)
  return bytesOf(path)
}

/** A database, the app's if no other, after somebody has worked on it. */
function tampered(t: TestContext, sql: string, part = documentsPart()): Buffer {
  const path = join(temporary(t), 'tampered.sqlite')
  writeFileSync(path, parts.get(part)!)
  const db = new DatabaseSync(path)
  db.enableDefensive(false)
  db.exec(sql)
  db.exec('PRAGMA journal_mode = DELETE')
  db.close()
  return bytesOf(path)
}

describe('what is no whole backup is refused by what it is', () => {
  it('where it is cut, wherever that is', async (t) => {
    for (const length of [4, 100, 1000, Math.floor(whole.length / 2), whole.length - 1])
      await refuses(t, whole.subarray(0, length), /the backup is cut: its end is missing/)
  })

  it('where it is something else', async (t) => {
    await refuses(t, '', /not a backup of Sheaf: the file is empty/)
    await refuses(t, 'PK', /not a backup of Sheaf: it is no zip file/)
    await refuses(t, '{"_id":1}\n'.repeat(100), /not a backup of Sheaf: it is no zip file/)
    await refuses(t, parts.get(documentsPart())!, /not a backup of Sheaf: it is a database by itself/)
    const other = join(temporary(t), 'other.zip')
    await zipped(other, [['readme.txt', Buffer.from('hello')]])
    await refuses(t, bytesOf(other), /not a backup of Sheaf: it is a zip file without a manifest/)
    await refuses(
      t,
      await forged(t, { 'manifest.json': '{"format":"other"}' }),
      /its manifest.json is of something else/,
    )
  })

  it('where a newer Sheaf made it', async (t) => {
    const manifest = { ...JSON.parse(String(parts.get('manifest.json'))), version: 3, sheaf: '9.1.0' }
    const text = JSON.stringify(manifest)
    await refuses(t, await forged(t, { 'manifest.json': text }), /a newer Sheaf \(9\.1\.0\) made this backup/)
    const newerApp = tampered(t, 'PRAGMA user_version = 99')
    await refuses(t, await forged(t, { [documentsPart()]: newerApp }), /a newer Sheaf made this backup/)
  })

  it('where a part is damaged, by its name', async (t) => {
    const damages: [part: string, message: RegExp][] = [
      [documentsPart(), /the app "demo" is not what it was/],
      ['manifest.json', /(?:its manifest|the list of its parts) is not what it was/],
    ]
    for (const [name, message] of damages) {
      const all = new Map(parts)
      const bytes = Buffer.from(all.get(name)!)
      bytes[Math.floor(bytes.length / 2)]! ^= 1
      all.set(name, bytes)
      const path = join(temporary(t), 'damaged.zip')
      await zipped(path, all)
      await refuses(t, bytesOf(path), message)
    }
  })

  it('whichever byte of the file is another one, or it is as it was', async (t) => {
    const path = join(temporary(t), 'flipped.zip')
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 20)) {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 0x10
      writeFileSync(path, bytes)
      const reading = readApp({ path, folder: temporary(t), from: 'demo', limits: LIMITS, now: NOW })
      // Times and modes of entries are no part of what is backed up.
      await reading.then(
        ({ documents }) => assert.equal(documents, 50),
        ({ code }) => assert.equal(code, 'invalid_backup', `byte ${at}`),
      )
    }
  })

  it('where parts are missing, too many, twice, or say another length', async (t) => {
    const path = join(temporary(t), 'parts.zip')
    const list = [...parts]
    const without = list.filter(([name]) => name !== descriptionPart())
    for (const given of [without, [...list, ['more.txt', Buffer.from('x')] as const], [...list, list[1]!]]) {
      await zipped(path, given)
      await refuses(t, bytesOf(path), /the list of its parts is not what it was/)
    }
    const manifest = JSON.parse(String(parts.get('manifest.json')))
    manifest.parts[0].bytes += 1
    await refuses(t, await forged(t, { 'manifest.json': JSON.stringify(manifest) }), /the list of its parts/)
  })

  it('where the manifest gives parts other names, or ids that would be paths', async (t) => {
    const text = String(parts.get('manifest.json'))
    for (const id of ['../../x', '..', 'a/b', '', 'x'.repeat(65)]) {
      const changed = text.replaceAll(app, id)
      await refuses(t, await forged(t, { 'manifest.json': changed }), /its manifest is not what it was/)
    }
    const manifest = JSON.parse(text)
    manifest.apps[0].documents = 'control.sqlite'
    await refuses(t, await forged(t, { 'manifest.json': JSON.stringify(manifest) }), /its manifest/)
  })
})

describe('a backup that somebody has forged is refused', () => {
  it('where its database would run what somebody wrote, or has what Sheaf never writes', async (t) => {
    const schemas = [
      'CREATE TRIGGER t AFTER INSERT ON c1 BEGIN DELETE FROM c1; END',
      'CREATE VIEW v AS SELECT 1',
      'ALTER TABLE c1 RENAME TO c9; CREATE VIEW c1 AS SELECT 1 AS seq, 1 AS id, jsonb(\'{"_id":1}\') AS doc',
      'CREATE TABLE more (x)',
      'CREATE INDEX more ON c1 (doc)',
      'CREATE INDEX more ON c1 (json(doc))',
      'CREATE VIRTUAL TABLE more USING fts5(x)',
      'ALTER TABLE c1 ADD COLUMN more',
      'ALTER TABLE collections ADD COLUMN more TEXT',
      'DROP TABLE indexes',
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE c1 (seq INTEGER PRIMARY KEY, id, doc)' WHERE name = 'c1'",
    ]
    for (const sql of schemas)
      await refusesForged(
        t,
        { [documentsPart()]: tampered(t, sql) },
        /the file with the documents of the app is not/,
      )
  })

  it('where a document is none that a client could have saved', async (t) => {
    const documents = [
      'INSERT INTO c1 VALUES (1000, \'a\', jsonb(\'{"_id":"b"}\'))',
      "INSERT INTO c1 VALUES (1000, 'a', jsonb('[1]'))",
      "INSERT INTO c1 VALUES (1000, 'a', 'no json')",
      "INSERT INTO c1 VALUES (1000, 'a', x'ff00ff')",
      'INSERT INTO c1 VALUES (1000, \'a\', jsonb(\'{"_id":"a","$set":1}\'))',
      'INSERT INTO c1 VALUES (1000, \'a\', jsonb(\'{"_id":"a","x":1,"x":2}\'))',
      'INSERT INTO c1 VALUES (1000, 1000.0, jsonb(\'{"_id":1001}\'))',
      'INSERT INTO c1 VALUES (9007199254740993, \'a\', jsonb(\'{"_id":"a"}\'))',
    ]
    for (const sql of documents)
      await refusesForged(
        t,
        { [documentsPart()]: tampered(t, sql) },
        /a document of the collection "notes" is not what it was/,
      )
    const over = [
      `{"_id":"a","x":${'['.repeat(600)}${']'.repeat(600)}}`,
      `{"_id":"a","x":"${'x'.repeat(LIMITS.documentBytes)}"}`,
      `{"_id":"a","x":"${'x'.repeat(6 * LIMITS.documentBytes)}"}`,
    ]
    for (const text of over) {
      const bytes = tampered(t, `INSERT INTO c1 VALUES (1000, 'a', jsonb('${text}'))`)
      await refusesForged(
        t,
        { [documentsPart()]: bytes },
        /of the collection "notes" is over a limit of this server/,
      )
    }
  })

  it('where a collection or an index has a name that none can have', async (t) => {
    for (const sql of [
      "UPDATE collections SET name = '../x'",
      "UPDATE collections SET name = ''",
      'UPDATE collections SET name = hex(zeroblob(3000000))',
      "UPDATE indexes SET name = 'a:2'",
      "UPDATE indexes SET name = 'text, text'",
      'UPDATE indexes SET created_at = -1',
      'UPDATE collections SET last_place = 9223372036854775807',
    ])
      await refusesForged(t, { [documentsPart()]: tampered(t, sql) }, /the file with the documents/)
  })

  it('where what it says of the app and its keys is not what Sheaf writes', async (t) => {
    const description = JSON.parse(String(parts.get(descriptionPart())))
    const key = description.keys[0]
    const changes: object[] = [
      { slug: 1 },
      { keys: {} },
      { keys: [{ ...key, secrets: [{ hash: 'x', until: null }] }] },
      { keys: [{ ...key, secrets: [{ hash: hash('1'), until: 'never' }] }] },
      {
        keys: [
          {
            ...key,
            secrets: Array.from({ length: 101 }, (_, n) => ({ hash: hash(String(n)), until: null })),
          },
        ],
      },
      { keys: [{ ...key, rules: { ...key.rules, addresses: ['300.0.0.1'] } }] },
      { keys: [{ ...key, rules: { ...key.rules, permision: 'read' } }] },
      { keys: [{ ...key, createdAt: 'now' }] },
      { keys: [null] },
    ]
    for (const change of changes) {
      await refusesForged(
        t,
        { [descriptionPart()]: JSON.stringify({ ...description, ...change }) },
        /what it says of the app is not what it was/,
      )
    }
  })

  it('where its control file has a trigger, a view, or is another one', async (t) => {
    for (const sql of [
      'CREATE TRIGGER t AFTER INSERT ON audit BEGIN DELETE FROM accounts; END',
      'CREATE VIEW v AS SELECT 1',
      'CREATE VIRTUAL TABLE more USING fts5(x)',
      'PRAGMA application_id = 1',
    ]) {
      const folder = temporary(t)
      const given = join(folder, 'given.zip')
      writeFileSync(given, await forged(t, { 'control.sqlite': tampered(t, sql, 'control.sqlite') }))
      await assert.rejects(restoreFolder({ source: given, dataDir: join(folder, 'data'), limits: LIMITS }), {
        code: 'invalid_backup',
        message: /control\.sqlite is not what it was/,
      })
    }
  })
})
