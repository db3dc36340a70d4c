import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FROM, openAccountContext, type TestAccountContext } from '../../test/account-context.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { authenticateCaller } from './authenticate-caller.ts'
import { PASSWORD_GOOD_MS } from './authorise-caller.ts'
import type { AccountCaller } from './context.ts'
import { type DeleteAccountInput, deleteAccount } from './delete-account.ts'
import { describeDeletion } from './describe-deletion.ts'

const COMMAND_LINE = { kind: 'command-line', actor: 'cli:root' } as const
const DENIED = { code: 'permission_denied' }
const NOT_FOUND = { code: 'account_not_found' }

describe('the deletion of an account', () => {
  let test: TestAccountContext
  let operator: AccountCaller
  let keys = 0

  before(async () => {
    test = await openAccountContext()
    const { email } = await test.addAccount('operator', { isOperator: true })
    operator = (await test.enter(email)).caller
    await test.context.accounts.createApp({ slug: 'servers', owner: null }, 'test')
  })
  after(() => test.close())

  const addKey = (owner: string, apps: 'all' | string[]) =>
    test.context.accounts.createKey(
      { owner, name: `key ${keys++}`, hash: String(keys).padStart(64, '0'), rules: { ...UNLIMITED, apps } },
      'test',
    )
  const addApp = (account: AccountRecord, slug: string) =>
    test.context.accounts.createApp({ slug, owner: account.id }, 'test')
  const apps = async () =>
    (await test.context.accounts.listApps()).map(({ slug, owner }) => ({ slug, owner }))
  const remove = (caller: AccountCaller | typeof COMMAND_LINE, input: DeleteAccountInput) =>
    deleteAccount(test.context, caller, input)

  it('says before what of apps, keys and shares goes with it, and what does not', async () => {
    const [ada, grace] = [await test.addAccount('ada'), await test.addAccount('grace')]
    await addApp(ada, 'todo')
    await addApp(ada, 'shop')
    await addApp(grace, 'notes')
    await addKey(ada.id, 'all')
    await addKey(ada.id, ['shop'])
    await addKey(ada.id, ['notes', 'servers'])
    for (const [app, account] of [
      ['todo', grace],
      ['notes', ada],
    ] as const)
      await test.context.accounts.setShare({ app, account: account.id, role: 'viewer' }, 'test')
    const { caller } = await test.enter(ada.email)
    const described = {
      apps: [
        { slug: 'shop', keys: 2, shares: 0 },
        { slug: 'todo', keys: 1, shares: 1 },
      ],
      sharedApps: ['notes'],
      keys: 3,
      fates: ['delete', 'operator'],
    }
    assert.deepEqual(await describeDeletion(test.context, caller), described)
    assert.deepEqual(await describeDeletion(test.context, operator, { id: ada.id }), described)
    assert.deepEqual(await describeDeletion(test.context, operator), {
      ...{ apps: [], sharedApps: [], keys: 0 },
      fates: ['delete', 'operator'],
    })
    await assert.rejects(describeDeletion(test.context, caller, { id: grace.id }), DENIED)
    await assert.rejects(describeDeletion(test.context, COMMAND_LINE), NOT_FOUND)
    await assert.rejects(describeDeletion(test.context, COMMAND_LINE, { id: 'nobody' }), NOT_FOUND)
  })

  it('is done by its owner, in a session, with the password given lately', async () => {
    const mary = await test.addAccount('mary')
    await addApp(mary, 'weaving')
    const { caller, secret } = await test.enter(mary.email)
    const { session: _, ...rest } = caller
    const times = { expiresAt: Infinity, createdAt: 0, lastUsedAt: null }
    const token = { id: 'token', account: mary.id, name: 'ci', permissions: ['apps', 'server'], ...times }
    await assert.rejects(remove({ ...rest, token }, { apps: 'delete' }), DENIED)
    await assert.rejects(remove({ ...rest, token }, { id: operator.account.id, apps: 'delete' }), DENIED)
    await assert.rejects(remove(caller, { id: operator.account.id, apps: 'delete' }), DENIED)
    await assert.rejects(remove(caller, { apps: 'keep' as 'delete' }), { code: 'invalid_parameter' })
    test.clock.now += PASSWORD_GOOD_MS
    await assert.rejects(remove(caller, { apps: 'delete' }), { code: 'password_required' })
    assert.ok((await apps()).some(({ slug }) => slug === 'weaving'))
    await remove((await test.enter(mary.email)).caller, { apps: 'delete' })
    assert.ok(!(await apps()).some(({ slug }) => slug === 'weaving'))
    await assert.rejects(authenticateCaller(test.context, { sessionSecret: secret, ...FROM }), {
      code: 'invalid_credentials',
    })
    await assert.rejects(test.enter(mary.email), { code: 'invalid_credentials' })
  })

  it("is done by an operator to others, whose apps may become the operator's", async () => {
    const kay = await test.addAccount('kay')
    await addApp(kay, 'kept')
    const { caller } = await test.enter('operator@example.org')
    await assert.rejects(remove(caller, { id: 'nobody', apps: 'operator' }), NOT_FOUND)
    await remove(caller, { id: kay.id, apps: 'operator' })
    assert.deepEqual(
      (await apps()).find(({ slug }) => slug === 'kept'),
      { slug: 'kept', owner: null },
    )
    const [line] = await test.context.accounts.listAudit({ limit: 1 })
    assert.deepEqual(
      [line?.action, line?.subject, line?.actor],
      ['account.delete', kay.email, 'operator@example.org'],
    )
  })

  it('gets nobody rid of a quota: with one, only an operator leaves the apps to the operator', async () => {
    const joan = await test.addAccount('joan')
    await addApp(joan, 'limited')
    await addKey(joan.id, 'all')
    const { accounts } = test.context
    const left = { id: joan.id, apps: 'operator' } as const
    await accounts.putQuota({ account: joan.id, quota: { requestsPerDay: 1 } }, 'test')
    const { caller } = await test.enter(joan.email)
    await assert.rejects(remove(caller, { apps: 'operator' }), DENIED)
    assert.deepEqual((await describeDeletion(test.context, caller)).fates, ['delete'])
    const { fates } = await describeDeletion(test.context, operator, { id: joan.id })
    assert.deepEqual(fates, ['delete', 'operator'])
    await remove((await test.enter('operator@example.org')).caller, left)
    assert.deepEqual(
      (await apps()).find(({ slug }) => slug === 'limited'),
      { slug: 'limited', owner: null },
    )
  })

  it('leaves the last operator', async () => {
    const last = { code: 'last_operator' }
    const { caller } = await test.enter('operator@example.org')
    await assert.rejects(remove(caller, { apps: 'delete' }), last)
    await assert.rejects(remove(COMMAND_LINE, { id: caller.account.id, apps: 'delete' }), last)
    await test.addAccount('second', { isOperator: true })
    await remove(caller, { apps: 'delete' })
    assert.ok((await apps()).some(({ slug }) => slug === 'servers'))
  })
})
