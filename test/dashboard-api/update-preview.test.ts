import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Credential, Dashboard } from './start-dashboard.ts'

describe('the preview of an update', () => {
  let dashboard: Dashboard
  let session: Credential
  const at = '/apps/todo/collections/things'
  const preview = (query: string, body: string) =>
    dashboard.send('POST', `/apps/todo/update-preview/things?${query}`, session, {
      body,
      headers: { 'Content-Type': 'application/json' },
    })
  const save = (collection: string, body: string) =>
    dashboard.send('POST', `/apps/todo/collections/${collection}`, session, {
      body,
      headers: { 'Content-Type': 'application/json' },
    })

  before(async () => {
    dashboard = await Dashboard.start()
    const owner = await dashboard.account('owner@example.org')
    await dashboard.accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    session = await dashboard.session(owner)
    await save('things', '[{"_id":1,"n":1.0},{"_id":"1","n":9007199254740993},{"_id":2,"t":"x"}]')
  })
  after(() => dashboard.close())

  it('is refused as the update would be', async () => {
    const cases: [query: string, body: string, code: string][] = [
      ['', '{"$set":{"a":1}}', 'missing_query'],
      ['q={"a":{"$no":1}}', '{"$set":{"a":1}}', 'unknown_operator'],
      ['q={}', '{', 'invalid_json'],
      ['q={"_id":404}', '{"$sett":{"a":1}}', 'unknown_modifier'],
      ['q={}', '{"$inc":{"t":1}}', 'update_not_applicable'],
      ['q={}', '{"$set":{"_id":9}}', 'immutable_id'],
      ['q={}&l=x', '{"$set":{"a":1}}', 'invalid_parameter'],
      ['q={}&q={}', '{"$set":{"a":1}}', 'duplicate_parameter'],
    ]
    for (const [query, body, code] of cases) {
      const { status, json } = await preview(query, body)
      assert.deepEqual([status, json.code], [400, code], `${query} ${body}`)
    }
  })

  it('has the first documents as they are and as they would be, exact, and changes nothing', async () => {
    const { text, status } = await preview('q={"n":{"$gt":0}}', '{"$set":{"a":1.10},"$inc":{"n":1}}')
    assert.equal(status, 200)
    assert.equal(
      text,
      '[{"before":{"_id":1,"n":1.0},"after":{"_id":1,"n":2,"a":1.10}},' +
        '{"before":{"_id":"1","n":9007199254740993},"after":{"_id":"1","n":9007199254740994,"a":1.10}}]',
    )
    const one = await preview('q={}&l=1', '{"x":"Service.ServerValue.TIMESTAMP"}')
    assert.match(one.text, /^\[\{"before":\{"_id":1,"n":1\.0\},"after":\{"_id":1,"x":\d{13}\}\}\]$/)
    assert.equal((await preview('q={"_id":404}', '{"a":1}')).text, '[]')
    assert.equal(
      (await dashboard.send('GET', at, session)).text,
      '[{"_id":1,"n":1.0},{"_id":"1","n":9007199254740993},{"_id":2,"t":"x"}]',
    )
  })

  it('has fewer where documents are long, and one at least', async () => {
    const long = (id: number) => `{"_id":${id},"t":"${'x'.repeat(700_000)}"}`
    for (let id = 0; id < 8; id += 2) await save('long', `[${long(id)},${long(id + 1)}]`)
    const { text } = await dashboard.send('POST', '/apps/todo/update-preview/long?q={}', session, {
      json: { $set: { n: 1 } },
    })
    const changes = JSON.parse(text) as { after: { _id: number; n: number } }[]
    assert.ok(changes.length > 0 && changes.length < 5, `${changes.length} documents`)
    assert.deepEqual(
      changes.map(({ after: { _id, n } }) => [_id, n]),
      changes.map((_, id) => [id, 1]),
    )
    const refused = await dashboard.send('POST', '/apps/todo/update-preview/long?q={}', session, {
      json: { $set: { n: 'x'.repeat(400_000) } },
    })
    assert.equal(refused.json.code, 'document_too_large')
  })
})
