import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashApiKey } from '../../src/credentials/api-key.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { failure, json, runInProcess, success } from './in-process.ts'
import { runSheaf, storeFolder } from './run-sheaf.ts'

const ACTOR = `cli:${userInfo().username}`
const DAY = 24 * 60 * 60 * 1000

interface Key {
  readonly key?: string
  readonly oldKeysUntil: readonly string[]
}

interface AuditLine {
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly details: unknown
}

async function folderWithKey(t: TestContext, ...rules: readonly string[]) {
  const folder = await storeFolder(t)
  const data = ['--data', folder]
  await success(['app', 'create', 'shop', ...data])
  const made = (await json(['key', 'create', '--name', 'web', ...rules, ...data])) as Key
  return { folder, data, made }
}

test('a bad rule fails in one line that says how to mend it, and makes nothing', async (t) => {
  const { data } = await folderWithKey(t)
  const cases: [string[], RegExp][] = [
    [['--app', 'Shop'], /"Shop" can't be an app's slug/],
    [['--collection', 'a/b'], /it may not contain \//],
    [['--permission', 'write'], /write full, or some of read,create,update,delete/],
    [['--address', '10.0.0.1/8'], /write 10.0.0.0\/8 for the network, or 10.0.0.1$/],
    [['--website', 'https://example.com/'], /an origin has no path; write https:\/\/example.com$/],
    [['--rate', '5'], /write 1 to 1000000 requests a minute or a second \(100\/min, 5\/s\), or none$/],
    [['--expires', '2020-01-01'], /it is past/],
    [['--token-lifetime', '10'], /write a whole number of days, hours, minutes or seconds/],
  ]
  for (const [rule, message] of cases) {
    assert.match(await failure(['key', 'create', '--name', 'bad', ...rule, ...data]), message)
    assert.match(await failure(['key', 'update', 'web', ...rule, ...data]), message)
  }
  assert.match(await failure(['key', 'rotate', 'web', '--overlap', 'soon', ...data]), /can't be an overlap/)
  assert.match(
    await failure(['key', 'update', 'web', '--address', '::1', '--all-addresses', ...data]),
    /'--all-addresses' cannot be used with option '--address <cidr>'/,
  )
  assert.match(await failure(['key', 'update', 'web', ...data]), /there is nothing to change/)
  assert.match(await failure(['key', 'create', '--name', 'x', '--all-apps', ...data]), /unknown option/)
  assert.match(await failure(['audit', '--limit', '0', ...data]), /the limit must be a whole number from 1/)
  for (const command of [
    ['key', 'update', 'x', '--rate', 'none'],
    ['key', 'rotate', 'x'],
    ['key', 'end-tokens', 'x'],
  ])
    assert.match(await failure([...command, ...data]), /there is no key "x"/)
  assert.match(await failure(['key', 'create', '--nmae', 'x', ...data]), /see "sheaf key create --help"$/)
  const key = await success(['key', 'create', '--name', 'good', ...data])
  for (const command of ['revoke', 'rotate']) {
    const line = await failure(['key', command, key.trim(), ...data])
    assert.match(line, /that is a key, where its name is wanted/)
    assert.ok(!line.includes(key.trim()))
  }
  assert.match(await failure(['key', 'create', '--name', key.trim(), ...data]), /it is a key itself/)
  assert.deepEqual(JSON.parse((await runInProcess(['key', 'revoke', 'x', '--json', ...data])).stderr), {
    code: 'key_not_found',
    message: 'there is no key "x"; list the keys to see their names',
  })
  assert.equal(((await json(['audit', ...data])) as AuditLine[]).length, 3)
})

test('the list of keys tells how long old secrets live, and what has ended', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { data } = await folderWithKey(t)
  const rulesNow = async (): Promise<string> => await success(['key', 'list', ...data])
  await json(['key', 'rotate', 'web', '--overlap', '1h', ...data])
  await json(['key', 'rotate', 'web', '--overlap', '30d', ...data])
  const [latest] = ((await json(['key', 'list', ...data])) as { oldKeysUntil: string[] }[])[0]!.oldKeysUntil
    .sort()
    .reverse()
  assert.ok((await rulesNow()).includes(`rotated, the last of 2 old keys ends ${latest}`))
  await success(['key', 'update', 'web', '--expires', '1s', '--website', 'a.com', ...data])
  const early = await runInProcess(['key', 'rotate', 'web', ...data])
  assert.match(early.stderr, /works until \S+, when the key expires\./)
  t.mock.timers.tick(1000)
  assert.match(await rulesNow(), /websites a\.com and localhost; expired 20/)
  assert.match(
    (await runInProcess(['key', 'rotate', 'web', ...data])).stderr,
    /web expired 20.* lets it go on/,
  )
})

test('a key is made with every rule, changed and freed of them', async (t) => {
  const rules = [
    '--app',
    'shop',
    '--collection',
    'orders',
    '--collection',
    'all',
    '--permission',
    'create,read',
  ]
  const more = [
    '--address',
    '192.0.2.7',
    '--address',
    '2001:db8::/32',
    '--website',
    'https://*.Example.com:443',
  ]
  const last = ['--no-localhost', '--rate', '100/min', '--expires', '30d', '--token-lifetime', '90m']
  const { data, made } = await folderWithKey(t, ...rules, ...more, ...last)
  const { key, expires, createdAt, ...rest } = made as Key & { expires: string; createdAt: string }
  assert.match(key ?? '', /^shf_/)
  assert.ok(Math.abs(Date.parse(expires) - Date.parse(createdAt) - 30 * DAY) < 1000)
  const limited = {
    name: 'web',
    permission: 'read,create',
    apps: ['shop'],
    collections: ['orders', 'all'],
    addresses: ['192.0.2.7/32', '2001:db8::/32'],
    websites: ['https://*.example.com'],
    localhost: false,
    rate: '100/min',
    tokenLifetime: '90m',
    sentence:
      'May read and create documents in the collections orders and all of the app shop from the addresses 192.0.2.7/32 ' +
      'and 2001:db8::/32, only on pages of the website https://*.example.com, not of localhost, at most 100 times a ' +
      `minute, until ${expires}; its tokens live for 90 minutes.`,
    lastUsedAt: null,
    oldKeysUntil: [],
  }
  assert.deepEqual(rest, limited)
  assert.deepEqual(await json(['key', 'list', ...data]), [{ ...limited, expires, createdAt }])
  assert.match(
    await success(['key', 'list', ...data]),
    /^NAME +RULES +CREATED +LAST USED\nweb +read,create; apps shop; collections orders,all; addresses 192\.0\.2\.7\/32,2001:db8::\/32; websites https:\/\/\*\.example\.com; 100\/min; tokens for 90m; expires 20\S+Z +20\S+Z +never\n\nweb: May read and create documents in [^\n]+ live for 90 minutes\.\n$/,
  )
  const changed = await json(['key', 'update', 'web', '--rate', '5/s', '--localhost', ...data])
  const sentence = limited.sentence
    .replace(', not of localhost', ' or of localhost')
    .replace('100 times a minute', '5 times a second')
  assert.deepEqual(changed, { ...limited, expires, createdAt, rate: '5/s', localhost: true, sentence })
  const lifts = ['--all-apps', '--all-collections', '--all-addresses', '--all-websites', '--rate', 'none']
  const freed = ['key', 'update', 'web', ...lifts, '--expires', 'never', '--permission', 'full', ...data]
  assert.match(await success(freed), /\nweb +full; tokens for 90m +20\S+Z +never\n$/)
})

test('an app that is yet to be made may be named, and a line beside the key says so', async (t) => {
  const { data } = await folderWithKey(t)
  const args = ['key', 'create', '--name', 'blog', '--app', 'blog', '--app', 'shop', ...data]
  const { code, stdout, stderr } = await runInProcess(args)
  assert.equal(code, 0)
  assert.match(stdout, /^shf_[0-9a-z]{40}\n$/)
  assert.equal(stderr, 'sheaf: there is no app blog yet; the key may use it once it is made\n')
})

test('a rotated key is printed once, and the old one is kept for as long as was said', async (t) => {
  const { folder, data, made } = await folderWithKey(t)
  const { code, stdout, stderr } = await runInProcess(['key', 'rotate', 'web', ...data])
  assert.equal(code, 0)
  const rotated = stdout.trimEnd()
  assert.match(rotated, /^shf_[0-9a-z]{40}$/)
  const until = Date.parse(
    /^The old key of web works until (\S+Z)\. Tokens of this key go on; .*\n$/.exec(stderr)?.[1] ?? '',
  )
  assert.ok(Math.abs(until - Date.now() - DAY) < 60_000)
  const control = await openAccounts({ dataDir: folder })
  const { keysByHash } = await control.readDirectory()
  assert.deepEqual(
    keysByHash.get(hashApiKey(made.key ?? ''))?.secrets.map((secret) => secret.until),
    [null, until],
  )
  await control.close()
  assert.match(await success(['key', 'list', ...data]), /rotated, the old key ends 20/)
  const last = (await json(['key', 'rotate', 'web', '--overlap', '0', ...data])) as Key
  assert.deepEqual(last.oldKeysUntil, [])
  assert.notEqual(last.key, rotated)
  assert.match(
    (await runInProcess(['key', 'rotate', 'web', '--overlap', '0', ...data])).stderr,
    /has ended\. Tokens of this key go on/,
  )
})

test('the tokens of a key are ended, which is told, and in the audit trail', async (t) => {
  const { data } = await folderWithKey(t)
  assert.equal(await success(['key', 'end-tokens', 'web', ...data]), 'Every token of the key web is void.\n')
  assert.deepEqual(await json(['key', 'end-tokens', 'web', ...data]), { name: 'web', tokensEnded: true })
  const lines = (await json(['audit', ...data])) as AuditLine[]
  assert.deepEqual(
    lines.slice(0, 2).map(({ action, subject }) => [action, subject]),
    [
      ['key.end-tokens', 'web'],
      ['key.end-tokens', 'web'],
    ],
  )
})

test('a token secret is rotated, and told with its end and nothing of what it is', async (t) => {
  const { folder, data } = await folderWithKey(t, '--token-lifetime', '30d')
  const kept = (await json(['token', 'rotate-secret', ...data])) as { oldUntil: string }
  assert.ok(Math.abs(Date.parse(kept.oldUntil) - Date.now() - 30 * DAY) < 120_000)
  const text = await success(['token', 'rotate-secret', '--now', ...data])
  assert.equal(text, 'Tokens have a new secret, and every older token is void.\n')
  const control = await openAccounts({ dataDir: folder })
  const { tokenSecrets } = await control.readDirectory()
  await control.close()
  assert.equal(tokenSecrets.length, 1)
})

test('the audit trail says who did what, the newest first, and holds no key', async (t) => {
  const { folder, data, made } = await folderWithKey(t, '--app', 'shop')
  await success(['key', 'update', 'web', '--rate', '5/s', ...data])
  const { stdout } = await runInProcess(['key', 'rotate', 'web', ...data])
  await success(['token', 'rotate-secret', ...data])
  await success(['key', 'revoke', 'web', ...data])
  await success(['app', 'delete', 'shop', ...data])
  const lines = (await json(['audit', ...data])) as AuditLine[]
  assert.deepEqual(
    lines.map(({ actor, action, subject }) => [
      actor,
      action,
      /^[0-9a-f]{16}$/.test(subject) ? 'kid' : subject,
    ]),
    [
      [ACTOR, 'app.delete', 'shop'],
      [ACTOR, 'key.revoke', 'web'],
      [ACTOR, 'token.rotate-secret', 'kid'],
      [ACTOR, 'key.rotate', 'web'],
      [ACTOR, 'key.update', 'web'],
      [ACTOR, 'key.create', 'web'],
      [ACTOR, 'app.create', 'shop'],
    ],
  )
  assert.deepEqual(lines[4]?.details, { rate: '5/s' })
  const { permission, apps } = lines[5]!.details as Record<string, unknown>
  assert.deepEqual([permission, apps], ['full', ['shop']])
  assert.deepEqual(await json(['audit', '--limit', '2', ...data]), lines.slice(0, 2))
  assert.match(
    await success(['audit', '--limit', '1', ...data]),
    /^WHEN +WHO +DID +TO +APP +DETAILS\n20\S+Z +cli:\S+ +app\.delete +shop +shop\n$/,
  )
  for (const key of [made.key ?? '', stdout.trimEnd()]) {
    for (const entry of readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile()))
      assert.ok(!readFileSync(join(folder, entry.name), 'latin1').includes(key.slice(4)))
  }
})

test('processes that change one key at once all have their change and their line', async (t) => {
  const { folder, data } = await folderWithKey(t)
  const changes = ['--rate 5/s', '--permission read', '--no-localhost', '--address ::1', '--expires 30d']
  const runs = await Promise.all([
    ...changes.map((change) => runSheaf(['key', 'update', 'web', ...change.split(' '), ...data])),
    ...[1, 2, 3].map(() => runSheaf(['key', 'rotate', 'web', ...data])),
  ])
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0, 0, 0, 0, 0, 0],
  )
  const control = await openAccounts({ dataDir: folder })
  t.after(() => control.close())
  const [key] = await control.listKeys()
  assert.deepEqual(
    [key?.rules.rate, key?.rules.permission, key?.rules.localhost, key?.rules.addresses],
    [{ requests: 5, perMs: 1000 }, ['read'], false, ['::1/128']],
  )
  assert.equal(key?.secrets.length, 4)
  assert.equal(key?.secrets.filter(({ until }) => until === null).length, 1)
  assert.equal((await control.listAudit({ limit: 100 })).length, 10)
})
