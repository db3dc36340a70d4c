import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QueryStatsFile } from '../../src/query-stats/query-stats-file.ts'
import { Dashboard } from './start-dashboard.ts'

describe('the statistics of queries', () => {
  let dashboard: Dashboard

  before(async () => {
    dashboard = await Dashboard.start()
  })
  after(() => dashboard.close())

  it('count what programs read, by keys or tokens, and nothing that an account reads in a session', async () => {
    const owner = await dashboard.account('owner@example.org')
    await dashboard.accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    const session = await dashboard.session(owner)
    const token = await dashboard.token(owner, ['read'])
    const at = '/apps/todo/collections/things'
    assert.equal((await dashboard.send('POST', at, session, { json: { _id: 1 } })).status, 201)
    for (const query of ['q={"a":1}', 'q={"b":1}&c=true', 'q={"c":1}&fo=true', 'q={"d":1}&preview=true'])
      assert.equal((await dashboard.send('GET', `${at}?${query}`, session)).status, 200)
    for (const query of ['q={"e":1}', 'q={"f":1}&preview=true'])
      assert.equal((await dashboard.send('GET', `${at}?${query}`, token)).status, 200)
    const { server } = dashboard
    await server.client.send('GET', '/apps/demo/collections/things?q={"g":1}')
    await server.stop()
    const { fingerprints } = new QueryStatsFile({ dataDir: server.folder }).load()
    assert.deepEqual(
      fingerprints.map(({ fingerprint }) => /\b[a-g]\b/.exec(fingerprint)?.[0]),
      ['e', 'f', 'g'],
    )
  })
})
