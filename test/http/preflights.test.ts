import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestServer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const NO_KEY = { 'X-Service-API-Key': undefined }

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

describe('the answer to a preflight', () => {
  it('needs no credentials', async () => {
    const headers = {
      ...NO_KEY,
      Origin: 'https://page.example',
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'x-service-api-key,content-type',
    }
    for (const path of [C, '/nowhere', `${C}/%ff`]) {
      const answer = await server.send('OPTIONS', path, { headers })
      assert.equal(answer.status, 204)
      assert.equal(answer.text, '')
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.equal(answer.headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, DELETE')
      assert.equal(answer.headers['access-control-allow-headers'], 'x-service-api-key, content-type')
      assert.equal(answer.headers['access-control-max-age'], '86400')
    }
    assert.equal((await server.send('OPTIONS', '/_/x', { headers })).status, 404)
  })

  it('lets pages send whatever headers their clients add, as long as they are names of headers', async () => {
    const allowed = async (asked: string | undefined): Promise<unknown> => {
      const headers = {
        ...NO_KEY,
        Origin: 'https://page.example',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': asked,
      }
      const answer = await server.send('OPTIONS', C, { headers })
      assert.equal(answer.status, 204)
      assert.equal(answer.headers['access-control-allow-credentials'], undefined)
      return answer.headers['access-control-allow-headers']
    }
    const added = 'x-flybase-api-signature, x-requested-with, traceparent, cache-control, if-match'
    assert.equal(await allowed(added), added)
    assert.equal(await allowed(added.replaceAll(', ', ',')), added)
    assert.equal(await allowed(undefined), undefined)
    assert.equal(await allowed('a b, x:y, , é, good'), 'good')
    assert.equal(await allowed(`long-${'x'.repeat(256)}, short`), 'short')
    const many = Array.from({ length: 300 }, (_, i) => `x-${i}`)
    assert.equal(await allowed(many.join()), many.slice(0, 200).join(', '))
  })
})
