import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApp } from '../../src/operations/create-app.ts'
import { createKey } from '../../src/operations/create-key.ts'
import { feedSheaf, json, success } from '../cli/run-sheaf.ts'
import { eventuallyEqual } from '../server/eventually-equal.ts'
import { cookieOf, Dashboard, PASSWORD } from './start-dashboard.ts'

const ADA = 'ada@example.org'
const BOB = 'bob@example.org'
const OTHER = 'plaiting numbers 1844'

interface Link {
  readonly link: string
}

function secretOf({ link }: Link): string {
  return link.slice(link.indexOf('#') + 1)
}

describe('commands for accounts beside a running server', () => {
  let dashboard: Dashboard
  let data: string[]

  before(async () => {
    dashboard = await Dashboard.start()
    data = ['--data', dashboard.server.folder]
  })
  after(() => dashboard.close())

  const account = (...words: string[]): Promise<string> => success(['account', ...words, ...data])
  const read = async <T>(...words: string[]): Promise<T> => (await json(['account', ...words, ...data])) as T
  const feed = async (words: readonly string[], input: string): Promise<void> => {
    const { code, stderr } = await feedSheaf(['account', ...words, '--password-stdin', ...data], input)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  }
  const signIn = (email: string, password: string) =>
    dashboard.send('POST', '/session', {}, { json: { email, password } })
  const use = (secret: string, email: string) =>
    dashboard.send('POST', '/account', {}, { json: { secret, email, name: email, password: PASSWORD } })

  it('make a link for the first account, which ends the one of the start', async () => {
    const { greeting, port } = dashboard.server
    const [, ofStart = ''] = /\/_\/setup#([\w-]{43})\n/.exec(greeting) ?? []
    const made = await read<Link>('setup-link', '--port', String(port))
    assert.ok(made.link.startsWith(`https://localhost:${port}/_/setup#`))
    assert.equal((await use(ofStart, ADA)).json.code, 'invalid_link')
    assert.equal((await use(secretOf(made), ADA)).status, 201)
    assert.match(await account('list'), /^EMAIL .*\nada@example.org +ada@example.org +yes +no /)
  })

  it('make accounts, by an invitation or at once', async () => {
    const invitation = await read<Link>('create', 'eve@example.org')
    assert.equal((await use(secretOf(invitation), BOB)).json.code, 'invalid_account')
    assert.equal((await use(secretOf(invitation), 'eve@example.org')).status, 201)
    await feed(['create', BOB, '--name', 'Bob'], PASSWORD)
    assert.equal((await signIn(BOB, PASSWORD)).json.account.name, 'Bob')
  })

  it('give another password, by a link or at once, and end the sessions', async () => {
    const cookie = cookieOf(await signIn(BOB, PASSWORD))
    const secret = secretOf(await read<Link>('reset-password', BOB))
    assert.equal((await dashboard.send('GET', '/session', cookie)).status, 200)
    const body = { json: { secret, password: OTHER } }
    assert.equal((await dashboard.send('POST', '/account/password-reset', {}, body)).status, 200)
    assert.equal((await dashboard.send('GET', '/session', cookie)).json.code, 'invalid_credentials')
    const second = cookieOf(await signIn(BOB, OTHER))
    await feed(['reset-password', BOB], PASSWORD)
    assert.equal((await dashboard.send('GET', '/session', second)).json.code, 'invalid_credentials')
    assert.equal((await signIn(BOB, PASSWORD)).status, 200)
  })

  it('take a lost second factor away', async () => {
    const { id } = (await dashboard.accounts.findAccount({ email: BOB }))!
    const totp = { account: id, secret: Buffer.from('secret'), step: 1, recoveryHashes: [] }
    await dashboard.accounts.enableTotp(totp, 'test')
    assert.equal((await signIn(BOB, PASSWORD)).json.code, 'code_required')
    await account('disable-totp', BOB)
    assert.equal((await signIn(BOB, PASSWORD)).status, 200)
  })

  it('make and end tokens', async () => {
    const token = (await account('token', 'create', BOB, '--name', 'ci', '--permission', 'read')).trimEnd()
    const bearer = { Authorization: `Bearer ${token}` }
    assert.equal((await dashboard.send('GET', '/account', bearer)).status, 200)
    assert.match(await account('token', 'list', BOB), /\nci +read +\S+Z +\S+Z +20\S+Z\n/)
    await account('token', 'revoke', BOB, 'ci')
    assert.equal((await dashboard.send('GET', '/account', bearer)).json.code, 'invalid_credentials')
  })

  it('delete an account, with whose apps its keys are refused within a second', async () => {
    const cookie = cookieOf(await signIn(BOB, PASSWORD))
    const owner = (await dashboard.accounts.findAccount({ email: BOB }))!.id
    const context = { control: dashboard.accounts, actor: 'test', owner, now: Date.now }
    await createApp(context, 'garden')
    const { apiKey } = await createKey(context, { name: 'web' })
    const status = async (): Promise<number> => {
      const headers = { 'X-Service-API-Key': apiKey }
      return (await dashboard.server.client.send('GET', '/apps/garden/collections', { headers })).status
    }
    await eventuallyEqual(status, 200)
    assert.equal(
      await account('delete', BOB, '--apps', 'delete'),
      `Account ${BOB} is deleted, with its apps: garden.\n`,
    )
    await eventuallyEqual(status, 401)
    assert.equal((await dashboard.send('GET', '/session', cookie)).json.code, 'invalid_credentials')
  })

  it('are in the audit trail by whoever ran them', async () => {
    const trail = (await json(['audit', ...data])) as { actor: string; action: string; subject: string }[]
    const done = trail
      .filter(({ actor }) => actor.startsWith('cli:'))
      .map(({ action, subject }) => `${action} ${subject}`)
    assert.deepEqual(done.toReversed(), [
      'link.create setup',
      'link.create invite',
      `account.create ${BOB}`,
      'link.create reset',
      `account.update ${BOB}`,
      `account.disable-totp ${BOB}`,
      'account-token.create ci',
      'account-token.delete ci',
      `account.delete ${BOB}`,
    ])
  })
})
