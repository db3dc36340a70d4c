import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { hashApiKey } from '../credentials/api-key.ts'
import { AppError } from '../errors.ts'
import type { AccountStore } from '../storage/account-store.ts'
import { openControlFile } from '../storage/sqlite/control/control-file.ts'
import { openAccounts } from '../storage/sqlite/control/open-accounts.ts'
import { controlFile, openDataFolder } from '../storage/sqlite/files/data-folder.ts'
import { createApp } from './create-app.ts'
import { createKey } from './create-key.ts'
import { deleteApp } from './delete-app.ts'
import { listAudit } from './list-audit.ts'
import { type FirstStart, provision } from './provision.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { rotateTokenSecret } from './rotate-token-secret.ts'
import { updateKey } from './update-key.ts'

const NOW = Date.UTC(2026, 0, 1)
const HOUR = 60 * 60 * 1000

async function accounts(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-'))
  openDataFolder(dataDir)
  const clock = { now: NOW }
  const now = (): number => clock.now
  const control = await openAccounts({ dataDir, now })
  t.after(async () => {
    await control.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { account: { control, actor: 'cli:test', owner: null, now }, control, clock, dataDir }
}

test('slugs and names of a wrong form are refused before anything is stored', async (t) => {
  const { account, control, dataDir } = await accounts(t)
  for (const slug of ['', 'A', '-a', 'a-', 'a_b', 'a/b', '..', 'é', 'a'.repeat(64), 'a\n'])
    await assert.rejects(createApp(account, slug), { code: 'invalid_name' })
  for (const name of [
    '',
    '  ',
    ' a',
    'a ',
    '-',
    '--json',
    'a\nb',
    'a\u0000',
    '\u2028',
    '\ud800',
    'x'.repeat(129),
  ])
    await assert.rejects(createKey(account, { name }), { code: 'invalid_name' })
  assert.deepEqual([await control.listApps(), await control.listKeys()], [[], []])
  assert.deepEqual(readdirSync(join(dataDir, 'apps')), [])
})

test('what is not there can be neither deleted nor revoked', async (t) => {
  const { account } = await accounts(t)
  for (const slug of ['nothing', '__proto__', ''])
    await assert.rejects(deleteApp(account, { slug }), { code: 'app_not_found' })
  await assert.rejects(revokeKey(account, 'nothing'), { code: 'key_not_found' })
})

test('the longest names are taken, emoji counted as one character', async (t) => {
  const { account } = await accounts(t)
  assert.equal((await createApp(account, 'a'.repeat(63))).slug, 'a'.repeat(63))
  assert.equal((await createKey(account, { name: '🌾'.repeat(128) })).record.name, '🌾'.repeat(128))
})

test('a key is answered once and stored as its hash alone', async (t) => {
  const { account, control, dataDir } = await accounts(t)
  const { apiKey, record } = await createKey(account, { name: 'web' })
  assert.equal(record.secrets[0]?.hash, hashApiKey(apiKey))
  assert.deepEqual(await control.listKeys(), [record])
  for (const name of readdirSync(dataDir, { withFileTypes: true }).filter((entry) => entry.isFile()))
    assert.ok(!readFileSync(join(dataDir, name.name), 'latin1').includes(apiKey.slice(4)))
})

/** What a start shows. */
async function provisioned(control: AccountStore): Promise<FirstStart[]> {
  const shown: FirstStart[] = []
  await provision(control, { show: (first) => shown.push(first) })
  return shown
}

const CANT_SHOW = new AppError('output_failed', 'nobody reads')

function refuse(): never {
  throw CANT_SHOW
}

test('what can not be shown is not made, and leaves no line in the audit trail', async (t) => {
  const { account, control, dataDir } = await accounts(t)
  const { record } = await createKey(account, { name: 'web' })
  for (const make of [
    () => createApp(account, 'shop', refuse),
    () => createKey(account, { name: 'second' }, refuse),
    () => rotateKey(account, { name: 'web' }, refuse),
  ])
    await assert.rejects(make, CANT_SHOW)
  assert.deepEqual(await control.listApps(), [])
  assert.deepEqual(readdirSync(join(dataDir, 'apps')), [])
  assert.deepEqual(await control.listKeys(), [record])
  assert.equal((await listAudit(control, { limit: 10 })).length, 1)
})

test('what is shown is found to be right before, and is made only after', async (t) => {
  const { account, dataDir } = await accounts(t)
  const other = await openControlFile(dataDir)
  t.after(() => other.close())
  const shown: string[] = []
  const show = ({ apiKey }: { apiKey: string }): void => {
    shown.push(apiKey)
    assert.equal(other.readDirectory().keysByHash.size, 0)
  }
  const { apiKey } = await createKey(account, { name: 'web' }, show)
  assert.deepEqual(shown, [apiKey])
  await assert.rejects(createKey(account, { name: 'web' }, show), { code: 'key_exists' })
  assert.equal(shown.length, 1)
  assert.equal(other.readDirectory().keysByHash.size, 1)
})

test('what is shown slowly keeps nobody else from writing', async (t) => {
  const { account, dataDir } = await accounts(t)
  const other = await openControlFile(dataDir)
  t.after(() => other.close())
  const { record } = await createKey(account, { name: 'web' })
  let shown = 0
  // As a server does for the ids that it gives, and for the times at which keys were used.
  const write = (): void => {
    shown++
    other.putSetting('ulid_floor_ms', String(shown))
  }
  const { apiKey } = await createKey(account, { name: 'second' }, write)
  await createApp(account, 'shop', write)
  await rotateKey(account, { name: 'web', overlap: '0' }, write)
  assert.equal(other.setting('ulid_floor_ms'), '3')
  const { keysByHash, apps } = other.readDirectory()
  assert.ok(keysByHash.has(hashApiKey(apiKey)) && apps.has('shop'))
  assert.ok(!keysByHash.has(record.secrets[0]!.hash))
})

test('what somebody else made while it was shown is not made twice', async (t) => {
  const { account, control, dataDir } = await accounts(t)
  const { apiKey } = await createKey(account, { name: 'web' })
  // As another process would, while this one shows.
  const other = new DatabaseSync(controlFile(dataDir))
  t.after(() => other.close())
  const meanwhile = (sql: string) => (): void => other.exec(sql)
  const key = "INSERT INTO keys(id, name, rules, created_at) VALUES ('01', 'second', '{}', 0)"
  await assert.rejects(createKey(account, { name: 'second' }, meanwhile(key)), { code: 'key_exists' })
  const app = "INSERT INTO apps(id, slug, created_at) VALUES ('01', 'shop', 0)"
  await assert.rejects(createApp(account, 'shop', meanwhile(app)), { code: 'app_exists' })
  assert.deepEqual(
    (await control.listApps()).map(({ id }) => id),
    ['01'],
  )
  assert.deepEqual(readdirSync(join(dataDir, 'apps')), [])
  const revocation = "DELETE FROM key_secrets; DELETE FROM keys WHERE name = 'web'"
  await assert.rejects(rotateKey(account, { name: 'web' }, meanwhile(revocation)), { code: 'key_not_found' })
  assert.ok(!(await control.readDirectory()).keysByHash.has(hashApiKey(apiKey)))
})

test('a first start whose key can not be shown makes nothing, and the next one shows a key', async (t) => {
  const { control } = await accounts(t)
  await assert.rejects(provision(control, { show: refuse }), CANT_SHOW)
  assert.deepEqual([await control.listApps(), await control.listKeys()], [[], []])
  const [first] = await provisioned(control)
  assert.equal((await control.listKeys())[0]?.secrets[0]?.hash, hashApiKey(first!.apiKey))
})

test('a new folder gets the app demo and one key, once in its life', async (t) => {
  const { account, control } = await accounts(t)
  const [first, ...more] = await provisioned(control)
  assert.deepEqual([first?.appSlug, more], ['demo', []])
  assert.equal((await control.listKeys())[0]?.secrets[0]?.hash, hashApiKey(first?.apiKey ?? ''))
  assert.deepEqual(await provisioned(control), [])
  await deleteApp(account, { slug: 'demo', isAtOnce: true })
  await revokeKey(account, 'default')
  assert.deepEqual(await provisioned(control), [])
  assert.deepEqual([await control.listApps(), await control.listKeys()], [[], []])
})

test('an app that was deleted before the first start is not made again', async (t) => {
  const { account, control } = await accounts(t)
  await createApp(account, 'demo')
  await deleteApp(account, { slug: 'demo' })
  assert.equal((await provisioned(control)).length, 1)
  assert.deepEqual(await control.listApps(), [])
})

test('what was made before the first start is used and not added to', async (t) => {
  const { account, control } = await accounts(t)
  await createApp(account, 'shop')
  const [first] = await provisioned(control)
  assert.equal(first?.appSlug, 'shop')
  assert.deepEqual(
    (await control.listApps()).map((app) => app.slug),
    ['shop'],
  )
})

test('a folder that has a key gets no second one', async (t) => {
  const { account, control } = await accounts(t)
  await createKey(account, { name: 'web' })
  assert.deepEqual(await provisioned(control), [])
  assert.deepEqual(
    (await control.listKeys()).map((key) => key.name),
    ['web'],
  )
  assert.deepEqual(
    (await control.listApps()).map((app) => app.slug),
    ['demo'],
  )
})

test('a bad rule is refused before anything is made or changed', async (t) => {
  const { account, control } = await accounts(t)
  await assert.rejects(createKey(account, { name: 'web', rules: { rate: '5' } }), { code: 'invalid_rule' })
  assert.deepEqual(await control.listKeys(), [])
  const { record } = await createKey(account, { name: 'web', rules: { apps: ['shop'] } })
  await assert.rejects(updateKey(account, { name: 'web', rules: { apps: 'all', expires: '1' } }), {
    code: 'invalid_rule',
  })
  await assert.rejects(updateKey(account, { name: 'web', rules: {} }), { message: /nothing to change/ })
  await assert.rejects(updateKey(account, { name: 'app', rules: { apps: 'all' } }), { code: 'key_not_found' })
  await assert.rejects(rotateKey(account, { name: 'web', overlap: '-1h' }), {
    code: 'invalid_rule',
    message: /"-1h" can't be an overlap: write a whole number .*, or 0$/,
  })
  assert.deepEqual(await control.listKeys(), [record])
})

test('a rotated key has two secrets until the overlap ends, 24 hours by default', async (t) => {
  const { account, control, clock } = await accounts(t)
  const { apiKey: first } = await createKey(account, { name: 'web' })
  const { apiKey: second, oldUntil } = await rotateKey(account, { name: 'web' })
  assert.equal(oldUntil, NOW + 24 * HOUR)
  assert.deepEqual((await control.listKeys())[0]?.secrets, [
    { hash: hashApiKey(second), until: null },
    { hash: hashApiKey(first), until: NOW + 24 * HOUR },
  ])
  clock.now += HOUR
  const { apiKey: third, record } = await rotateKey(account, { name: 'web', overlap: '0' })
  assert.deepEqual(record.secrets, [{ hash: hashApiKey(third), until: null }])
})

test('a new token secret leaves the old one for as long as the longest token lives', async (t) => {
  const { account, control } = await accounts(t)
  const [old] = (await control.readDirectory()).tokenSecrets
  await createKey(account, { name: 'short', rules: { tokenLifetime: '2s' } })
  assert.equal(await rotateTokenSecret(account, { now: false }), NOW + 10 * 24 * HOUR + 60_000)
  await createKey(account, { name: 'long', rules: { tokenLifetime: '30d' } })
  assert.equal(await rotateTokenSecret(account, { now: false }), NOW + 30 * 24 * HOUR + 60_000)
  // What was rotated out before keeps its own, earlier end.
  const untils = (await control.readDirectory()).tokenSecrets.map(({ until }) => until)
  assert.deepEqual(untils, [null, NOW + 30 * 24 * HOUR + 60_000, NOW + 10 * 24 * HOUR + 60_000])
  assert.equal(await rotateTokenSecret(account, { now: true }), NOW)
  const left = (await control.readDirectory()).tokenSecrets
  assert.equal(left.length, 1)
  assert.notEqual(left[0]?.kid, old?.kid)
})

test('the audit trail says who did it, the first start among them, and takes a limit within bounds', async (t) => {
  const { account, control } = await accounts(t)
  await provisioned(control)
  await revokeKey(account, 'default')
  assert.deepEqual(
    (await listAudit(control, { limit: 10 })).map(({ actor, action }) => [actor, action]),
    [
      ['cli:test', 'key.revoke'],
      ['start', 'app.create'],
      ['start', 'key.create'],
    ],
  )
  for (const limit of [0, -1, 1.5, Number.NaN, 100_001])
    await assert.rejects(listAudit(control, { limit }), { code: 'invalid_parameter' })
})
