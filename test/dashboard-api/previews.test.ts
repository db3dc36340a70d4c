import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Credential, Dashboard } from './start-dashboard.ts'

describe('previews of documents', () => {
  let dashboard: Dashboard
  let session: Credential
  const at = '/apps/todo/collections/things'
  const previews = (query: string) => dashboard.send('GET', `${at}?preview=true&${query}`, session)

  before(async () => {
    dashboard = await Dashboard.start()
    const owner = await dashboard.account('owner@example.org')
    await dashboard.accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    session = await dashboard.session(owner)
    const body = `[{"_id":1,"n":1.0},{"_id":"1","n":9007199254740993},{"_id":2,"t":"${'é'.repeat(101)}"}]`
    const headers = { 'Content-Type': 'application/json' }
    await dashboard.send('POST', at, session, { body, headers })
  })
  after(() => dashboard.close())

  it('are refused where something else than a list is asked for, or a parameter is none', async () => {
    const queries = ['c=true', 'fo=true', 'after=x&sk=1', 'l=x', 'q={"a":{"$no":1}}', 'after=x']
    for (const query of queries) assert.equal((await previews(query)).status, 400, query)
    for (const query of ['preview=perhaps', 'partial=true', 'preview=true&partial=perhaps'])
      assert.equal((await dashboard.send('GET', `${at}?${query}`, session)).json.code, 'invalid_parameter')
  })

  it('stand in the place of the documents that a list would have', async () => {
    const { status, text, headers } = await previews('s={"n":-1}&l=2')
    assert.equal(status, 200)
    assert.equal(
      text,
      '[{"id":"1","bytes":32,"fields":{"n":9007199254740993}},{"id":1,"bytes":17,"fields":{"n":1.0}}]',
    )
    assert.match(String(headers['server-timing']), /^store;dur=[\d.]+;desc="scan"$/)
  })

  it('come in pages, each with a link to the next one', async () => {
    const first = await previews('l=2&f={"n":1}')
    assert.equal(first.json.length, 2)
    const [, query] = /^<\?(.*)>; rel="next"$/.exec(String(first.headers.link))!
    assert.match(query!, /(^|&)preview=true(&|$)/)
    const second = await dashboard.send('GET', `${at}?${query}`, session)
    assert.equal(second.text, '[{"id":2,"bytes":218,"fields":{}}]')
    assert.equal(second.headers.link, undefined)
  })

  it('say how many documents were looked at, and end without a link, also in part', async () => {
    const { headers, json } = await previews('q={"n":{"$gt":1}}&partial=true')
    assert.equal(json.length, 1)
    assert.equal(headers['x-examined'], '3')
    assert.equal(headers.link, undefined)
    const page = await previews('l=1&partial=true')
    assert.match(String(page.headers.link), /partial=true/)
  })

  it('have a link to the next page, however long the query is', async () => {
    const ids = Array.from({ length: 2000 }, (_, n) => n).join()
    const { headers } = await previews(`l=1&q={"_id":{"$in":[${ids}]}}`)
    assert.ok(String(headers.link).length > 8 * 1024)
  })

  it('are made of no list without preview=true, and at no document', async () => {
    const plain = '[{"_id":1,"n":1.0}]'
    assert.equal((await dashboard.send('GET', `${at}?preview=false&l=1`, session)).text, plain)
    assert.equal(
      (await dashboard.send('GET', `${at}/1?preview=true`, session)).text,
      '{"_id":"1","n":9007199254740993}',
    )
    const rest = dashboard.server.newClient()
    await rest.send('POST', '/apps/demo/collections/things', { body: '{"_id":1,"n":1.0}' })
    assert.equal((await rest.send('GET', '/apps/demo/collections/things?preview=true')).text, plain)
  })
})
