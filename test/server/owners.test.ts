import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { KeyRulesInput } from '../../src/domain/key-rules-input.ts'
import { createApp } from '../../src/operations/create-app.ts'
import { createKey } from '../../src/operations/create-key.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { newAccount } from '../account-contract/harness.ts'
import { ENDPOINTS, type Endpoint } from '../http/matrix/endpoints.ts'
import { eventuallyEqual } from './eventually-equal.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const THINGS = '/apps/shop/collections/things'
const DOCUMENT = '{"_id":"1","s":"secret"}'
const NO_SUCH_APP =
  '{"code":"app_not_found","message":"there is no such app; apps are made with `bin/sheaf app create SLUG`"}'

const REQUESTS = ENDPOINTS.filter(({ app }) => app === 'demo')

describe("another owner's app", () => {
  let server: ServerProcess
  let control: AccountStore
  let ada: string
  let bob: string

  before(async () => {
    server = await startServer()
    control = await openAccounts({ dataDir: server.folder })
    ada = (await newAccount(control, 'ada')).id
    bob = (await newAccount(control, 'bob')).id
    await createApp(as(ada), 'garden')
    await createApp(as(bob), 'shop')
    const key = await keyOf(bob, 'save')
    assert.equal((await send(key, 'POST', THINGS, DOCUMENT)).status, 201)
  })
  after(async () => {
    await control.close()
    await server.dispose()
  })

  const as = (owner: string | null) => ({ control, actor: 'test', owner, now: Date.now })
  async function keyOf(owner: string | null, name: string, rules?: KeyRulesInput): Promise<string> {
    const { apiKey } = await createKey(as(owner), { name, rules })
    // A server looks for keys that it doesn't know every 20 ms at most.
    await eventuallyEqual(async () => (await send(apiKey, 'GET', '/validate_key')).status, 200)
    return apiKey
  }
  function send(credential: string, method: string, path: string, body?: string) {
    const headers = { 'X-Service-API-Key': credential }
    return server.client.send(method, path, { headers, ...(body !== undefined && { body }) })
  }
  async function tokenOf(key: string): Promise<string> {
    const { text } = await send(key, 'POST', `/create-token/${key}`)
    return `token:${(JSON.parse(text) as { id_result: string }).id_result}`
  }
  /** All that an answer tells of an app, with the slug that was asked for. */
  async function told(credential: string, { method, path, body }: Endpoint, slug: string): Promise<string> {
    const target = path('1').replace('/apps/demo/', `/apps/${slug}/`)
    const { status, headers, text } = await send(credential, method, target, body?.('1'))
    const { date: _, 'x-request-id': _id, ...others } = headers
    return JSON.stringify({ status, others, text })
  }

  it('is out of reach of a key for all apps, which lists its own, and of its tokens', async () => {
    for (const [owner, slugs] of [
      [ada, '["garden"]'],
      [bob, '["shop"]'],
      [null, '["demo"]'],
    ] as const) {
      const key = await keyOf(owner, 'list')
      for (const credential of [key, await tokenOf(key)])
        assert.equal((await send(credential, 'GET', '/apps')).text, slugs)
    }
  })

  it('is 404 on every route, in the words of one that does not exist', async () => {
    const all = await keyOf(ada, 'all')
    const named = await keyOf(ada, 'named', { apps: ['shop', 'absent', 'garden'] })
    const operators = await keyOf(null, 'all', { apps: ['shop', 'absent'] })
    assert.equal((await send(named, 'GET', '/apps')).text, '["garden"]')
    for (const credential of [all, await tokenOf(all), named, operators, await tokenOf(operators)])
      for (const request of REQUESTS) {
        const answer = await told(credential, request, 'shop')
        assert.equal(answer, await told(credential, request, 'absent'), request.name)
        const { status, text } = JSON.parse(answer) as { status: number; text: string }
        assert.deepEqual([status, text], [404, request.method === 'HEAD' ? '' : NO_SUCH_APP], request.name)
      }
  })

  it('is refused by the rules of a key as one that does not exist', async () => {
    const limited: KeyRulesInput[] = [
      { apps: ['garden'] },
      { permission: 'read' },
      { permission: 'create,update' },
      { collections: ['others'] },
    ]
    for (const [index, rules] of limited.entries()) {
      const key = await keyOf(ada, `limited ${index}`, rules)
      for (const request of REQUESTS)
        assert.equal(await told(key, request, 'shop'), await told(key, request, 'absent'), request.name)
    }
  })

  it('is as it was', async () => {
    const key = await keyOf(bob, 'look', { apps: ['shop'], permission: 'read' })
    assert.equal((await send(key, 'GET', THINGS)).text, `[${DOCUMENT}]`)
    assert.equal((await send(key, 'GET', '/apps/shop/collections')).text, '["things"]')
  })

  it('stays out of reach when it takes the slug of one that was named and deleted', async () => {
    const key = await keyOf(ada, 'kept', { apps: ['garden', 'orchard'] })
    await createApp(as(ada), 'orchard')
    await eventuallyEqual(async () => (await send(key, 'GET', '/apps')).text, '["garden","orchard"]')
    await control.removeApp('orchard', 'test')
    await createApp(as(bob), 'orchard')
    const bobs = await keyOf(bob, 'orchard', { apps: ['orchard'] })
    assert.equal((await send(bobs, 'GET', '/apps')).text, '["orchard"]')
    assert.equal((await send(key, 'GET', '/apps')).text, '["garden"]')
    assert.equal((await send(key, 'GET', '/apps/orchard/collections')).text, NO_SUCH_APP)
  })
})
