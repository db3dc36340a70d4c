import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hashApiKey } from '../../src/credentials/api-key.ts'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { Client } from '../server/client.ts'
import { eventuallyEqual } from '../server/eventually-equal.ts'
import { zipOf } from '../sites/deploy-bodies.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

const SECRET = 'a-secret-made-elsewhere-for-quotas'
const THINGS = '/apps/todo/collections/things'
const LONG = 'x'.repeat(30_000)

describe('a quota', () => {
  let dashboard: Dashboard
  let owner: AccountRecord
  let session: Credential
  let operator: Credential
  let client: Client

  before(async () => {
    dashboard = await Dashboard.start()
    const { accounts, server } = dashboard
    operator = await dashboard.session(await dashboard.account('operator@example.org', { isOperator: true }))
    owner = await dashboard.account('ada@example.org')
    session = await dashboard.session(owner)
    await accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    const key = { owner: owner.id, name: 'web', hash: hashApiKey(SECRET), rules: UNLIMITED }
    await accounts.createKey(key, 'test')
    client = new Client({ port: server.port, ca: server.ca })
  })
  after(async () => {
    client.close()
    await dashboard.close()
  })

  const put = async (json: unknown) => {
    const answer = await dashboard.send('PUT', `/server/accounts/${owner.id}/quota`, operator, { json })
    assert.equal(answer.status, 200, answer.text)
    return answer.json
  }
  const mine = async () => (await dashboard.send('GET', '/account/quota', session)).json
  const byKey = async (method: string, path: string, body?: string) => {
    const headers = { 'X-Service-API-Key': SECRET, 'Content-Type': 'application/json' }
    const {
      status,
      text,
      headers: answered,
    } = await client.send(method, path, {
      headers,
      ...(body !== undefined && { body }),
    })
    const { code, message } = status < 400 ? {} : JSON.parse(text)
    return { status, code, message, headers: answered, text }
  }

  it('is refused where it is none, and by whoever is no operator', async () => {
    for (const json of [{ apps: -1 }, { apps: 1.5 }, { bytes: 2 ** 53 }, { disks: 1 }, { apps: '3' }]) {
      const { status } = await dashboard.send('PUT', '/server/quota', operator, { json })
      assert.equal(status, 400, JSON.stringify(json))
    }
    const own = await dashboard.send('PUT', `/server/accounts/${owner.id}/quota`, session, { json: {} })
    assert.equal(own.status, 403)
    const list = (await dashboard.send('GET', '/server/accounts', operator)).json
    const { id } = list.find((each: AccountRecord) => each.isOperator)
    const ofOperator = await dashboard.send('PUT', `/server/accounts/${id}/quota`, operator, { json: {} })
    assert.deepEqual([ofOperator.status, ofOperator.json.code], [400, 'invalid_account'])
  })

  it('holds an account to its apps and keys, and tells it what it has', async () => {
    const described = await put({ apps: 1, keys: 1 })
    const limits = { apps: 1, keys: 1, bytes: null, requestsPerDay: null }
    const used = { apps: 1, keys: 1, bytes: null, requestsPerDay: null }
    assert.deepEqual(described, { own: { apps: 1, keys: 1 }, limits, used })
    assert.deepEqual(await mine(), { limits, used })
    const app = await dashboard.send('POST', '/apps', session, { json: { slug: 'more' } })
    assert.deepEqual([app.status, app.json.code], [403, 'quota_exceeded'])
    const key = await dashboard.send('POST', '/apps/todo/keys', session, { json: { name: 'more' } })
    assert.deepEqual([key.status, key.json.code], [403, 'quota_exceeded'])
  })

  it('refuses what would be stored beyond it, and lets go what is deleted', async () => {
    await put({})
    for (const id of ['1', '2']) await byKey('PUT', `${THINGS}/${id}`, JSON.stringify({ text: LONG }))
    await put({ bytes: 1000 })
    await eventuallyEqual(async () => typeof (await mine()).used.bytes, 'number', { withinMs: 5000 })
    const writes = [
      await byKey('POST', THINGS, '{"a":1}'),
      await byKey('PUT', `${THINGS}/1`, '{"$set":{"a":1}}'),
      await byKey('PUT', `${THINGS}?q={}`, '{"$set":{"a":1}}'),
    ]
    for (const { status, code, message } of writes) {
      assert.deepEqual([status, code], [403, 'quota_exceeded'])
      assert.match(message, /^the account whose app this is may store 1 kB, /)
    }
    const ways: [string, string, unknown, string][] = [
      ['POST', '/apps/todo/collections/things/import', {}, 'application/json'],
      ['POST', '/apps/todo/indexes?collection=things', { fields: 'a' }, 'application/json'],
      ['POST', '/apps/todo/deploys', '', 'application/zip'],
    ]
    for (const [method, path, body, type] of ways) {
      const sent = { headers: { 'Content-Type': type }, body: body === '' ? '' : JSON.stringify(body) }
      const answer = await dashboard.send(method, path, session, sent)
      assert.deepEqual([answer.status, answer.json.code], [403, 'quota_exceeded'], path)
      assert.match(answer.json.message, /^your account may store 1 kB, /)
    }
    assert.equal((await byKey('GET', `${THINGS}/1`)).status, 200)
    assert.equal((await byKey('DELETE', `${THINGS}/1`)).status, 200)
    assert.equal((await byKey('DELETE', `${THINGS}?q={}`)).status, 200)
    assert.equal((await byKey('GET', `${THINGS}?c=true`)).text, '0')
    await put({ bytes: 10_000_000 })
    assert.equal((await byKey('POST', THINGS, '{"a":1}')).status, 201)
    assert.equal((await byKey('POST', THINGS, `{"a":"${'x'.repeat(900_000)}"}`)).status, 201)
  })

  it('holds updates by query to what they add, however short they are', async () => {
    assert.equal((await byKey('DELETE', `${THINGS}?q={}`)).status, 200)
    await put({ bytes: 2_000_000 })
    for (const id of ['1', '2', '3', '4'])
      assert.equal((await byKey('PUT', `${THINGS}/${id}`, '{"a":1}')).status, 201)
    const refused = await byKey('PUT', `${THINGS}?q={}&m=true`, `{"$set":{"b":"${'x'.repeat(500_000)}"}}`)
    assert.deepEqual([refused.status, refused.code], [403, 'quota_exceeded'])
    assert.equal((await byKey('GET', `${THINGS}?q={"b":{"$not":null}}&c=true`)).text, '0')
    assert.equal((await byKey('PUT', `${THINGS}?q={"_id":"2"}`, '{"$set":{"b":2}}')).status, 200)
    await byKey('DELETE', `${THINGS}?q={}`)
  })

  it('holds a deploy to what a zip unpacks to, before its version is there', async () => {
    await put({ bytes: 3_000_000 })
    const deploy = (bytes: number) => {
      const body = zipOf([{ name: 'index.html', content: 'x'.repeat(bytes) }])
      assert.ok(body.length < 10_000)
      return dashboard.send('POST', '/apps/todo/deploys', session, {
        headers: { 'Content-Type': 'application/zip' },
        body,
      })
    }
    assert.equal((await deploy(10_000)).status, 201)
    const refused = await deploy(4_000_000)
    assert.deepEqual([refused.status, refused.json.code], [403, 'quota_exceeded'])
    assert.equal((await dashboard.send('GET', '/apps/todo/deploys', session)).json.length, 1)
  })

  it('refuses requests beyond those of the day until midnight, but not the pages of the dashboard', async () => {
    const { used } = await put({ requestsPerDay: 3 })
    assert.equal(used.requestsPerDay, 0)
    for (let n = 0; n < 2; n++) assert.equal((await byKey('GET', THINGS)).status, 200)
    assert.equal((await dashboard.send('GET', THINGS, session)).status, 200)
    const token = await dashboard.token(owner, ['read'])
    assert.equal((await dashboard.send('GET', THINGS, token)).status, 200)
    const refused = await byKey('GET', THINGS)
    assert.deepEqual([refused.status, refused.code], [429, 'daily_quota_exceeded'])
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 24 * 60 * 60, String(seconds))
    assert.equal((await dashboard.send('GET', THINGS, token)).status, 429)
    assert.equal((await dashboard.send('GET', THINGS, session)).status, 200)
    assert.equal((await mine()).used.requestsPerDay, 3)
    const lifted = await dashboard.send('DELETE', `/server/accounts/${owner.id}/quota`, operator)
    assert.equal(lifted.json.own, null)
    assert.equal((await byKey('GET', THINGS)).status, 200)
  })
})
