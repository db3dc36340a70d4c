import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ROUTES } from '../../src/dashboard-api/routes/routes.ts'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = { 'Content-Type': 'application/json' }
/** What a page of another origin can have a browser send, and what comes of it. */
const FOREIGN: readonly [headers: Record<string, string>, status: number][] = [
  [{ ...JSON_TYPE, 'Sec-Fetch-Site': 'cross-site' }, 403],
  [{ ...JSON_TYPE, 'Sec-Fetch-Site': 'same-site' }, 403],
  [{ ...JSON_TYPE, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example.org' }, 403],
  [{ 'Content-Type': FORM }, 415],
  [{ 'Content-Type': 'text/plain' }, 415],
  [{ 'Content-Type': 'multipart/form-data; boundary=x' }, 415],
]
const DOCUMENTS = [
  'POST /apps/todo/collections/things',
  'PUT /apps/todo/collections/things?q={}',
  'PUT /apps/todo/collections/things/1',
  'DELETE /apps/todo/collections/things/1',
  'DELETE /apps/todo/collections/things?q={}',
]

describe('a page of another origin', () => {
  let dashboard: Dashboard
  let operator: AccountRecord
  let session: Credential

  before(async () => {
    dashboard = await Dashboard.start()
    operator = await dashboard.account('ada@example.org', { isOperator: true })
    session = await dashboard.session(operator)
    await dashboard.send('POST', '/apps', session, { json: { slug: 'todo' } })
    await dashboard.send('POST', '/apps/todo/collections/things', session, { json: { _id: 1 } })
  })
  after(() => dashboard.close())

  it('can have nothing done at any path, by whatever it has a browser send', async () => {
    const state = async () => [
      (await dashboard.send('GET', '/account/sessions', session)).json.length,
      (await dashboard.send('GET', '/server/accounts', session)).json,
      (await dashboard.send('GET', '/apps', session)).json,
      (await dashboard.send('GET', '/apps/todo/keys', session)).text,
      (await dashboard.send('GET', '/apps/todo/collections/things', session)).text,
      (await dashboard.send('GET', '/server/audit', session)).text,
    ]
    const before = await state()
    const writes = [...Object.keys(ROUTES).filter((route) => !route.startsWith('GET ')), ...DOCUMENTS]
    assert.ok(writes.length > 30)
    for (const route of writes) {
      const [method, path] = route.split(' ') as [string, string]
      const named = path.replace('{app}', 'todo').replace(/\{\w+\}/, operator.id)
      for (const [headers, status] of FOREIGN) {
        const answer = await dashboard.send(method, named, session, { headers, body: '{"slug":"evil"}' })
        assert.equal(answer.status, status, `${route} ${JSON.stringify(headers)}: ${answer.text}`)
      }
    }
    assert.deepEqual(await state(), before)
  })

  it('can do what a token lets it that it has', async () => {
    const token = await dashboard.token(operator, ['read'])
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'Sec-Fetch-Site': site, Cookie: '__Host-sheaf-session=none' }
      assert.equal((await dashboard.send('GET', '/apps', token, { headers })).status, 200)
    }
  })
})
