import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openSharedApp, type SharedApp } from '../../test/shared-app.ts'
import { hashApiKey } from '../credentials/api-key.ts'
import type { AccountCaller, Caller } from './context.ts'
import { createAppKey } from './create-app-key.ts'
import { createSiteKey } from './create-site-key.ts'
import { describeSiteKey } from './describe-site-key.ts'
import { endAppKeyTokens } from './end-app-key-tokens.ts'
import { listAppKeys } from './list-app-keys.ts'
import { revokeAppKey } from './revoke-app-key.ts'
import { revokeSiteKey } from './revoke-site-key.ts'
import { rotateAppKey } from './rotate-app-key.ts'
import { tryAppKey } from './try-app-key.ts'
import { updateAppKey } from './update-app-key.ts'
import { updateKey } from './update-key.ts'

const APP = { app: 'shop' }
const DENIED = { code: 'permission_denied' }
const INVALID = { code: 'invalid_rule' }

describe('the key of a site', () => {
  let house: SharedApp
  let owner: AccountCaller

  beforeEach(async () => {
    house = await openSharedApp()
    owner = house.session('owner')
  })
  afterEach(() => house.close())

  const create = (caller: Caller, permission = 'read,create', collections?: readonly string[]) =>
    createSiteKey(house.context, caller, { ...APP, permission, collections })
  const published = async () => {
    const [app] = await house.context.accounts.listApps()
    return describeSiteKey(house.context, app!)
  }

  it("is its owner's to make and to revoke, and made with permissions that are named", async () => {
    for (const person of ['viewer', 'editor'] as const)
      await assert.rejects(create(house.session(person)), DENIED)
    for (const permission of ['full', ' full ', '', 'read,full', 'all'])
      await assert.rejects(create(owner, permission), INVALID)
    await assert.rejects(create(owner, 'read', ['$']), INVALID)
    assert.equal(await published(), null)
    await create(owner)
    for (const person of ['viewer', 'editor'] as const)
      await assert.rejects(revokeSiteKey(house.context, house.session(person), APP), DENIED)
    await revokeSiteKey(house.context, owner, APP)
    assert.equal(await published(), null)
  })

  it('is shown with its secret, with where the site is, and marked among the keys', async () => {
    const made = await create({ kind: 'command-line', actor: 'cli:test' }, 'read', ['tasks'])
    assert.deepEqual(
      { ...made, id: '', key: '', createdAt: '' },
      {
        ...{ id: '', key: '', name: 'site shop', isSiteKey: true, createdAt: '', lastUsedAt: null },
        ...{ permission: 'read', apps: ['shop'], collections: ['tasks'], addresses: 'all' },
        ...{ websites: ['https://shop.sites.example:8443'], localhost: false, rate: 'none' },
        ...{ expires: 'never', tokenLifetime: '10d', oldKeysUntil: [] },
        sentence: `May read documents in the collection tasks of the app shop from any address, only on pages of its site, as often as it likes, without an end; its tokens live for 10 days.`,
      },
    )
    const { key, ...shown } = (await published())!
    assert.deepEqual([await listAppKeys(house.context, owner, APP), key], [[shown], made.key])
    const { keysByHash } = await house.context.accounts.readDirectory()
    assert.equal(keysByHash.get(hashApiKey(key))?.id, made.id)
  })

  it('is rotated and changed as other keys are, and never beyond its site', async () => {
    const { id, key } = await create(owner)
    const of = { ...APP, id }
    const { key: next } = await rotateAppKey(house.context, owner, of)
    assert.deepEqual([(await published())?.key, next === key], [next, false])
    const secret = 'one-that-was-made-elsewhere-1843'
    await assert.rejects(rotateAppKey(house.context, owner, { ...of, secret }), INVALID)
    for (const rules of [
      { apps: 'all' },
      { websites: 'all' },
      { websites: ['x.example'] },
      { localhost: true },
      { permission: 'full' },
      { permission: ' full ' },
    ])
      await assert.rejects(updateAppKey(house.context, owner, { ...of, rules }), INVALID)
    const byName = {
      control: house.context.accounts,
      actor: 'cli:test',
      owner: house.people.owner.id,
      now: house.context.now,
    }
    const command = { name: 'site shop', rules: { permission: 'full' } }
    await assert.rejects(updateKey(byName, command), INVALID)
    const { websites, rate } = await updateAppKey(house.context, owner, { ...of, rules: { rate: '5/s' } })
    assert.deepEqual([websites, rate], [['https://shop.sites.example:8443'], '5/s'])
  })

  it("is its owner's alone to change, by the keys of its app as well", async () => {
    const of = { ...APP, id: (await create(owner)).id }
    const before = await house.context.accounts.listKeys()
    for (const person of ['viewer', 'editor'] as const) {
      const caller = house.session(person)
      await assert.rejects(updateAppKey(house.context, caller, { ...of, rules: { rate: '5/s' } }), DENIED)
      for (const act of [rotateAppKey, revokeAppKey, endAppKeyTokens])
        await assert.rejects(act(house.context, caller, of), DENIED)
    }
    assert.deepEqual(await house.context.accounts.listKeys(), before)
    const trial = { ...of, method: 'GET', origin: 'https://shop.sites.example:8443' }
    assert.equal((await tryAppKey(house.context, house.session('editor'), trial)).isAdmitted, true)
  })

  it('is let in on pages of its site, and no other key of its rules', async () => {
    const { id } = await create(owner)
    const attempt = async (key: string, origin?: string) =>
      (await tryAppKey(house.context, owner, { ...APP, id: key, method: 'GET', origin })).code
    const site = 'https://shop.sites.example:8443'
    assert.equal(await attempt(id, site), null)
    for (const origin of [undefined, 'http://localhost:3000', 'https://sites.example:8443'])
      assert.equal(await attempt(id, origin), 'website_not_allowed')
    const rules = { websites: ['shop.example'], localhost: false }
    const { id: other } = await createAppKey(house.context, owner, { ...APP, name: 'web', rules })
    assert.equal(await attempt(other, site), 'website_not_allowed')
  })
})
