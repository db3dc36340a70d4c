import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret } from '../../src/credentials/secret.ts'
import { ADA, accountStore, BOB, DAY_MS, PASSWORD, type ShownAccount } from './account-store.ts'
import { failure, success } from './in-process.ts'

const OTHER = 'plaiting nümbers 1844'
/** Markup and changes of direction, as long as names may be. */
const HOSTILE = `<img src=x onerror=alert(1)>\u202e\u2066${'n'.repeat(90)}`

interface Link {
  readonly link: string
  readonly until: string
}

function hashOf({ link }: Link, start: string): string {
  assert.ok(link.startsWith(start), link)
  return hashSecret(link.slice(start.length))
}

test('without a store in the folder no command does anything', async () => {
  for (const words of [
    ['setup-link'],
    ['list'],
    ['create', ADA, '--operator'],
    ['reset-password', ADA],
    ['disable-totp', ADA],
    ['delete', ADA],
    ['token', 'list', ADA],
    ['token', 'revoke', ADA, 'ci'],
    ['token', 'create', ADA, '--name', 'ci', '--permission', 'read'],
  ])
    assert.match(
      await failure(['account', ...words, '--data', '/nowhere']),
      /no data folder|there is no|holds no/,
    )
})

test('a link for the first account ends the one before it, and is refused once there is an account', async (t) => {
  const { read, account, refused, accounts, create } = await accountStore(t)
  const start = 'https://localhost:8443/_/setup#'
  const first = await read<Link>('setup-link')
  assert.equal((await accounts.findLink(hashOf(first, start)))?.purpose, 'setup')
  const second = await read<Link>('setup-link')
  assert.equal(await accounts.findLink(hashOf(first, start)), undefined)
  assert.equal((await accounts.findLink(hashOf(second, start)))?.until, Date.parse(second.until))
  assert.ok(Math.abs(Date.parse(second.until) - Date.now() - DAY_MS) < 60_000)
  assert.match(
    await account('setup-link --port 9000'),
    /^Make the first account within 24 hours:\n {2}https:\/\/localhost:9000\/_\/setup#[\w-]{43}\n$/,
  )
  await create(ADA, '--operator')
  assert.match(await refused('setup-link'), /^there is an account already, .*"sheaf account create"$/)
})

test('links lead where the server is reached by, as its options and variables say', async (t) => {
  const { data } = await accountStore(t)
  const linkFor = async (env: Record<string, string>, ...options: string[]): Promise<string> =>
    (JSON.parse(await success(['account', 'setup-link', '--json', ...options, ...data], env)) as Link).link
  const origin = 'https://db.example.org'
  for (const [env, options, expected] of [
    [{ SHEAF_PUBLIC_URL: origin }, [], origin],
    [{ SHEAF_PUBLIC_URL: 'https://other.example.org' }, ['--public-url', `${origin}:9000`], `${origin}:9000`],
    [{ SHEAF_PORT: '9000', SHEAF_HOST: '192.0.2.1' }, [], 'https://192.0.2.1:9000'],
    [{ SHEAF_PORT: '9000' }, ['--port', '9001'], 'https://localhost:9001'],
  ] as const)
    assert.ok((await linkFor(env, ...options)).startsWith(`${expected}/_/setup#`))
  for (const words of [['setup-link'], ['create', ADA, '--operator'], ['reset-password', ADA]]) {
    const command = ['account', ...words, ...data]
    assert.match(await failure([...command, '--port', '0']), /port 0 .* give --port or --public-url$/)
    assert.match(await failure([...command, '--public-url', 'db.example.org']), /write https:\/\/, its name/)
  }
})

test('an invitation is for its address, an operator it may make, and the first account it must', async (t) => {
  const { read, account, refused, accounts } = await accountStore(t)
  assert.match(await refused(`create ${BOB}`), /first one is an operator's: add --operator/)
  const start = 'https://localhost:8443/_/invite#'
  const made = await read<Link & { email: string }>(`create ${ADA} --operator`)
  const hash = hashOf(made, start)
  assert.deepEqual(await accounts.findLink(hash), {
    ...{ purpose: 'invite', email: ADA, isOperator: true, hash, until: Date.parse(made.until) },
  })
  assert.ok(Math.abs(Date.parse(made.until) - Date.now() - 7 * DAY_MS) < 60_000)
  await accounts.useLinkForAccount({
    ...{ hash, account: { email: ADA, name: 'Ada', password: 'x' }, address: '192.0.2.7' },
  })
  assert.match(
    await account(`create ${BOB}`),
    /^Whoever has this link makes an account for bob@example.org within 7 days:\n {2}https:\S+\/_\/invite#[\w-]{43}\n$/,
  )
  assert.match(await account(`create ${BOB} --operator`), /makes an operator's account for bob/)
  assert.match(await refused(`create ${ADA.toUpperCase()}`), /there is an account with this e-mail address/)
  assert.match(await refused('create bob'), /email must be an address/)
  assert.match(await refused(`create ${BOB} --name Bob`), /--name goes with --password-stdin/)
})

test('an account is made at once with the password on standard input, by the rules of passwords', async (t) => {
  const { read, feed, accounts, data } = await accountStore(t)
  const words = ['create', ADA, '--name', 'Ada', '--operator', '--password-stdin']
  for (const [input, why] of [
    ['', /standard input is empty; write the password there/],
    ['\n', /standard input is empty/],
    ['short', /the password is too short/],
    ['password1234', /tried first/],
    [Buffer.from('weaving n\xfcmbers 1843', 'latin1'), /not in UTF-8/],
    ['x'.repeat(1e6), /has more than a password in it/],
  ] as const) {
    const { code, stdout, stderr } = await feed(words, input)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, why)
  }
  const { code, stdout, stderr } = await feed(words, `${OTHER}\n`)
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `Account ${ADA} is made.\n`, stderr: '' })
  const [ada] = await read<ShownAccount[]>('list')
  assert.deepEqual([ada?.email, ada?.name, ada?.isOperator, ada?.hasTotp], [ADA, 'Ada', true, false])
  assert.match((await accounts.findCredentials({ email: ADA }))?.password ?? '', /^\$argon2id\$/)
  assert.match(
    (await feed(['create', BOB, '--password-stdin'], OTHER)).stderr,
    /option '--name <name>' not spec/,
  )
  // Nothing of it is anywhere else.
  const trail = await success(['audit', ...data])
  assert.match(trail, /cli:\S+ +account.create +ada@example.org/)
  assert.ok(!trail.includes('argon2') && !trail.includes(OTHER))
})

test('a password is given anew by a link, or from standard input, which ends the sessions', async (t) => {
  const { read, refused, feed, create, accounts } = await accountStore(t)
  await create(ADA, '--operator')
  const { id } = (await accounts.findAccount({ email: ADA }))!
  const link = await read<Link>(`reset-password ${ADA}`)
  const found = await accounts.findLink(hashOf(link, 'https://localhost:8443/_/reset#'))
  assert.ok(found?.purpose === 'reset' && found.account === id)
  assert.ok(Math.abs(Date.parse(link.until) - Date.now() - DAY_MS) < 60_000)
  assert.match(await refused(`reset-password ${BOB}`), /there is no such account/)
  await accounts.createSession({
    way: 'password',
    account: id,
    hash: 'h',
    address: '192.0.2.7',
    userAgent: '',
  })
  const before = (await accounts.findCredentials({ id }))!.password
  const words = ['reset-password', ADA, '--password-stdin']
  assert.match((await feed(words, ADA)).stderr, /is your e-mail address/)
  assert.equal((await accounts.listSessions(id)).length, 1)
  assert.equal(
    (await feed(words, OTHER)).stdout,
    `Account ${ADA} has another password, and its sessions are ended.\n`,
  )
  assert.deepEqual(await accounts.listSessions(id), [])
  assert.notEqual((await accounts.findCredentials({ id }))!.password, before)
  assert.equal(await accounts.findLink(found.hash), undefined)
})

test('a second factor that was lost is taken away, with the sessions', async (t) => {
  const { account, read, refused, create, accounts } = await accountStore(t)
  await create(ADA, '--operator')
  const { id } = (await accounts.findAccount({ email: ADA }))!
  assert.match(await refused(`disable-totp ${ADA}`), /has no second factor/)
  await accounts.enableTotp({ account: id, secret: Buffer.from('s'), step: 1, recoveryHashes: ['r'] }, 'test')
  await accounts.createSession({
    way: 'password',
    account: id,
    hash: 'h',
    address: '192.0.2.7',
    userAgent: '',
  })
  assert.match(await account('list'), /ada@example.org +x +yes +yes /)
  assert.equal(
    await account(`disable-totp ${ADA}`),
    `Account ${ADA} has no second factor, and its sessions are ended.\n`,
  )
  assert.equal((await read<ShownAccount[]>('list'))[0]?.hasTotp, false)
  assert.deepEqual(await accounts.listSessions(id), [])
})

test('names of accounts are shown, and nothing in them is obeyed by a terminal', async (t) => {
  const { account, read, feed, data } = await accountStore(t)
  const words = ['create', ADA, '--operator', '--password-stdin', '--name']
  for (const name of ['', 'n'.repeat(121), 'a\u001b[2J', 'a\nb'])
    assert.equal((await feed([...words, name], PASSWORD)).code, 1)
  assert.equal(HOSTILE.length, 120)
  assert.equal((await feed([...words, HOSTILE], PASSWORD)).code, 0)
  const shown = `<img src=x onerror=alert(1)>${String.raw`\u202e\u2066`}${'n'.repeat(90)}`
  const table = await account('list')
  assert.match(table, new RegExp(`^EMAIL {12}NAME {${shown.length - 2}}OPERATOR .*\\n`))
  assert.equal(table.split('\n')[1]?.split('  ')[1], shown)
  const printed = await success(['account', 'list', '--json', ...data])
  for (const text of [table, printed]) assert.doesNotMatch(text, /[\p{Bidi_Control}\u001b]/u)
  assert.equal((await read<ShownAccount[]>('list'))[0]?.name, HOSTILE)
})
