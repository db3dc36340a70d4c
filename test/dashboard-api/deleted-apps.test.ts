import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventuallyEqual } from '../server/eventually-equal.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

const THINGS = '/apps/todo/collections/things'

describe('an app that its owner deletes', () => {
  let dashboard: Dashboard
  let owner: Credential

  before(async () => {
    dashboard = await Dashboard.start()
    owner = await dashboard.session(await dashboard.account('ada@example.org'))
  })
  after(() => dashboard.close())

  it('is gone for keys and accounts, and its documents are as they were when it is restored', async () => {
    const send = (method: string, path: string, json?: unknown) =>
      dashboard.send(method, path, owner, json === undefined ? {} : { json })
    await send('POST', '/apps', { slug: 'todo' })
    const { key } = (await send('POST', '/apps/todo/keys', { name: 'web' })).json as { key: string }
    const { client } = dashboard.server
    const byKey = async () => {
      const { status, text } = await client.send('GET', THINGS, { headers: { 'X-Service-API-Key': key } })
      return status === 200 ? text : String(status)
    }
    for (let n = 0; n < 20; n++) await send('POST', THINGS, { _id: n, exact: 1.5 })
    const documents = (await send('GET', THINGS)).text
    await eventuallyEqual(byKey, documents)

    assert.equal((await send('DELETE', '/apps/todo')).status, 204)
    await eventuallyEqual(byKey, '404')
    assert.deepEqual((await send('GET', '/apps')).json, [])
    assert.equal((await send('GET', THINGS)).status, 404)
    assert.equal((await send('POST', '/apps', { slug: 'todo' })).json.code, 'app_exists')
    const [deleted] = (await send('GET', '/deleted-apps')).json
    assert.equal(Date.parse(deleted.restorableUntil) - Date.parse(deleted.deletedAt), 7 * 24 * 60 * 60 * 1000)

    const restored = await send('POST', '/deleted-apps/todo/restoration')
    assert.deepEqual([restored.status, restored.json.slug, restored.json.role], [200, 'todo', 'owner'])
    assert.equal((await send('GET', THINGS)).text, documents)
    await eventuallyEqual(byKey, documents)
    await send('DELETE', '/apps/todo')
    assert.equal((await send('DELETE', '/deleted-apps/todo')).status, 204)
    assert.deepEqual((await send('GET', '/deleted-apps')).json, [])
    assert.equal((await send('POST', '/deleted-apps/todo/restoration')).status, 404)
  })
})
