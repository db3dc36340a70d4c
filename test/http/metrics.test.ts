import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestServer } from './start-test-server.ts'

const METRICS = '/_/metrics'

describe('the metrics of a server', () => {
  it('are at their path for GET and HEAD of whoever may read them, also while requests are turned away', async (t) => {
    let mayRead = true
    const asked = Promise.withResolvers<void>()
    const { promise, resolve } = Promise.withResolvers<string>()
    const store = {
      getDocument: () => {
        asked.resolve()
        return promise
      },
    }
    const metrics = { mayRead: () => mayRead, read: async () => 'sheaf_up 1\n' }
    const server = await startTestServer({ store, limits: { openRequests: 1 }, metrics })
    t.after(() => server.close())
    const waiting = server.send('GET', '/apps/demo/collections/c/x')
    await asked.promise
    for (const path of [METRICS, `${METRICS}/`, `${METRICS}?x=1`]) {
      const { status, text, headers } = await server.send('GET', path)
      assert.deepEqual([status, text], [200, 'sheaf_up 1\n'])
      assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-store')
      const head = await server.send('HEAD', path)
      assert.deepEqual([head.status, head.headers['content-length']], [200, '11'])
    }
    const { status, headers } = await server.send('POST', METRICS)
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'])
    mayRead = false
    assert.equal((await server.send('GET', METRICS)).status, 503)
    resolve('{}')
    await waiting
  })

  it('are at no path for others, whatever the method, nor on hosts of sites', async (t) => {
    const site = {
      name: 'shop',
      app: 'id',
      isPreview: false,
      handle: () => ({ status: 200, body: '"site"' }),
    }
    const findSite = (authority: string) => (authority.startsWith('shop.') ? site : undefined)
    let mayRead = false
    const read = async (): Promise<string> => 'secret'
    const server = await startTestServer({ metrics: { mayRead: () => mayRead, read }, findSite })
    t.after(() => server.close())
    const nothing = (await server.send('GET', '/nothing')).text.replace(/"requestId":"[^"]*"/, '')
    for (const method of ['GET', 'POST', 'DELETE', 'PATCH']) {
      const { status, text, headers } = await server.send(method, METRICS)
      assert.deepEqual(
        [status, text.replace(/"requestId":"[^"]*"/, ''), headers.allow],
        [404, nothing, undefined],
      )
    }
    mayRead = true
    for (const path of ['/_/metricsx', '/_/metrics/x', '/_//metrics', '/_/Metrics', '/_/%6detrics'])
      assert.equal((await server.send('GET', path)).status, 404, path)
    assert.equal((await server.send('GET', METRICS, { headers: { Host: 'shop.localhost' } })).text, '"site"')
  })
})
