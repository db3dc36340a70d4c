import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openSharedApp, PEOPLE, type Person, type SharedApp } from '../../test/shared-app.ts'
import { PERMISSIONS } from '../domain/key-rules.ts'
import { TOKEN_PERMISSIONS } from '../domain/token-permissions.ts'
import { PASSWORD_GOOD_MS } from './authorise-caller.ts'
import type { AccountCaller } from './context.ts'
import { createAccountApp } from './create-account-app.ts'
import { createAppKey } from './create-app-key.ts'
import { deleteAccountApp } from './delete-account-app.ts'
import { endAppShare } from './end-app-share.ts'
import { getAccountApp } from './get-account-app.ts'
import { listAccountApps } from './list-account-apps.ts'
import { listAppAudit } from './list-app-audit.ts'
import { listAppShares } from './list-app-shares.ts'
import { listDeletedApps } from './list-deleted-apps.ts'
import { openApp } from './open-app.ts'
import { removeDeletedApp } from './remove-deleted-app.ts'
import { restoreAccountApp } from './restore-account-app.ts'
import { shareApp } from './share-app.ts'

const MADE = '2026-11-29T00:00:00.000Z'
const DENIED = { code: 'permission_denied' }
/** Word for word that of a key. */
const NOT_FOUND = {
  code: 'app_not_found',
  message: 'there is no such app; apps are made with `bin/sheaf app create SLUG`',
}
const APP = { app: 'shop' }

describe('apps for accounts', () => {
  let house: SharedApp

  beforeEach(async () => {
    house = await openSharedApp()
  })
  afterEach(() => house.close())

  /** Who gets what of an operation: `done`, or the code that they are refused with. */
  async function outcomes(
    operation: (caller: AccountCaller) => Promise<unknown>,
    expected: Readonly<Record<Person, string>>,
    agoMs?: number,
  ): Promise<void> {
    const seen: [Person, string][] = []
    for (const person of PEOPLE)
      seen.push([
        person,
        await operation(house.session(person, agoMs)).then(
          () => 'done',
          ({ code }) => code,
        ),
      ])
    assert.deepEqual(Object.fromEntries(seen), expected)
  }

  /** Of all tokens of the owner with one permission, only those with this one get further. */
  async function takes(permission: string, operation: (caller: AccountCaller) => Promise<unknown>) {
    for (const each of TOKEN_PERMISSIONS.filter((other) => other !== permission))
      await assert.rejects(operation(house.token('owner', [each])), DENIED, each)
    await assert.rejects(operation(house.token('owner', [])), DENIED)
  }

  it('are documents that viewers read and all others with a part in them write', async () => {
    const { context, people } = house
    const rules = async (caller: AccountCaller) => {
      const { keyId, name, owner, rules } = await openApp(context, caller, APP)
      assert.deepEqual([name, owner, rules.apps], [caller.account.email, people.owner.id, ['shop']])
      assert.deepEqual([rules.collections, rules.rate, rules.expiresAt], ['all', null, null])
      return { keyId, permission: rules.permission }
    }
    const write = ['create', 'update', 'delete']
    const all = { permission: PERMISSIONS }
    assert.deepEqual(await rules(house.session('owner')), { keyId: 'session of owner', ...all })
    assert.deepEqual(await rules(house.session('editor')), { keyId: 'session of editor', ...all })
    assert.deepEqual((await rules(house.session('viewer'))).permission, ['read'])
    const byToken = await rules(house.token('editor', ['read']))
    assert.deepEqual(byToken, { keyId: 'token of editor', permission: ['read'] })
    assert.deepEqual((await rules(house.token('editor', ['write']))).permission, write)
    assert.deepEqual((await rules(house.token('owner', ['read', 'write']))).permission, PERMISSIONS)
    assert.deepEqual((await rules(house.token('viewer', ['read', 'write']))).permission, ['read'])
    assert.deepEqual((await rules(house.token('viewer', ['write']))).permission, [])
    await assert.rejects(openApp(context, house.token('owner', ['apps', 'server']), APP), DENIED)
    for (const person of ['stranger', 'operator'] as const)
      for (const app of ['shop', 'absent', '__proto__', ''])
        await assert.rejects(openApp(context, house.session(person), { app }), NOT_FOUND)
  })

  it('are listed with the role in them and their owner', async () => {
    const { context, people } = house
    await createAccountApp(context, house.session('operator'), { slug: 'ours' })
    await context.accounts.setShare({ app: 'ours', account: people.editor.id, role: 'viewer' }, 'test')
    const shop = { slug: 'shop', owner: 'owner@example.org', createdAt: MADE }
    const ours = { slug: 'ours', owner: null, createdAt: MADE }
    const list = (person: Person) => listAccountApps(context, house.session(person))
    assert.partialDeepStrictEqual(await list('owner'), [{ ...shop, role: 'owner' }])
    assert.partialDeepStrictEqual(await list('editor'), [
      { ...ours, role: 'viewer' },
      { ...shop, role: 'editor' },
    ])
    assert.partialDeepStrictEqual(await list('viewer'), [{ ...shop, role: 'viewer' }])
    assert.deepEqual(await list('stranger'), [])
    assert.partialDeepStrictEqual(await list('operator'), [{ ...ours, role: 'owner' }])
    await takes('read', (caller) => listAccountApps(context, caller))
    assert.equal((await listAccountApps(context, house.token('owner', ['read']))).length, 1)
    const get = (caller: AccountCaller) => getAccountApp(context, caller, APP)
    assert.deepEqual(await get(house.session('viewer')), { ...shop, role: 'viewer' })
    const roles = { owner: 'done', editor: 'done', viewer: 'done' }
    await outcomes(get, { ...roles, stranger: 'app_not_found', operator: 'app_not_found' })
    await takes('read', get)
  })

  it('belong to the account that makes them, or to the operator, by a slug that is free on the server', async () => {
    const { context, people } = house
    const { accounts } = context
    const made = await createAccountApp(context, house.session('stranger'), { slug: 'garden' })
    const garden = { slug: 'garden', role: 'owner', owner: 'stranger@example.org', createdAt: MADE }
    assert.deepEqual(made, garden)
    await createAccountApp(context, house.token('operator', ['apps']), { slug: 'ours' })
    const owners = (await accounts.listApps()).map(({ slug, owner }) => [slug, owner])
    assert.deepEqual(owners, [
      ['garden', people.stranger.id],
      ['ours', null],
      ['shop', people.owner.id],
    ])
    const create = (slug: string) => createAccountApp(context, house.session('owner'), { slug })
    await assert.rejects(create('garden'), { code: 'app_exists' })
    for (const slug of ['', 'A', '-a', 'a'.repeat(64), '../x'])
      await assert.rejects(create(slug), { code: 'invalid_name' })
    await takes('apps', (caller) => createAccountApp(context, caller, { slug: 'other' }))
    const [, line] = await accounts.listAudit({ limit: 2 })
    const { account, actor, address, subject } = line!
    const who = { account: people.stranger.id, actor: 'stranger@example.org', address: '192.0.2.7' }
    assert.deepEqual({ account, actor, address, subject }, { ...who, subject: 'garden' })
  })

  it('are deleted by their owner alone, who has just given the password', async () => {
    const { context } = house
    const remove = (caller: AccountCaller) => deleteAccountApp(context, caller, APP)
    await takes('apps', remove)
    assert.equal((await context.accounts.listApps()).length, 1)
    const refused = {
      ...{ owner: 'password_required', editor: 'permission_denied', viewer: 'permission_denied' },
      ...{ stranger: 'app_not_found', operator: 'app_not_found' },
    }
    await outcomes(remove, refused, PASSWORD_GOOD_MS)
    await remove(house.session('owner'))
    assert.deepEqual(await context.accounts.listApps(), [])
    await assert.rejects(remove(house.session('owner')), NOT_FOUND)
    // It is shared with nobody when the slug is used again, which it can't be before it is removed.
    const again = createAccountApp(context, house.session('stranger'), { slug: 'shop' })
    await assert.rejects(again, { code: 'app_exists', message: 'there is an app "shop" already' })
    await removeDeletedApp(context, house.session('owner'), APP)
    await createAccountApp(context, house.session('stranger'), { slug: 'shop' })
    await outcomes((caller) => getAccountApp(context, caller, APP), {
      ...{ owner: 'app_not_found', editor: 'app_not_found', viewer: 'app_not_found' },
      ...{ stranger: 'done', operator: 'app_not_found' },
    })
  })

  it('come back, or are removed before their time, by their owner alone', async () => {
    const { context } = house
    const { accounts } = context
    const list = (person: Person) => listDeletedApps(context, house.session(person))
    const restore = (caller: AccountCaller) => restoreAccountApp(context, caller, APP)
    const remove = (caller: AccountCaller) => removeDeletedApp(context, caller, APP)
    const others = { editor: 'app_not_found', viewer: 'app_not_found', stranger: 'app_not_found' }
    for (const each of [restore, remove]) await assert.rejects(each(house.session('owner')), NOT_FOUND)
    await deleteAccountApp(context, house.session('owner'), APP)
    const deletedAt = '2026-11-29T00:00:00.000Z'
    const restorableUntil = '2026-12-06T00:00:00.000Z'
    assert.deepEqual(await list('owner'), [{ slug: 'shop', createdAt: MADE, deletedAt, restorableUntil }])
    for (const person of PEOPLE.slice(1)) assert.deepEqual(await list(person), [], person)
    await takes('read', (caller) => listDeletedApps(context, caller))
    await takes('apps', restore)
    await takes('apps', remove)
    const operator = 'app_not_found'
    await outcomes(remove, { owner: 'password_required', ...others, operator }, PASSWORD_GOOD_MS)
    const shared = await accounts.listAudit({ limit: 1 })
    await outcomes(restore, { owner: 'done', ...others, operator }, PASSWORD_GOOD_MS)
    const [restored] = await accounts.listAudit({ limit: 1 })
    assert.deepEqual([shared[0]?.action, restored?.action], ['app.delete', 'app.restore'])
    assert.equal((await getAccountApp(context, house.session('editor'), APP)).role, 'editor')
    await deleteAccountApp(context, house.session('owner'), APP)
    await remove(house.session('owner'))
    assert.deepEqual([await list('owner'), await accounts.listApps()], [[], []])
  })

  it('are shared by their owner, with accounts that there are, as editor or viewer', async () => {
    const { context, people } = house
    const share = (caller: AccountCaller, email: string, role = 'editor') =>
      shareApp(context, caller, { ...APP, email, role })
    await outcomes((caller) => share(caller, 'VIEWER@example.org'), {
      ...{ owner: 'done', editor: 'permission_denied', viewer: 'permission_denied' },
      ...{ stranger: 'app_not_found', operator: 'app_not_found' },
    })
    await takes('apps', (caller) => share(caller, 'stranger@example.org'))
    const owner = house.session('owner')
    const shared = await share(owner, 'Stranger@EXAMPLE.org', 'viewer')
    const stranger = { account: people.stranger.id, email: 'stranger@example.org', name: 'stranger' }
    assert.deepEqual(shared, { ...stranger, role: 'viewer' })
    await assert.rejects(share(owner, 'nobody@example.org'), { code: 'account_not_found' })
    await assert.rejects(share(owner, 'owner@example.org'), { code: 'invalid_parameter' })
    for (const role of ['owner', 'Editor', '', '__proto__'])
      await assert.rejects(share(owner, 'stranger@example.org', role), { code: 'invalid_parameter' })
    const list = (caller: AccountCaller) => listAppShares(context, caller, APP)
    assert.deepEqual(
      (await list(house.token('owner', ['read']))).map(({ email, role }) => [email, role]),
      [
        ['editor@example.org', 'editor'],
        ['stranger@example.org', 'viewer'],
        ['viewer@example.org', 'editor'],
      ],
    )
    await outcomes(list, {
      ...{ owner: 'done', editor: 'permission_denied', viewer: 'permission_denied' },
      ...{ stranger: 'permission_denied', operator: 'app_not_found' },
    })
    await takes('read', list)
  })

  it('of the operator are shared with no operator, who own them all', async () => {
    const { context } = house
    await createAccountApp(context, house.session('operator'), { slug: 'ours' })
    const share = { app: 'ours', email: 'operator@example.org', role: 'viewer' }
    await assert.rejects(shareApp(context, house.session('operator'), share), { code: 'invalid_parameter' })
  })

  it('are left by whoever they are shared with, and taken from them by their owner', async () => {
    const { context, people } = house
    const end = (caller: AccountCaller, person: Person) =>
      endAppShare(context, caller, { ...APP, account: people[person].id })
    await assert.rejects(end(house.session('editor'), 'viewer'), DENIED)
    await assert.rejects(end(house.session('viewer'), 'editor'), DENIED)
    for (const person of ['stranger', 'operator'] as const)
      for (const whose of [person, 'viewer'] as const)
        await assert.rejects(end(house.session(person), whose), NOT_FOUND)
    for (const person of ['stranger', 'owner'] as const)
      await assert.rejects(end(house.session('owner'), person), { code: 'account_not_found' })
    await takes('apps', (caller) => end(caller, 'viewer'))
    assert.equal((await listAppShares(context, house.session('owner'), APP)).length, 2)
    await end(house.session('viewer'), 'viewer')
    await end(house.token('owner', ['apps']), 'editor')
    await outcomes((caller) => openApp(context, caller, APP), {
      ...{ owner: 'done', editor: 'app_not_found', viewer: 'app_not_found' },
      ...{ stranger: 'app_not_found', operator: 'app_not_found' },
    })
  })

  it('have an audit trail of their own for owner and editors, without what keys reach elsewhere', async () => {
    const { context } = house
    const at = house.session('owner')
    await createAccountApp(context, at, { slug: 'secret' })
    await createAppKey(context, at, {
      ...APP,
      name: 'both',
      rules: { apps: ['shop', 'secret'], rate: '5/s' },
    })
    await createAppKey(context, house.session('editor'), { ...APP, name: 'web' })
    await shareApp(context, at, { ...APP, email: 'stranger@example.org', role: 'viewer' })
    const list = (caller: AccountCaller, limit?: number) => listAppAudit(context, caller, { ...APP, limit })
    const lines = await list(at)
    const editor = house.session('editor')
    assert.deepEqual(
      lines.map(({ actor, action, subject, address }) => [actor, action, subject, address]),
      [
        ['owner@example.org', 'app.share', 'shop', '192.0.2.7'],
        ['editor@example.org', 'key.create', 'web', '192.0.2.7'],
        ['owner@example.org', 'key.create', 'both', '192.0.2.7'],
        ['test', 'app.share', 'shop', null],
        ['test', 'app.share', 'shop', null],
        ['test', 'app.create', 'shop', null],
      ],
    )
    assert.equal(lines[0]?.at, MADE)
    assert.deepEqual(lines[0]?.details, { email: 'stranger@example.org', role: 'viewer' })
    assert.deepEqual(lines[2]?.details.apps, ['shop', 'secret'])
    const [, web, both, ...others] = await list(editor)
    assert.deepEqual(
      [web?.details.apps, both?.details.apps, both?.details.rate],
      [['shop'], undefined, '5/s'],
    )
    assert.ok(!JSON.stringify([web, both, others]).match(/secret|192\.0\.2\.7|shf_/))
    assert.equal((await list(at, 1)).length, 1)
    assert.deepEqual(await listAppAudit(context, at, { ...APP, before: lines[3]!.id }), lines.slice(4))
    assert.deepEqual(await listAppAudit(context, at, { ...APP, actor: 'editor', address: '192.' }), [
      lines[1],
    ])
    await assert.rejects(listAppAudit(context, editor, { ...APP, address: '192.' }), {
      code: 'permission_denied',
    })
    for (const limit of [0, 1001, 1.5, Number.NaN])
      await assert.rejects(list(at, limit), { code: 'invalid_parameter' })
    await outcomes(list, {
      ...{ owner: 'done', editor: 'done', viewer: 'permission_denied' },
      ...{ stranger: 'permission_denied', operator: 'app_not_found' },
    })
    await takes('read', list)
  })
})
