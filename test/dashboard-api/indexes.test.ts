import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Credential, Dashboard } from './start-dashboard.ts'

interface Told {
  readonly collection: string
  readonly fields: string
  readonly state: string
}

describe('the indexes of an app', () => {
  let dashboard: Dashboard
  let session: Credential
  const at = '/apps/todo/indexes?collection=things'
  const make = (json: object, path = at) => dashboard.send('POST', path, session, { json })
  const drop = (name: string) =>
    dashboard.send('DELETE', `/apps/todo/indexes/${encodeURIComponent(name)}?collection=things`, session)
  const advice = async (query: string) => {
    const path = `/apps/todo/index-advice?collection=things&${query}`
    return (await dashboard.send('GET', path, session)).json
  }
  /** The index once nothing is done about it any more. */
  const settled = async (fields: string) => {
    for (;;) {
      const { json } = await dashboard.send('GET', at, session)
      const index = (json as Told[]).find((each) => each.fields === fields)
      if (index?.state !== 'building') return index
    }
  }

  before(async () => {
    dashboard = await Dashboard.start({ SHEAF_AUTO_INDEX: 'off' })
    const owner = await dashboard.account('owner@example.org')
    await dashboard.accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    session = await dashboard.session(owner)
    const json = Array.from({ length: 3000 }, (_, n) => ({ _id: n, n, city: `c${n % 7}`, twice: n >> 1 }))
    await dashboard.send('POST', '/apps/todo/collections/things', session, { json })
  })
  after(() => dashboard.close())

  it('are refused where they can not be, or nobody says of which collection', async () => {
    const cases = [
      [await make({ fields: 'a' }, '/apps/todo/indexes'), 'invalid_parameter'],
      [await make({ fields: 'a' }, '/apps/todo/indexes?collection=$x'), 'invalid_name'],
      [await make({ fields: '' }), 'invalid_index'],
      [await make({ fields: 'a:2' }), 'invalid_index'],
      [await make({ fields: ['a'] }), 'invalid_request'],
      [await drop('none'), 'index_not_found'],
      [await dashboard.send('GET', '/apps/todo/index-advice', session), 'invalid_parameter'],
    ] as const
    for (const [{ json }, code] of cases) assert.equal(json.code, code)
    assert.equal((await advice('q={"a":{"$no":1}}')).code, 'unknown_operator')
    assert.deepEqual((await dashboard.send('GET', at, session)).json, [])
  })

  it('are made while reads go on, used once they are ready, and dropped', async () => {
    const query = '/apps/todo/collections/things?q={"city":"c1","n":{"$gt":2990}}'
    assert.deepEqual(await advice('q={"city":"c1","n":{"$gt":2990}}'), { fields: 'city,n' })
    const begun = await make({ fields: 'city,n' })
    assert.equal(begun.status, 201)
    assert.deepEqual(
      [begun.json.collection, begun.json.fields, begun.json.unique],
      ['things', 'city,n', false],
    )
    const { bytes, createdAt, ...ready } = (await settled('city,n')) as Told & {
      bytes: number
      createdAt: string
    }
    assert.ok(bytes > 0)
    assert.ok(Date.now() - Date.parse(createdAt) < 60_000)
    assert.deepEqual(ready, {
      ...{ collection: 'things', fields: 'city,n', unique: false, automatic: false, state: 'ready' },
      ...{ documents: 3000, builtDocuments: 3000, uses: 0, lastUsed: null, unusedSince: null },
    })
    const found = await dashboard.send('GET', query, session)
    assert.match(String(found.headers['server-timing']), /index:city,n/)
    assert.equal(await advice('q={"city":"c1","n":{"$gt":2990}}'), null)
    assert.deepEqual((await dashboard.send('GET', '/apps/todo/indexes?collection=others', session)).json, [])
    assert.equal((await make({ fields: 'city,n' })).json.code, 'index_exists')
    assert.equal((await drop('city,n')).status, 204)
    assert.equal(await settled('city,n'), undefined)
  })

  it('that can not be unique fail with the reason, and can be dropped', async () => {
    await make({ fields: 'twice', unique: true })
    const failed = (await settled('twice')) as Told & { problem: { documents: number; examples: object[] } }
    assert.equal(failed.state, 'failed')
    assert.equal(failed.problem.documents, 1500)
    assert.deepEqual(failed.problem.examples[0], { value: '0', ids: ['0', '1'] })
    assert.equal((await drop('twice')).status, 204)
    assert.equal(await settled('twice'), undefined)
  })

  it('have a line in the audit trail for each that was made or dropped', async () => {
    await make({ fields: 'noted', unique: true })
    await drop('noted')
    assert.equal((await drop('noted')).status, 404)
    const { json } = await dashboard.send('GET', '/apps/todo/audit?action=index&l=2', session)
    assert.deepEqual(
      (json as Record<string, unknown>[]).map(({ actor, action, subject, details }) => [
        actor,
        action,
        subject,
        details,
      ]),
      [
        ['owner@example.org', 'index.drop', 'things', { fields: 'noted' }],
        ['owner@example.org', 'index.create', 'things', { fields: 'noted', unique: true }],
      ],
    )
  })

  it('are advised for the order of a sort first, and not where none helps', async () => {
    assert.deepEqual(await advice('q={"n":{"$gt":5}}&s={"city":-1}'), { fields: 'city:-1' })
    assert.deepEqual(await advice('q={"n":5}&s={"city":-1}'), { fields: 'n,city:-1' })
    for (const query of ['q=&s=', 'q={"_id":7}', 'q={"city":{"$regex":"x$"}}'])
      assert.equal(await advice(query), null)
  })
})
