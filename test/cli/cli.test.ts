import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashApiKey } from '../../src/credentials/api-key.ts'
import { createApp } from '../../src/operations/create-app.ts'
import { createKey } from '../../src/operations/create-key.ts'
import { openControlFile } from '../../src/storage/sqlite/control/control-file.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { newAccount } from '../account-contract/harness.ts'
import { failure, json, runInProcess, success } from './in-process.ts'
import {
  json as jsonOfProcess,
  success as processSuccess,
  runSheaf,
  storeFolder,
  temporaryFolder,
} from './run-sheaf.ts'

const KEY = /^shf_[0-9a-z]{40}$/

test('unknown options and commands fail in one line with a suggestion', async () => {
  assert.match(await failure(['serve', '--prot', '1']), /unknown option '--prot' \(Did you mean --port\?\)/)
  assert.match(
    await failure(['key', 'create', '--nam', 'x']),
    /unknown option '--nam' \(Did you mean --name\?\)/,
  )
  assert.match(await failure(['app', 'lst']), /unknown command 'lst' \(Did you mean list\?\)/)
  assert.match(await failure(['kye']), /unknown command 'kye' \(Did you mean key\?\)/)
  assert.match(await failure(['app', 'list', 'more']), /too many arguments/)
  assert.match(await failure(['app', 'create']), /missing required argument 'slug'/)
  assert.match(await failure(['key', 'create']), /required option '--name <name>' not specified/)
  assert.match(await failure(['--bogus']), /unknown option '--bogus'/)
})

test('an option of a key that is given twice fails, for the last would silently count alone', async (t) => {
  const data = ['--data', temporaryFolder(t)]
  const twice = ['--permission', 'read', '--permission', 'create']
  assert.match(
    await failure(['key', 'create', '--name', 'x', ...twice, ...data]),
    /option '--permission <permissions>' argument 'create' is invalid. It can be given once, and was 'read' before/,
  )
  assert.match(await failure(['key', 'create', '--name', 'x', '--name', 'y', ...data]), /was 'x' before/)
  assert.match(await failure(['key', 'list', ...data, ...data]), /option '--data <dir>'/)
})

test('a command that is missing is failure too, and shows what there is', async () => {
  for (const args of [[], ['app'], ['key'], ['account'], ['account', 'token'], ['token']]) {
    const { code, stdout, stderr } = await runSheaf(args)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, /Usage: sheaf/)
  }
})

test('help and version are everywhere', async () => {
  const named = (group: string, names: string): string[][] =>
    names.split(' ').map((name) => [...group.split(' '), name])
  const commands = [
    ...[[], ['serve'], ['audit'], ['app'], ['key'], ['account'], ['account', 'token'], ['token']],
    ...named('app', 'create list delete'),
    ...named('key', 'create list update rotate revoke'),
    ...named('account', 'setup-link list create reset-password disable-totp delete'),
    ...named('account token', 'create list revoke'),
    ...named('token', 'rotate-secret'),
  ]
  for (const command of commands) {
    assert.match(
      await success([...command, '--help']),
      new RegExp(`^Usage: ${['sheaf', ...command].join(' ')} `),
    )
    assert.match(await success([...command, '--version']), /^\d+\.\d+\.\d+\n$/)
  }
})

test('the help names every option of serve with its variable, and the same variables again for all commands', async () => {
  const help = await success(['serve', '--help'])
  // Each begins in a line of its own, and its text goes on in the next ones.
  const options = help.split(/\n(?= {2}-)/).slice(1)
  const named = options.flatMap((option) => /\((SHEAF_[A-Z_]+)/.exec(option.replace(/\s+/g, ' '))?.[1] ?? [])
  assert.equal(named.length, options.filter((option) => !/--(?:help|version)\b/.test(option)).length)
  const variables = (await success(['--help'])).match(/\bSHEAF_\w+/g)!
  assert.deepEqual(
    named.filter((name) => !variables.includes(name)),
    [],
  )
})

test('bad settings fail in one line', async () => {
  assert.match(await failure(['serve', '--port', 'x']), /the port .* must be a whole number/)
  assert.match(await failure(['serve', '--tls-cert', 'x']), /belong together/)
  assert.match(await failure(['app', 'list'], { SHEAF_PORT: '-1' }), /the port/)
  assert.match(await failure(['app', 'list'], { SHEAF_LIMIT_URL_BYTES: '1' }), /SHEAF_LIMIT_URL_BYTES/)
})

test('a folder that is none fails in one line', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), '')
  const data = ['--data', join(folder, 'file')]
  assert.match(await failure(['app', 'create', 'a', ...data]), /there is no Sheaf data in/)
  assert.match(await failure(['app', 'list', ...data]), /there is no Sheaf data in/)
  assert.match(await failure(['key', 'list', '--data', '']), /--data is empty/)
})

test('no command but serve makes a store, for no server would know what is in it', async (t) => {
  const empty = temporaryFolder(t)
  const missing = join(empty, 'missing')
  for (const args of [
    ['app', 'create', 'a'],
    ['app', 'list'],
    ['app', 'update', 'a', '--auto-index', 'off'],
    ['app', 'end-tokens', 'a'],
    ['app', 'delete', 'a'],
    ['app', 'restore', 'a'],
    ['key', 'create', '--name', 'a'],
    ['key', 'list'],
    ['key', 'update', 'a', '--rate', 'none'],
    ['key', 'rotate', 'a'],
    ['key', 'revoke', 'a'],
    ['key', 'end-tokens', 'a'],
    ['token', 'rotate-secret'],
    ['index', 'create', 'a', 'c', 'f'],
    ['index', 'list', 'a'],
    ['index', 'drop', 'a', 'c', 'f'],
    ['index', 'suggest', 'a'],
    ['explain', 'a', 'c', '{}'],
    ['slow', 'a'],
    ['audit'],
  ])
    for (const folder of [missing, empty])
      assert.equal(
        await failure([...args, '--data', folder]),
        `there is no Sheaf data in ${folder}; name the folder of a server with --data, or make a store there with "sheaf serve"`,
      )
  assert.deepEqual(readdirSync(empty), [])
})

test('a control file that is damaged fails in one line, and with SHEAF_DEBUG the stack is shown', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'control.sqlite'), 'no database '.repeat(1000))
  const args = ['app', 'list', '--data', folder]
  assert.match(await failure(args), /control\.sqlite is damaged or not a Sheaf control file/)
  const { code, stderr } = await runSheaf(args, { env: { SHEAF_DEBUG: '1' } })
  assert.equal(code, 1)
  assert.match(stderr, /\n {4}at /)
})

test('what belongs to accounts is listed with its owner, and keys of accounts where they are asked for', async (t) => {
  const folder = await storeFolder(t)
  const data = ['--data', folder]
  const accounts = await openAccounts({ dataDir: folder })
  const { id: owner } = await newAccount(accounts, 'ada')
  await createApp({ control: accounts, actor: 'test', owner, now: Date.now }, 'garden')
  await createKey({ control: accounts, actor: 'test', owner, now: Date.now }, { name: 'web' })
  await accounts.close()
  assert.match(
    await success(['app', 'list', ...data]),
    /^APP +CREATED +OWNER\ngarden +\S+Z +ada@example\.org\n$/,
  )
  await success(['app', 'create', 'shop', ...data])
  assert.match(await success(['app', 'list', ...data]), /\nshop +\S+Z +the operator\n$/)
  const told = (await json(['app', 'list', ...data])) as { slug: string; owner?: string }[]
  assert.deepEqual(
    told.map((app) => [app.slug, app.owner]),
    [
      ['garden', 'ada@example.org'],
      ['shop', undefined],
    ],
  )
  assert.equal(await success(['key', 'list', ...data]), 'NAME  RULES  CREATED  LAST USED\n')
  assert.match(await failure(['key', 'revoke', 'web', ...data]), /there is no key "web"/)
  const { stderr } = await runInProcess(['key', 'create', '--name', 'web', '--app', 'garden', ...data])
  assert.equal(stderr, 'sheaf: garden belongs to an account; only a key of that account may use it\n')
  assert.match(
    await success(['key', 'list', '--accounts', ...data]),
    /^NAME .* OWNER\nweb .* (the operator|ada@example\.org)\nweb .* (?!\1)(the operator|ada@example\.org)\n\nweb: May [^\n]+\nweb: May [^\n]+\n$/,
  )
  const keys = (await json(['key', 'list', '--accounts', ...data])) as { owner?: string }[]
  assert.deepEqual(keys.map((key) => key.owner).sort(), ['ada@example.org', undefined])
  assert.equal(((await json(['key', 'list', ...data])) as object[]).length, 1)
})

test('keys are made, listed and revoked, and shown only when they are made', async (t) => {
  const folder = await storeFolder(t)
  const data = ['--data', folder]
  const plain = await success(['key', 'create', '--name', 'web', ...data])
  assert.match(plain.trimEnd(), KEY)
  const made = (await json(['key', 'create', '--name', 'café 🌾', ...data])) as Record<string, string>
  assert.deepEqual(
    Object.keys(made).join(' '),
    'name key permission apps collections addresses websites localhost rate expires tokenLifetime sentence createdAt lastUsedAt oldKeysUntil',
  )
  assert.match(made.key ?? '', KEY)
  assert.match(await failure(['key', 'create', '--name', 'web', ...data]), /there is a key "web" already/)
  assert.match(await failure(['key', 'create', '--name', ' ', ...data]), /can't be a key's name/)
  const listed = await success(['key', 'list', '--json', ...data])
  const keys = JSON.parse(listed) as { name: string; permission: string; apps: string }[]
  assert.deepEqual(
    keys.map(({ name, permission, apps }) => [name, permission, apps]),
    [
      ['café 🌾', 'full', 'all'],
      ['web', 'full', 'all'],
    ],
  )
  for (const output of [listed, await success(['key', 'list', ...data])]) {
    assert.ok(!output.includes('shf_'))
    assert.ok(!output.includes(hashApiKey(plain.trimEnd())))
  }
  assert.deepEqual(await json(['key', 'revoke', 'web', ...data]), { name: 'web', revoked: true })
  assert.match(await failure(['key', 'revoke', 'web', ...data]), /there is no key "web"/)
  for (const file of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()))
    assert.ok(!readFileSync(join(folder, file.name), 'latin1').includes(plain.slice(4, -1)))
})

test('an empty list in JSON is an empty array', async (t) => {
  const folder = await storeFolder(t)
  await success(['app', 'create', 'a', '--data', folder])
  assert.equal(await success(['key', 'list', '--json', '--data', folder]), '[]\n')
})

test('the data folder comes from SHEAF_DATA, else it is ./data', async (t) => {
  const cwd = temporaryFolder(t)
  renameSync(await storeFolder(t), join(cwd, 'data'))
  assert.equal((await runSheaf(['app', 'create', 'here'], { cwd })).code, 0)
  const env = { SHEAF_DATA: join(cwd, 'data') }
  assert.match(await success(['app', 'list'], env), /here/)
})

test('processes that begin at once all get their key, each its own', async (t) => {
  const folder = await storeFolder(t)
  const names = Array.from({ length: 5 }, (_, index) => `key-${index}`)
  const made = await Promise.all(
    names.map((name) => jsonOfProcess(['key', 'create', '--name', name, '--data', folder])),
  )
  const hashes = made.map((key) => hashApiKey((key as { key: string }).key))
  const control = await openAccounts({ dataDir: folder })
  const { keysByHash } = await control.readDirectory()
  await control.close()
  assert.deepEqual(
    hashes.map((hash) => keysByHash.get(hash)?.name),
    names,
  )
})

test('of processes that want the same slug at once one gets it, and one file is made', async (t) => {
  const folder = await storeFolder(t)
  const runs = Array.from({ length: 4 }, () => runSheaf(['app', 'create', 'same', '--data', folder]))
  const results = await Promise.all(runs)
  assert.deepEqual(results.map(({ code }) => code).sort(), [0, 1, 1, 1])
  // One that was shown before another process made the same says so.
  for (const { stderr } of results.filter(({ code }) => code === 1))
    assert.match(stderr, /^sheaf: there is an app "same" already(; do not rely on what was printed)?\n$/)
  assert.deepEqual(readdirSync(join(folder, 'apps')).length, 1)
})

test("a change is seen by another process's open control file", async (t) => {
  const folder = await storeFolder(t)
  await processSuccess(['app', 'create', 'first', '--data', folder])
  const control = await openControlFile(folder)
  t.after(() => control.close())
  const before = control.version()
  await processSuccess(['app', 'create', 'second', '--data', folder])
  assert.ok(control.version() > before)
  assert.deepEqual([...control.readDirectory().apps.keys()], ['first', 'second'])
})

test('processes that begin at once make no more apps and keys than there may be', async (t) => {
  const folder = await storeFolder(t)
  const options = { env: { SHEAF_LIMIT_APPS: '2', SHEAF_LIMIT_KEYS: '2' } }
  const numbers = [1, 2, 3, 4]
  const runs = numbers.flatMap((number) => [
    runSheaf(['app', 'create', `app-${number}`, '--data', folder], options),
    runSheaf(['key', 'create', '--name', `key-${number}`, '--data', folder], options),
  ])
  const refusals = (await Promise.all(runs))
    .filter(({ code }) => code !== 0)
    // So ends the line of one that had shown a key when another process was first.
    .map(({ stderr }) => stderr.replace('; do not rely on what was printed\n', '\n'))
  const apps =
    'sheaf: there may be at most 2 apps, with those that can be restored; remove one that is not used, or raise the limit\n'
  const keys = 'sheaf: there may be at most 2 keys; revoke one that is not used, or raise the limit\n'
  assert.deepEqual(refusals.sort(), [apps, apps, keys, keys])
  const control = await openAccounts({ dataDir: folder })
  const { apps: made, keysById } = await control.readDirectory()
  await control.close()
  assert.deepEqual([made.size, keysById.size, readdirSync(join(folder, 'apps')).length], [2, 2, 2])
})
