import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { RequestFacts } from '../../src/analytics/request-facts.ts'
import { generateApiKey } from '../../src/credentials/api-key.ts'
import type { Site } from '../../src/http/request/handle-request.ts'
import { startTestServer, type TestServer } from './start-test-server.ts'

const PAGE = { status: 200, body: '<p>', file: { type: 'text/html; charset=utf-8', caching: 'no-cache' } }

function site(name: string, isPreview: boolean): Site {
  const handle: Site['handle'] = ({ path }) =>
    path.endsWith('.js') ? { ...PAGE, file: { type: 'text/javascript', caching: 'no-cache' } } : PAGE
  return { name, app: `id of ${name}`, isPreview, handle }
}

const SITES: Readonly<Record<string, Site>> = {
  'demo.sites.test': site('demo', false),
  'www.demo.test': site('demo', false),
  'new--demo.sites.test': site('demo', true),
}

describe('what is counted of requests', () => {
  let server: TestServer
  const facts: RequestFacts[] = []
  const filmReader = generateApiKey()

  before(async () => {
    server = await startTestServer({
      traffic: { add: (each) => facts.push(each) },
      dashboard: async () => ({ status: 200, body: '{}' }),
      findSite: (host) => SITES[host],
      moreKeys: [
        {
          ...{ keyId: 'k9', name: 'film reader', apiKey: filmReader },
          rules: { permission: ['read'], collections: ['films', '$x'] },
        },
      ],
    })
  })

  after(() => server.close())

  /** What was counted of one request, in the fields that are named. */
  async function counted<Name extends keyof RequestFacts>(
    names: readonly Name[],
    ...sent: Parameters<TestServer['send']>
  ): Promise<RequestFacts[Name][]> {
    facts.length = 0
    await server.send(...sent)
    assert.equal(facts.length, 1)
    return names.map((name) => facts[0]![name])
  }

  const WHERE = ['app', 'key', 'collection', 'operation', 'status', 'code'] as const
  const demo = async (): Promise<string> => (await counted(['app'], 'GET', '/apps/demo/collections'))[0]!

  it('is of an app where nobody was let in, and neither a key nor a name that anybody may write', async () => {
    const app = await demo()
    assert.notEqual(app, '')
    const path = '/apps/demo/collections/<script>/7'
    const anonymous = { headers: { 'X-Service-API-Key': undefined } }
    assert.deepEqual(await counted(WHERE, 'GET', path, anonymous), [
      app,
      '',
      '',
      'get',
      401,
      'missing_credentials',
    ])
    assert.deepEqual(await counted(WHERE, 'GET', '/apps/gone/collections/c'), [
      ...['', '', '', 'other', 404, 'app_not_found'],
    ])
  })

  it('has no key that may not reach the app, and no collection that it may not reach or that can be none', async () => {
    const headers = { 'X-Service-API-Key': server.keys.demoOnly }
    const [app, key, collection] = await counted(WHERE, 'GET', '/apps/other/collections/secret', { headers })
    assert.notEqual(app, '')
    assert.deepEqual([key, collection], ['', ''])
    const long = `/apps/demo/collections/${'x'.repeat(10_000)}?l=x`
    assert.deepEqual(await counted(WHERE, 'GET', long), [
      await demo(),
      'k1',
      '',
      'find',
      400,
      'invalid_parameter',
    ])
    const invalid = '/apps/demo/collections/%24x'
    assert.deepEqual(await counted(WHERE, 'GET', invalid), [
      await demo(),
      'k1',
      '',
      'find',
      400,
      'invalid_name',
    ])
  })

  it('has the collection that a key may reach, also where it may not do there what it asks', async () => {
    const headers = { 'X-Service-API-Key': filmReader }
    const of = async (collection: string) =>
      counted(WHERE.slice(1), 'POST', `/apps/demo/collections/${collection}`, { headers, body: '{}' })
    const denied = ['save', 403, 'permission_denied']
    assert.deepEqual(await of('films'), ['k9', 'films', ...denied])
    assert.deepEqual(await of('secret'), ['k9', '', ...denied])
    assert.deepEqual(await of('%3Cscript%3E'), ['k9', '', ...denied])
    assert.deepEqual(await of('%24x'), ['k9', '', ...denied])
    const path = '/apps/demo/collections/secret'
    assert.deepEqual(await counted(WHERE.slice(1), 'GET', path, { headers }), [
      ...['k9', '', 'find', 403, 'collection_not_allowed'],
    ])
  })

  it('says which key did what in which collection, and how many documents it was about', async () => {
    const app = await demo()
    const documents = [...WHERE.slice(1, 5), 'written', 'read'] as const
    const path = '/apps/demo/collections/gr%C3%B6%C3%9Fe'
    const cases = [
      ['POST', path, '[{"_id":1},{"_id":2},{"_id":3}]', 'save', 201, 3, 0],
      ['POST', path, '[]', 'save', 200, 0, 0],
      ['GET', `${path}?l=2`, undefined, 'find', 200, 0, 2],
      ['GET', `${path}?fo=true`, undefined, 'find', 200, 0, 1],
      ['GET', `${path}?q={"_id":9}&fo=true`, undefined, 'find', 200, 0, 0],
      ['GET', `${path}?c=true`, undefined, 'count', 200, 0, 0],
      ['GET', `${path}/1`, undefined, 'get', 200, 0, 1],
      // The second one comes from memory.
      ['GET', `${path}/1`, undefined, 'get', 200, 0, 1],
      ['HEAD', `${path}/1`, undefined, 'get', 200, 0, 1],
      ['PUT', `${path}/1`, '{"a":1}', 'update', 200, 1, 0],
      ['PUT', `${path}?q={"_id":{"$gt":1}}`, '{"$set":{"b":1}}', 'update', 200, 2, 0],
      ['DELETE', `${path}/3`, undefined, 'delete', 200, 1, 0],
      ['DELETE', `${path}?q={}`, undefined, 'delete', 200, 2, 0],
      ['PATCH', path, undefined, 'other', 405, 0, 0],
    ] as const
    for (const [method, target, body, operation, status, written, read] of cases) {
      const seen = await counted(documents, method, target, { ...(body !== undefined && { body }) })
      assert.deepEqual(seen, ['k1', 'größe', operation, status, written, read], `${method} ${target}`)
      assert.equal(facts[0]!.app, app)
    }
  })

  it('has as many documents from memory as from the store', async () => {
    const path = '/apps/demo/collections/again'
    await server.send('POST', path, { body: '[{"_id":1},{"_id":2}]' })
    for (let i = 0; i < 4; i++) assert.deepEqual(await counted(['read'], 'GET', path), [2])
  })

  it('has the bytes of both bodies as they were sent', async () => {
    const body = JSON.stringify({ _id: 'long', text: 'x'.repeat(20_000) })
    const [bytesIn] = await counted(['bytesIn'], 'POST', '/apps/demo/collections/c', { body })
    assert.equal(bytesIn, body.length)
    const path = '/apps/demo/collections/c/long'
    assert.deepEqual(await counted(['bytesOut'], 'GET', path), [body.length])
    assert.deepEqual(await counted(['bytesOut'], 'HEAD', path), [0])
    const [coded] = await counted(['bytesOut'], 'GET', path, { headers: { 'Accept-Encoding': 'gzip' } })
    assert.ok(coded! < 1000)
  })

  it('has a token with the one app that its key is for, if there is one', async () => {
    const of = ['app', 'operation', 'status'] as const
    const { full, demoOnly } = server.keys
    assert.deepEqual(await counted(of, 'POST', `/create-token/${full}`), ['', 'token', 200])
    assert.deepEqual(await counted(of, 'POST', `/create-token/${demoOnly}`), ['', 'token', 200])
    assert.deepEqual(await counted(of, 'POST', '/create-token/shf_0'), ['', 'token', 401])
  })

  it('tells the areas of the server apart', async () => {
    const area = ['area', 'app'] as const
    const preflight = { headers: { Origin: 'https://a.test', 'Access-Control-Request-Method': 'GET' } }
    assert.deepEqual(await counted(area, 'GET', '/_/health/live'), ['probe', ''])
    assert.deepEqual(await counted(area, 'GET', '/_/api/apps/demo'), ['dashboard', ''])
    assert.deepEqual(await counted(area, 'GET', '/_/metrics'), ['metrics', ''])
    assert.deepEqual(await counted(area, 'GET', '/_/metricsx'), ['dashboard', ''])
    assert.deepEqual(await counted(area, 'GET', '/'), ['api', ''])
    assert.deepEqual(await counted(area, 'OPTIONS', '/apps/demo/collections/c', preflight), ['api', ''])
  })

  it('has pages of sites that were shown, and from where, and nothing of previews', async () => {
    const seen = ['area', 'app', 'operation', 'visit'] as const
    const at = (host: string, referer?: string) => ({
      headers: { Host: host, ...(referer && { Referer: referer }) },
    })
    const visit = async (path: string, host = 'demo.sites.test', referer?: string) =>
      (await counted(seen, 'GET', path, at(host, referer))).slice(3)[0]
    assert.deepEqual(await counted(seen, 'GET', '/a.js', at('demo.sites.test')), [
      ...['site', 'id of demo', 'site', undefined],
    ])
    assert.equal(await visit('/', 'new--demo.sites.test'), undefined)
    assert.deepEqual(await visit('/%C3%BC?q=secret'), { path: '/ü', referrer: '' })
    assert.deepEqual(await visit('/%zz'), { path: '/%zz', referrer: '' })
    assert.deepEqual(await visit(`/${'%20'.repeat(3000)}`), { path: `/${' '.repeat(199)}`, referrer: '' })
    const from = async (referer: string) => (await visit('/', 'demo.sites.test', referer))!
    assert.deepEqual(await from('https://Search.test:8443/?q=secret'), {
      path: '/',
      referrer: 'search.test:8443',
    })
    assert.deepEqual(await from('https://www.demo.test/x'), { path: '/', referrer: '' })
    for (const hostile of ['javascript:alert(1)', 'https://', 'x', `https://${'a'.repeat(5000)}.test/`])
      assert.deepEqual(await from(hostile), { path: '/', referrer: '' }, hostile)
  })

  it('has a client that had gone, and a request that is refused before it is read', async () => {
    facts.length = 0
    const socket = await server.connect()
    socket.write(server.written('POST', '/apps/demo/collections/c', ['Content-Length: 10']))
    // It is open as soon as a request behind it is answered.
    await server.send('GET', '/_/health/live')
    socket.destroy()
    await once(socket, 'close')
    const gone = () => facts.find(({ status }) => status === 499)
    while (gone() === undefined) await server.send('GET', '/_/health/live')
    assert.equal(gone()?.code, 'client_gone')
    facts.length = 0
    await server.raw('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n')
    assert.deepEqual(
      facts.map(({ area, status, code }) => [area, status, code]),
      [['api', 400, 'invalid_request']],
    )
  })
})
