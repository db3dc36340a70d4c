import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { UNLIMITED } from '../../../domain/key-rules.ts'
import { controlFile, openDataFolder } from '../files/data-folder.ts'
import { openControl, type SqliteControl } from './control.ts'
import { hasAutoIndex } from './control-auto-index.ts'
import { DirectoryAge } from './directory-age.ts'
import { DirectoryWatch } from './directory-watch.ts'

const NOW = Date.UTC(2026, 0, 1)
const ACTOR = 'cli:test'
const [HASH_A, HASH_B] = ['a'.repeat(64), 'b'.repeat(64)] as const
const HUGE = '9223372036854775807'

/** A folder with the app `demo` and the keys `a` and `b`, and a way to damage it. */
async function folderOf(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  openDataFolder(folder)
  const open = (): SqliteControl => {
    const control = openControl(folder, { now: () => NOW })
    t.after(() => control.close())
    return control
  }
  const control = open()
  await control.createApp('demo', ACTOR)
  await control.createKey({ name: 'a', hash: HASH_A, rules: UNLIMITED }, ACTOR)
  await control.createKey({ name: 'b', hash: HASH_B, rules: UNLIMITED }, ACTOR)
  const damage = (sql: string): void => {
    const db = new DatabaseSync(controlFile(folder))
    db.exec(sql)
    db.close()
  }
  return { folder, control, open, damage }
}

test('a key whose rules can not be read is closed, whatever stands there, and hides nothing else', async (t) => {
  const { control, open, damage } = await folderOf(t)
  for (const rules of [
    "json_remove(rules,'$.rate')",
    "'{'",
    "''",
    "'null'",
    "json_set(rules,'$.expiresAt',1e300)",
  ]) {
    damage(`UPDATE keys SET rules = ${rules} WHERE name = 'a'`)
    for (const { keysByHash, keysById, damages } of [control.readDirectory(), open().readDirectory()]) {
      const a = keysByHash.get(HASH_A)!
      assert.match(a.damage ?? '', /^the rules of --\w+.* can't be read$/, rules)
      assert.deepEqual(a.rules.permission, [])
      assert.equal(keysById.get(a.id), a)
      assert.deepEqual(keysByHash.get(HASH_B)?.rules, UNLIMITED)
      assert.equal(keysByHash.get(HASH_B)?.damage, undefined)
      assert.equal(damages.length, 1)
      assert.match(damages[0]!, /^the key "a" lets nobody in: .*"sheaf key revoke" mends that$/)
    }
  }
  await control.revokeKey('a', ACTOR)
  assert.deepEqual(control.readDirectory().damages, [])
  assert.deepEqual([...control.readDirectory().keysByHash.keys()], [HASH_B])
})

test('an update mends a key where it gives anew every rule that can not be read, and keeps the others', async (t) => {
  const { control, damage } = await folderOf(t)
  await control.updateKey({ name: 'a', rules: { apps: ['demo'] } }, ACTOR)
  damage(`UPDATE keys SET rules = json_set(json_remove(rules,'$.rate'),'$.addresses',7) WHERE name = 'a'`)
  await assert.rejects(control.updateKey({ name: 'a', rules: { rate: null, localhost: true } }, ACTOR), {
    code: 'invalid_rule',
    message:
      'the key "a" has rules that can\'t be read; give these anew (or their --all-…), or revoke the key: --address',
  })
  await assert.rejects(control.rotateKey({ name: 'a', hash: HASH_A.toUpperCase(), oldUntil: NOW }, ACTOR), {
    code: 'invalid_rule',
    message: /update its rules first/,
  })
  const mended = await control.updateKey(
    { name: 'a', rules: { rate: null, addresses: ['10.0.0.0/8'] } },
    ACTOR,
  )
  assert.deepEqual(mended.rules, { ...UNLIMITED, apps: ['demo'], addresses: ['10.0.0.0/8'] })
  assert.deepEqual(control.readDirectory().keysByHash.get(HASH_A), mended)
  damage(`UPDATE keys SET rules = '' WHERE name = 'a'`)
  const { tokenLifetimeMs, ...eight } = UNLIMITED
  await assert.rejects(control.updateKey({ name: 'a', rules: eight }, ACTOR), {
    message: /: --token-lifetime$/,
  })
  const whole = await control.updateKey({ name: 'a', rules: { ...eight, tokenLifetimeMs } }, ACTOR)
  assert.deepEqual(whole.rules, UNLIMITED)
})

test('times beyond what a double or a Date can hold hide nothing, and an end that is none is past', async (t) => {
  const { control, open, damage } = await folderOf(t)
  damage(
    `UPDATE apps SET created_at = ${HUGE}; UPDATE keys SET created_at = ${HUGE}, last_used_at = -1 WHERE name = 'a'`,
  )
  damage(`UPDATE key_secrets SET until = ${HUGE} WHERE hash = '${HASH_A}'`)
  damage(`INSERT INTO token_secrets(kid, secret, until) VALUES ('old', zeroblob(32), ${HUGE})`)
  const { keysByHash, apps, tokenSecrets } = control.readDirectory()
  assert.deepEqual([apps.get('demo')?.createdAt, keysByHash.get(HASH_B)?.createdAt], [0, NOW])
  const { createdAt, lastUsedAt, secrets, damage: said } = keysByHash.get(HASH_A)!
  assert.deepEqual([createdAt, lastUsedAt, secrets, said], [0, 0, [{ hash: HASH_A, until: 0 }], undefined])
  assert.deepEqual(
    tokenSecrets.map(({ kid, until }) => (kid === 'old' ? until : 'in use')),
    [0, 'in use'],
  )
  assert.deepEqual((await control.listKeys()).length, 2)
  assert.deepEqual(open().readDirectory().keysByHash.get(HASH_A), undefined, 'what has ended is tidied away')
})

test('an app whose row can not be one is passed over, and deleting it removes no file outside', async (t) => {
  const { folder, control, damage } = await folderOf(t)
  const outside = join(folder, 'server.sqlite')
  writeFileSync(outside, 'kept')
  damage(`UPDATE apps SET id = '../server'`)
  damage(`INSERT INTO apps(id, slug, created_at) VALUES ('01', '../x', 0)`)
  const { apps, damages } = control.readDirectory()
  assert.deepEqual([...apps.keys()], [])
  assert.deepEqual(
    damages.map((line) => line.slice(0, line.indexOf(':'))),
    ['the app "../x" is passed over', 'the app "demo" is passed over'],
  )
  await control.deleteApp('demo', ACTOR)
  assert.equal(readFileSync(outside, 'utf8'), 'kept')
})

test('a token secret that is damaged is left out, and the next start makes another', async (t) => {
  const { control, open, damage } = await folderOf(t)
  damage('UPDATE token_secrets SET secret = zeroblob(31)')
  const { tokenSecrets, damages } = control.readDirectory()
  assert.deepEqual(tokenSecrets, [])
  assert.match(damages[0]!, /"sheaf token rotate-secret" makes another one$/)
  assert.deepEqual(
    open()
      .readDirectory()
      .tokenSecrets.map(({ secret, until }) => [secret.length, until]),
    [[32, null]],
  )
  assert.deepEqual(control.readDirectory().damages, [])
})

test('where the setting of automatic indexes is damaged none is made, until it is set anew', async (t) => {
  const { control } = await folderOf(t)
  const other = await control.createApp('other', ACTOR)
  const { id } = control.readDirectory().apps.get('demo')!
  for (const text of ['{', '{}', 'null']) {
    control.putSetting('auto_index_off', text)
    assert.equal(hasAutoIndex(control, id), false, text)
  }
  await control.setAutoIndex({ slug: 'demo', isOn: true }, ACTOR)
  assert.equal(hasAutoIndex(control, id), true)
  assert.equal(hasAutoIndex(control, other.id), false)
})

test('apps and keys that can not be read are good for five seconds more, and again when they can', async (t) => {
  const { folder, control, damage } = await folderOf(t)
  const clock = { now: 1_000_000 }
  const failures: unknown[] = []
  const seen: number[] = []
  const age = new DirectoryAge(undefined, () => clock.now)
  const watch = new DirectoryWatch({ dataDir: folder, onFailure: (error) => failures.push(error) }, age)
  watch.start(({ keysById }) => seen.push(keysById.size))
  const elsewhere = new DirectoryAge(age.cell, () => clock.now)
  damage('ALTER TABLE keys RENAME TO lost')
  damage("INSERT INTO audit(at, actor, action, subject, details) VALUES (0, '', '', '', '{}')")
  assert.throws(() => watch.look(), /no such table: keys/)
  clock.now += 5000
  assert.doesNotThrow(() => watch.checkAge())
  elsewhere.check()
  clock.now += 100
  for (const check of [() => watch.checkAge(), () => elsewhere.check()])
    assert.throws(check, { code: 'store_unavailable', message: /no credentials can be checked/ })
  damage('ALTER TABLE lost RENAME TO keys')
  watch.look()
  watch.checkAge()
  elsewhere.check()
  watch.close()
  assert.deepEqual(seen, [2, 2])
  assert.deepEqual(failures, [])
  assert.equal((await control.listKeys()).length, 2)
})
