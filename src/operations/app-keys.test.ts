import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openSharedApp, PEOPLE, type Person, type SharedApp } from '../../test/shared-app.ts'
import { hashApiKey } from '../credentials/api-key.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { TOKEN_PERMISSIONS } from '../domain/token-permissions.ts'
import type { AccountCaller, AccountsContext, OwnerContext } from './context.ts'
import { type AppKeyWithSecret, createAppKey } from './create-app-key.ts'
import { createKey } from './create-key.ts'
import { endAppKeyTokens } from './end-app-key-tokens.ts'
import type { AppKeyInput } from './find-app-keys.ts'
import { listAppAudit } from './list-app-audit.ts'
import { listAppKeys } from './list-app-keys.ts'
import { revokeAppKey } from './revoke-app-key.ts'
import { rotateAppKey } from './rotate-app-key.ts'
import { summariseKeyRules } from './summarise-key-rules.ts'
import { updateAppKey } from './update-app-key.ts'

const APP = { app: 'shop' }
const DENIED = { code: 'permission_denied' }
const NO_KEY = { code: 'key_not_found' }
const KEY = /^shf_[0-9a-z]{40}$/
const SECRET = 'a-secret-that-was-made-elsewhere-1843'

type Change = (context: AccountsContext, caller: AccountCaller, key: AppKeyInput) => Promise<unknown>

/** Whatever changes a key that there is. */
const CHANGES: Readonly<Record<string, Change>> = {
  update: (context, caller, key) => updateAppKey(context, caller, { ...key, rules: { rate: '5/s' } }),
  rotate: rotateAppKey,
  'end the tokens of': endAppKeyTokens,
  revoke: revokeAppKey,
}

describe('keys of an app', () => {
  let house: SharedApp
  let owner: AccountCaller
  let editor: AccountCaller

  beforeEach(async () => {
    house = await openSharedApp()
    owner = house.session('owner')
    editor = house.session('editor')
    await house.context.accounts.createApp({ slug: 'garden', owner: house.people.owner.id }, 'test')
  })
  afterEach(() => house.close())

  const create = (caller: AccountCaller, name: string, rules?: unknown): Promise<AppKeyWithSecret> =>
    createAppKey(house.context, caller, { ...APP, name, rules })
  const names = async (person: Person): Promise<string[]> =>
    (await listAppKeys(house.context, house.session(person), APP)).map(({ name }) => name)
  const ownerContext = (whose: string | null): OwnerContext => ({
    control: house.context.accounts,
    actor: 'cli:test',
    owner: whose,
    now: house.context.now,
  })
  const allKeys = () => house.context.accounts.listKeys()

  it('are summed up before they are made, or what is wrong with their rules is said', async () => {
    const summary = (caller: AccountCaller, rules: unknown) =>
      summariseKeyRules(house.context, caller, { ...APP, rules })
    await assert.rejects(summary(house.session('viewer'), {}), DENIED)
    await assert.rejects(summary(editor, { apps: 'all' }), DENIED)
    await assert.rejects(summary(owner, { rate: '5' }), {
      code: 'invalid_rule',
      message: /"5" can't be a rate/,
    })
    await assert.rejects(summary(owner, { rat: '5/s' }), {
      code: 'invalid_rule',
      message: /"rat" is no rule/,
    })
    const { sentence } = await summary(owner, { apps: 'all', expires: '30d' })
    assert.match(sentence, /of every app of its owner .* until 2026-12-29T00:00:00\.000Z;/)
    assert.deepEqual(await allKeys(), [])
  })

  it('are made for that app alone where nothing else is said, and shown once', async () => {
    const made = await create(editor, 'web', { permission: 'read', rate: '100/min' })
    const { id, key, ...rest } = made
    assert.match(key!, KEY)
    const unlimited = { collections: 'all', addresses: 'all', websites: 'all', localhost: true }
    assert.deepEqual(rest, {
      ...{ name: 'web', permission: 'read', apps: ['shop'], rate: '100/min', expires: 'never' },
      ...{ ...unlimited, tokenLifetime: '10d', createdAt: '2026-11-29T00:00:00.000Z' },
      ...{ lastUsedAt: null, oldKeysUntil: [] },
      sentence:
        'May read documents in every collection of the app shop from any address, on any website or none, at most 100 ' +
        'times a minute, without an end; its tokens live for 10 days.',
    })
    const rules = { permission: 'read', rate: '100/min' }
    assert.deepEqual(await summariseKeyRules(house.context, editor, { ...APP, rules }), {
      sentence: made.sentence,
    })
    const [record] = await allKeys()
    assert.equal(record?.owner, house.people.owner.id, 'it is the owner’s, whoever made it')
    assert.deepEqual(record?.secrets, [{ hash: hashApiKey(key!), until: null }])
    assert.deepEqual(record?.rules.apps, ['shop'])
    for (const person of ['owner', 'editor', 'viewer'] as const)
      assert.deepEqual(await listAppKeys(house.context, house.session(person), APP), [{ id, ...rest }])
    const given = await createAppKey(house.context, editor, { ...APP, name: 'given', secret: SECRET })
    assert.ok(!('key' in given) && !JSON.stringify(given).includes(SECRET))
    assert.ok((await allKeys()).some(({ secrets }) => secrets[0]?.hash === hashApiKey(SECRET)))
    assert.ok(!('guessableBits' in given))
    const digits = '314159265358979323846264'
    const weak = await createAppKey(house.context, editor, { ...APP, name: 'weak', secret: digits })
    // 24 digits of log2(10) bits each.
    assert.equal(weak.guessableBits, 79)
  })

  it('are noted in the audit trail by who made them, and never the secret', async () => {
    const { id, key } = await create(editor, 'web')
    const rotated = await rotateAppKey(house.context, editor, { ...APP, id })
    await CHANGES.update!(house.context, owner, { ...APP, id })
    await CHANGES.revoke!(house.context, house.token('owner', ['apps']), { ...APP, id })
    const lines = await listAppAudit(house.context, owner, { ...APP, limit: 4 })
    assert.deepEqual(
      lines.map(({ actor, action, subject }) => [actor, action, subject]),
      [
        ['owner@example.org', 'key.revoke', 'web'],
        ['owner@example.org', 'key.update', 'web'],
        ['editor@example.org', 'key.rotate', 'web'],
        ['editor@example.org', 'key.create', 'web'],
      ],
    )
    const text = JSON.stringify(lines)
    for (const secret of [key!, rotated.key!]) {
      assert.match(secret, KEY)
      assert.ok(!text.includes(secret) && !text.includes(hashApiKey(secret)))
    }
  })

  it('of an editor are for this app alone, also after a change', async () => {
    const { id } = await create(editor, 'web')
    for (const apps of ['all', ['garden'], ['shop', 'garden'], ['elsewhere']]) {
      await assert.rejects(create(editor, 'wide', { apps }), DENIED, JSON.stringify(apps))
      await assert.rejects(updateAppKey(house.context, editor, { ...APP, id, rules: { apps } }), DENIED)
    }
    for (const apps of [[], 'garden', null])
      await assert.rejects(create(editor, 'bad', { apps }), { code: 'invalid_rule' })
    assert.equal((await allKeys()).length, 1)
    const rules = { apps: ['shop', 'shop'], permission: 'read' }
    assert.deepEqual((await updateAppKey(house.context, editor, { ...APP, id, rules })).apps, ['shop'])
    assert.equal((await create(owner, 'all', { apps: 'all' })).apps, 'all')
    const wide = { ...APP, id, rules: { apps: ['shop', 'garden'] } }
    assert.deepEqual((await updateAppKey(house.context, owner, wide)).apps, ['shop', 'garden'])
  })

  it('that reach other apps are seen and changed by the owner alone', async () => {
    const wide = [
      await create(owner, 'all', { apps: 'all' }),
      await create(owner, 'both', { apps: ['shop', 'garden'] }),
    ]
    await create(owner, 'this')
    const { record: other } = await createKey(ownerContext(house.people.owner.id), {
      name: 'other',
      rules: { apps: ['garden'] },
    })
    await createKey(ownerContext(null), { name: 'operator’s', rules: { apps: ['shop'] } })
    await createKey(ownerContext(house.people.stranger.id), { name: 'stranger’s', rules: { apps: ['shop'] } })
    assert.deepEqual(await names('owner'), ['all', 'both', 'this'])
    assert.deepEqual(await names('editor'), ['this'])
    assert.deepEqual(await names('viewer'), ['this'])
    const before = await allKeys()
    const foreign = before.filter(({ owner }) => owner !== house.people.owner.id)
    for (const change of Object.values(CHANGES)) {
      for (const { id } of [...wide, other, ...foreign, { id: 'none' }, { id: '' }])
        await assert.rejects(change(house.context, editor, { ...APP, id }), NO_KEY)
      for (const { id } of [other, ...foreign, { id: 'none' }])
        await assert.rejects(change(house.context, owner, { ...APP, id }), NO_KEY)
    }
    assert.deepEqual(await allKeys(), before)
    for (const change of Object.values(CHANGES))
      for (const { id } of wide) await change(house.context, owner, { ...APP, id })
    assert.deepEqual(await names('owner'), ['this'])
  })

  it('are made and changed by owner and editors alone', async () => {
    const { id } = await create(owner, 'web')
    const before = await allKeys()
    const refused = { viewer: 'permission_denied', stranger: 'app_not_found', operator: 'app_not_found' }
    for (const [person, code] of Object.entries(refused)) {
      const caller = house.session(person as Person)
      await assert.rejects(create(caller, 'mine'), { code })
      for (const change of Object.values(CHANGES))
        await assert.rejects(change(house.context, caller, { ...APP, id }), { code })
    }
    for (const permission of TOKEN_PERMISSIONS.filter((each) => each !== 'apps')) {
      const caller = house.token('owner', [permission])
      await assert.rejects(create(caller, 'mine'), DENIED)
      for (const change of Object.values(CHANGES))
        await assert.rejects(change(house.context, caller, { ...APP, id }), DENIED)
    }
    assert.deepEqual(await allKeys(), before)
    for (const change of Object.values(CHANGES))
      await change(house.context, house.token('editor', ['apps']), { ...APP, id })
    assert.deepEqual(await allKeys(), [])
  })

  it('are listed for all who have a part in the app', async () => {
    await create(owner, 'web')
    for (const person of PEOPLE) {
      const listed = listAppKeys(house.context, house.session(person), APP)
      const hasPart = person === 'owner' || person === 'editor' || person === 'viewer'
      if (hasPart) assert.equal((await listed).length, 1)
      else await assert.rejects(listed, { code: 'app_not_found' })
    }
    for (const permission of TOKEN_PERMISSIONS.filter((each) => each !== 'read'))
      await assert.rejects(listAppKeys(house.context, house.token('owner', [permission]), APP), DENIED)
    assert.equal((await listAppKeys(house.context, house.token('viewer', ['read']), APP)).length, 1)
  })

  it('are out of an editor’s reach from the moment that they reach more', async () => {
    const { accounts } = house.context
    const { id, name } = await create(owner, 'web')
    const widened = { owner: house.people.owner.id, name, rules: { apps: 'all' } } as const
    for (const change of Object.values(CHANGES)) {
      // Between the look at the key and its change.
      const listKeys = async (filter?: { owner: string | null }) => {
        const keys = await accounts.listKeys(filter)
        await accounts.updateKey(widened, 'test')
        return keys
      }
      const between = Object.assign(Object.create(accounts), { listKeys })
      await assert.rejects(change(house.contextWith({ accounts: between }), editor, { ...APP, id }), NO_KEY)
      const [key] = await allKeys()
      assert.deepEqual([key?.rules, key?.secrets.length], [UNLIMITED, 1])
      await accounts.updateKey({ ...widened, rules: { apps: ['shop'] } }, 'test')
    }
  })

  it('whose rules can not be read are shown to the owner, who mends them', async () => {
    const { id } = await create(editor, 'web')
    house.run(`UPDATE keys SET rules = '{}'`)
    const [key] = await listAppKeys(house.context, owner, APP)
    assert.deepEqual([key?.id, key?.apps], [id, undefined])
    assert.match(key!.damaged!, /can't be read/)
    assert.deepEqual([await names('editor'), await names('viewer')], [[], []])
    const all = { permission: 'full', apps: ['shop'], collections: 'all', addresses: 'all', websites: 'all' }
    const rules = { ...all, localhost: true, rate: 'none', expires: 'never', tokenLifetime: '10d' }
    assert.deepEqual((await updateAppKey(house.context, owner, { ...APP, id, rules })).apps, ['shop'])
    assert.deepEqual(await names('editor'), ['web'])
  })

  it('have the old secret for as long as is said after a rotation', async () => {
    const { id } = await create(editor, 'web')
    const { key, oldUntil, oldKeysUntil } = await rotateAppKey(house.context, editor, { ...APP, id })
    assert.match(key!, KEY)
    assert.deepEqual([oldUntil, oldKeysUntil], ['2026-11-30T00:00:00.000Z', ['2026-11-30T00:00:00.000Z']])
    const ended = await rotateAppKey(house.context, owner, { ...APP, id, overlap: '0', secret: SECRET })
    assert.deepEqual([ended.key, ended.oldKeysUntil], [undefined, []])
    await assert.rejects(rotateAppKey(house.context, owner, { ...APP, id, overlap: 'soon' }), {
      code: 'invalid_rule',
    })
  })
})
