import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { type KeyRules, storedRules, UNLIMITED } from '../../../domain/key-rules.ts'
import { controlFile, openDataFolder } from '../files/data-folder.ts'
import { openControl, type SqliteControl } from './control.ts'
import { AUDIT_LINES } from './control-audit.ts'

const NOW = Date.UTC(2026, 0, 1)
const ACTOR = 'cli:test'
const [HASH_1, HASH_2, HASH_3] = ['1'.repeat(64), '2'.repeat(64), '3'.repeat(64)] as const

/** A control file whose clock stands still until `clock.now` is set. */
function opened(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  openDataFolder(folder)
  const clock = { now: NOW }
  const open = (): SqliteControl => {
    const control = openControl(folder, { now: () => clock.now })
    t.after(() => control.close())
    return control
  }
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return { control: open(), open, clock, folder }
}

function webKey(control: SqliteControl, rules: KeyRules = UNLIMITED) {
  return control.createKey({ name: 'web', hash: HASH_1, rules }, ACTOR)
}

test('what can not be done leaves no line in the audit trail, and changes nothing', async (t) => {
  const { control } = opened(t)
  await control.createApp('demo', ACTOR)
  await webKey(control)
  const trail = await control.listAudit({ limit: 10 })
  const directory = control.readDirectory()
  const refused: [Promise<unknown>, string][] = [
    [control.createApp('demo', ACTOR), 'app_exists'],
    [control.deleteApp('other', ACTOR), 'app_not_found'],
    [webKey(control), 'key_exists'],
    [control.updateKey({ name: 'other', rules: { apps: [] } }, ACTOR), 'key_not_found'],
    [control.rotateKey({ name: 'other', hash: HASH_2, oldUntil: NOW }, ACTOR), 'key_not_found'],
    [control.revokeKey('other', ACTOR), 'key_not_found'],
    // A secret that is there already must not take another key's place.
    [control.rotateKey({ name: 'web', hash: HASH_1, oldUntil: NOW + 1 }, ACTOR), 'key_exists'],
    [control.createKey({ name: 'web2', hash: HASH_1, rules: UNLIMITED }, ACTOR), 'key_exists'],
  ]
  for (const [work, code] of refused) await assert.rejects(work, { code })
  assert.deepEqual(await control.listAudit({ limit: 10 }), trail)
  assert.deepEqual(control.readDirectory(), directory)
})

test('every change has its line in the audit trail, the newest first', async (t) => {
  const { control, clock } = opened(t)
  const changes: (() => Promise<unknown>)[] = [
    () => control.createApp('demo', 'cli:ada'),
    () => webKey(control, { ...UNLIMITED, apps: ['demo'] }),
    () => control.updateKey({ name: 'web', rules: { localhost: false } }, 'cli:bob'),
    () => control.rotateKey({ name: 'web', hash: HASH_2, oldUntil: NOW + 50 }, ACTOR),
    () => control.revokeKey('web', ACTOR),
    () => control.deleteApp('demo', 'cli:ada'),
  ]
  for (const change of changes) {
    await change()
    clock.now += 1
  }
  const trail = await control.listAudit({ limit: 10 })
  assert.deepEqual(
    trail.map(({ at, actor, action, subject }) => [at - NOW, actor, action, subject]),
    [
      [5, 'cli:ada', 'app.delete', 'demo'],
      [4, ACTOR, 'key.revoke', 'web'],
      [3, ACTOR, 'key.rotate', 'web'],
      [2, 'cli:bob', 'key.update', 'web'],
      [1, ACTOR, 'key.create', 'web'],
      [0, 'cli:ada', 'app.create', 'demo'],
    ],
  )
  assert.deepEqual(
    trail.slice(2, 5).map(({ details }) => JSON.parse(details)),
    [{ oldUntil: NOW + 50 }, { localhost: false }, { ...storedRules(UNLIMITED), apps: ['demo'] }],
  )
  assert.deepEqual(await control.listAudit({ limit: 2 }), trail.slice(0, 2))
  for (const { details } of trail) assert.ok(!details.includes(HASH_1) && !details.includes(HASH_2))
})

test('a change of some rules leaves the others', async (t) => {
  const { control } = opened(t)
  const rules: KeyRules = {
    ...UNLIMITED,
    permission: ['read'],
    rate: { requests: 5, perMs: 1000 },
    expiresAt: NOW,
  }
  const made = await webKey(control, rules)
  const changed = await control.updateKey({ name: 'web', rules: { rate: null, apps: ['shop'] } }, ACTOR)
  assert.deepEqual(changed, { ...made, rules: { ...rules, rate: null, apps: ['shop'] } })
  assert.deepEqual(await control.listKeys(), [changed])
})

test('an old secret is found until its time, and gone after the next opening or rotation', async (t) => {
  const { control, open, clock } = opened(t)
  const { id } = await webKey(control)
  const rotated = await control.rotateKey({ name: 'web', hash: HASH_2, oldUntil: NOW + 100 }, ACTOR)
  assert.deepEqual(rotated.secrets, [
    { hash: HASH_2, until: null },
    { hash: HASH_1, until: NOW + 100 },
  ])
  assert.equal(rotated.id, id)
  assert.deepEqual(control.readDirectory().keysByHash, new Map([HASH_2, HASH_1].map((h) => [h, rotated])))
  clock.now = NOW + 99
  assert.equal(open().readDirectory().keysByHash.size, 2)
  clock.now = NOW + 100
  assert.deepEqual([...open().readDirectory().keysByHash.keys()], [HASH_2])
})

test('a second rotation never lengthens what a first one let live on, and may end it', async (t) => {
  const { control } = opened(t)
  await webKey(control)
  await control.rotateKey({ name: 'web', hash: HASH_2, oldUntil: NOW + 100 }, ACTOR)
  const later = await control.rotateKey({ name: 'web', hash: HASH_3, oldUntil: NOW + 500 }, ACTOR)
  assert.deepEqual(later.secrets, [
    { hash: HASH_3, until: null },
    { hash: HASH_2, until: NOW + 500 },
    { hash: HASH_1, until: NOW + 100 },
  ])
  const atOnce = await control.rotateKey({ name: 'web', hash: '4'.repeat(64), oldUntil: NOW }, ACTOR)
  assert.deepEqual(atOnce.secrets, [{ hash: '4'.repeat(64), until: null }])
})

test('a key has at most 100 secrets that work, and can always be rotated with the old ones ended', async (t) => {
  const { control, clock } = opened(t)
  const hash = (number: number): string => String(number).padStart(64, '0')
  await control.createKey({ name: 'web', hash: hash(0), rules: UNLIMITED }, ACTOR)
  const rotate = (number: number, oldUntil: number) =>
    control.rotateKey({ name: 'web', hash: hash(number), oldUntil }, ACTOR)
  for (let i = 1; i < 100; i++) await rotate(i, NOW + 1000 * i)
  const trail = await control.listAudit({ limit: 1000 })
  await assert.rejects(rotate(100, NOW + 1), {
    code: 'invalid_rule',
    message:
      'the key "web" has 100 secrets that work, and the first of them ends at 2026-01-01T00:00:01.000Z; rotate it ' +
      'after that, or with --overlap 0, which ends the old ones at once',
  })
  assert.equal(control.readDirectory().keysByHash.size, 100)
  assert.deepEqual(await control.listAudit({ limit: 1000 }), trail)
  clock.now = NOW + 1000
  assert.equal((await rotate(100, NOW + 900_000)).secrets.length, 100)
  assert.deepEqual((await rotate(101, clock.now)).secrets, [{ hash: hash(101), until: null }])
})

test('a revoked key takes every one of its secrets with it', async (t) => {
  const { control } = opened(t)
  await webKey(control)
  await control.rotateKey({ name: 'web', hash: HASH_2, oldUntil: NOW + 100 }, ACTOR)
  await control.revokeKey('web', ACTOR)
  assert.equal(control.readDirectory().keysByHash.size, 0)
  const again = await webKey(control)
  assert.deepEqual(again.secrets, [{ hash: HASH_1, until: null }])
})

test('a token secret that was rotated out is kept until its time', async (t) => {
  const { control, open, clock } = opened(t)
  const [first] = control.readDirectory().tokenSecrets
  await control.rotateTokenSecret({ oldUntil: NOW + 100 }, ACTOR)
  const [second, ...old] = control.readDirectory().tokenSecrets
  assert.deepEqual(old, [{ ...first, until: NOW + 100 }])
  assert.equal(second?.until, null)
  assert.notEqual(second?.kid, first?.kid)
  assert.notDeepEqual(second?.secret, first?.secret)
  clock.now = NOW + 100
  assert.deepEqual(open().readDirectory().tokenSecrets, [second])
  await control.rotateTokenSecret({ oldUntil: clock.now }, ACTOR)
  const left = control.readDirectory().tokenSecrets
  assert.equal(left.length, 1)
  assert.notEqual(left[0]?.kid, second?.kid)
  const [line] = await control.listAudit({ limit: 1 })
  assert.deepEqual([line?.action, line?.subject], ['token.rotate-secret', left[0]?.kid])
})

test('at most 100 secrets verify tokens, and all can always be ended', async (t) => {
  const { control, clock } = opened(t)
  for (let i = 1; i < 100; i++) await control.rotateTokenSecret({ oldUntil: NOW + 1000 * i }, ACTOR)
  await assert.rejects(control.rotateTokenSecret({ oldUntil: NOW + 1 }, ACTOR), {
    code: 'invalid_rule',
    message:
      '100 secrets verify tokens, and the first of them ends at 2026-01-01T00:00:01.000Z; rotate after that, or with ' +
      '--now, which ends every token at once',
  })
  assert.equal(control.readDirectory().tokenSecrets.length, 100)
  clock.now = NOW + 1000
  await control.rotateTokenSecret({ oldUntil: NOW + 900_000 }, ACTOR)
  assert.equal(control.readDirectory().tokenSecrets.length, 100)
  await control.rotateTokenSecret({ oldUntil: clock.now }, ACTOR)
  assert.equal(control.readDirectory().tokenSecrets.length, 1)
})

test('the audit trail keeps its newest lines, and lets go of the oldest', async (t) => {
  const { control, folder } = opened(t)
  await webKey(control)
  const db = new DatabaseSync(controlFile(folder))
  // As if 100,000 changes had been made since then, less one.
  db.prepare("INSERT INTO audit SELECT ?, 0, 'cli:old', 'key.update', 'web', '{}'").run(AUDIT_LINES)
  db.close()
  await control.updateKey({ name: 'web', rules: { apps: ['shop'] } }, ACTOR)
  const actions = async () => (await control.listAudit({ limit: 10 })).map(({ action }) => action)
  assert.deepEqual(await actions(), ['key.update', 'key.update'])
  await control.revokeKey('web', ACTOR)
  assert.deepEqual(await actions(), ['key.revoke', 'key.update', 'key.update'])
})

test('a use is noted without a change of the directory, and never goes back', async (t) => {
  const { control, open } = opened(t)
  const { id } = await webKey(control)
  const version = control.version()
  control.touchKeys(
    new Map([
      [id, NOW + 60_000],
      ['of a key that was revoked', NOW],
    ]),
  )
  control.touchKeys(new Map([[id, NOW + 30_000]]))
  control.touchKeys(new Map())
  assert.equal(control.version(), version)
  assert.equal((await control.listKeys())[0]?.lastUsedAt, NOW + 60_000)
  assert.equal(open().readDirectory().keysById.get(id)?.lastUsedAt, NOW + 60_000)
})

test('opening the file and reading it is no change for others', async (t) => {
  const { control, open } = opened(t)
  await webKey(control)
  const version = control.version()
  const other = open()
  other.readDirectory()
  await other.listAudit({ limit: 1 })
  assert.equal(control.version(), version)
})
