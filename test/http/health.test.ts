import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startTestServer } from './start-test-server.ts'

const NO_KEY = { 'X-Service-API-Key': undefined }
const LIVE = '/_/health/live'
const READY = '/_/health/ready'

describe('the health of a server', () => {
  it('is told to whoever asks, by GET and HEAD, whatever credentials come along, and nothing beside it', async (t) => {
    const failed: string[] = []
    const failures = { fail: (address: string) => void failed.push(address) }
    const server = await startTestServer({ failures })
    t.after(() => server.close())
    for (const path of [LIVE, READY, `${LIVE}/`, `${READY}?x=1`])
      for (const headers of [NO_KEY, {}, { 'X-Service-API-Key': 'wrong' }, { Authorization: 'Bearer x' }]) {
        const answer = await server.send('GET', path, { headers })
        assert.deepEqual([answer.status, answer.text], [200, '{"status":"ok"}'], path)
        assert.equal(answer.headers['content-type'], 'application/json')
        assert.equal(answer.headers['cache-control'], 'no-store')
        const head = await server.send('HEAD', path, { headers })
        assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '15'])
      }
    assert.deepEqual(failed, [])
  })

  it('takes no other method, and has no other paths', async (t) => {
    const server = await startTestServer()
    t.after(() => server.close())
    for (const path of [LIVE, READY])
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
        const { status, headers, json } = await server.send(method, path, { headers: NO_KEY })
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], method)
        assert.equal((json as { code: string }).code, 'method_not_allowed')
      }
    for (const path of [
      '/_/health',
      '/_/health/',
      '/_/health/other',
      '/_/health/live/x',
      '/_/Health/live',
      '/_//health/live',
    ])
      assert.equal((await server.send('GET', path)).status, 404, path)
  })

  it('is live and not ready while the apps and keys can not be read', async (t) => {
    let isReadable = true
    const server = await startTestServer({ isReadable: () => isReadable })
    t.after(() => server.close())
    for (const [now, status, text] of [
      [false, 503, '{"status":"unavailable"}'],
      [true, 200, '{"status":"ok"}'],
    ] as const) {
      isReadable = now
      const ready = await server.send('GET', READY, { headers: NO_KEY })
      assert.deepEqual([ready.status, ready.text], [status, text])
      assert.equal((await server.send('GET', LIVE, { headers: NO_KEY })).status, 200)
    }
  })

  it('is live and not ready while requests are turned away', async (t) => {
    const asked = Promise.withResolvers<void>()
    const { promise, resolve } = Promise.withResolvers<string>()
    const store = {
      getDocument: () => {
        asked.resolve()
        return promise
      },
    }
    const server = await startTestServer({ store, limits: { openRequests: 1 } })
    t.after(() => server.close())
    const waiting = server.send('GET', '/apps/demo/collections/c/x')
    await asked.promise
    const statuses = await Promise.all(
      [LIVE, READY, '/validate_key'].map(async (path) => (await server.send('GET', path)).status),
    )
    resolve('{}')
    assert.deepEqual([statuses, (await waiting).status], [[200, 503, 503], 200])
    assert.equal((await server.send('GET', READY)).status, 200)
  })
})
