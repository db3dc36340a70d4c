import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const NO_KEY = { 'X-Service-API-Key': undefined }

let server: TestServer
before(async () => {
  server = await startTestServer()
  await server.send('POST', C, { body: '{"_id":"x","a":"é"}' })
})
after(() => server.close())

function codeOf(answer: TestAnswer): string {
  return (answer.json as { code: string }).code
}

describe('credentials', () => {
  it('are asked for before anything else is looked at', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/nowhere'],
      ['PATCH', C],
      ['GET', '/apps/none/collections'],
      ['GET', `${C}/%ff`],
      ['GET', `${C}?q=%ff`],
      ['POST', C],
      ['GET', '/create-token/x'],
      ['POST', '/create-token/'],
      ['POST', '/create-token/a/b'],
      ['POST', '/create-token/a//'],
      ['OPTIONS', C],
    ] as const) {
      const answer = await server.send(method, path, { headers: NO_KEY })
      assert.equal(answer.status, 401, `${method} ${path}`)
      assert.equal(codeOf(answer), 'missing_credentials')
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="sheaf"')
    }
  })

  it('that are not valid are 401, wherever they stand', async () => {
    for (const headers of [
      { 'X-Service-API-Key': 'wrong' },
      { 'X-Service-API-Key': '' },
      { 'X-Service-API-Key': `${server.keys.full}, ${server.keys.full}` },
      { 'X-Service-API-Key': `token:${server.keys.full}` },
      { ...NO_KEY, Authorization: 'Bearer x.y.z' },
      { ...NO_KEY, Authorization: `Bearer ${server.keys.full}` },
      { ...NO_KEY, Authorization: 'bearer' },
      { 'X-Service-API-Key': 'wrong', Authorization: 'Bearer x.y.z' },
    ]) {
      const answer = await server.send('GET', '/', { headers })
      assert.equal(answer.status, 401)
      assert.equal(codeOf(answer), 'invalid_credentials')
      assert.match(answer.headers['www-authenticate']!, /^Bearer /)
    }
    assert.equal((await server.send('GET', '/?jwttoken=x.y.z', { headers: NO_KEY })).status, 401)
  })

  it('may be a key in the header of any configured name, in any letter case', async () => {
    for (const name of ['x-service-api-key', 'X-SERVICE-API-KEY', 'X-Sibling-API-Key']) {
      const answer = await server.send('GET', '/', { headers: { ...NO_KEY, [name]: server.keys.full } })
      assert.equal(answer.status, 200, name)
    }
    const answer = await server.send('GET', '/', {
      headers: { ...NO_KEY, 'X-Other-API-Key': server.keys.full },
    })
    assert.equal(answer.status, 401)
    assert.match(answer.text, /The header x-other-api-key is not looked at.*--service-name/)
  })

  it('may be a token, in three ways', async () => {
    const made = await server.send('POST', `/create-token/${server.keys.full}`, { headers: NO_KEY })
    assert.equal(made.status, 200)
    const { id_result: token } = made.json as { id_result: string }
    assert.deepEqual(Object.keys(made.json as object), ['id_result'])
    for (const headers of [
      { 'X-Service-API-Key': `token:${token}` },
      { ...NO_KEY, Authorization: `Bearer ${token}` },
      { ...NO_KEY, Authorization: `bearer ${token}` },
    ])
      assert.equal((await server.send('GET', '/validate_key', { headers })).status, 200)
    const inQuery = `${C}?c=true&jwttoken=${token}`
    assert.equal((await server.send('GET', inQuery, { headers: NO_KEY })).text, '1')
    assert.equal((await server.send('GET', `${inQuery}&jwttoken=${token}`, { headers: NO_KEY })).status, 400)
  })

  it('are described at / and /validate_key', async () => {
    for (const path of ['/', '/validate_key', '/validate_key/', '/?x=1']) {
      const answer = await server.send('GET', path)
      assert.equal(answer.text, '{"valid":true,"key":{"name":"full","permission":"full","apps":"all"}}')
    }
  })
})

describe('POST /create-token', () => {
  it('answers whatever body or content type comes with it', async () => {
    for (const [type, body] of [
      ['application/json', ''],
      ['application/json', '{'],
      ['application/json; charset=latin1', 'x'],
      ['multipart/form-data', 'x'.repeat(100_000)],
    ]) {
      const headers = { ...NO_KEY, 'Content-Type': type, 'Content-Length': String(body!.length) }
      const answer = await server.send('POST', `/create-token/${server.keys.full}`, { headers, body: body! })
      assert.equal(answer.status, 200, answer.text)
    }
  })

  it('passes over a slash behind the key', async () => {
    const answer = await server.send('POST', `/create-token/${server.keys.full}/`, { headers: NO_KEY })
    assert.equal(answer.status, 200)
  })

  it('is 401 for a bad key, and never repeats it', async () => {
    for (const key of ['wrong', `${server.keys.full}x`, 'shf_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']) {
      const answer = await server.send('POST', `/create-token/${key}`, { headers: NO_KEY })
      assert.equal(answer.status, 401)
      assert.equal(answer.text.includes(key), false)
    }
    assert.equal((await server.send('POST', '/create-token/%ff', { headers: NO_KEY })).status, 400)
  })

  it('is a known path that takes no other method', async () => {
    const answer = await server.send('GET', `/create-token/${server.keys.full}`)
    assert.equal(answer.status, 405)
    assert.equal(answer.headers.allow, 'POST')
  })
})

describe('apps', () => {
  const headers = (): Record<string, string> => ({ 'X-Service-API-Key': server.keys.demoOnly })

  it('outside of the key are 403, whether they exist or not', async () => {
    for (const app of ['other', 'none', 'constructor', '__proto__', '', '%20'])
      for (const path of [
        `/apps/${app}/collections`,
        `/apps/${app}/collections/c`,
        `/apps/${app}/collections/c/d`,
      ]) {
        const answer = await server.send('GET', path, { headers: headers() })
        assert.equal(answer.status, 403, path)
        assert.equal(codeOf(answer), 'app_not_allowed')
      }
    assert.equal((await server.send('GET', C, { headers: headers() })).status, 200)
  })

  it('that do not exist are 404', async () => {
    for (const app of ['none', '__proto__', 'toString', 'DEMO', ''])
      assert.equal(codeOf(await server.send('GET', `/apps/${app}/collections`)), 'app_not_found')
    const gone = await server.send('GET', '/apps/gone/collections', { headers: headers() })
    assert.equal(codeOf(gone), 'app_not_found')
    assert.equal(gone.status, 404)
  })

  it('are listed as far as the key may use them', async () => {
    assert.deepEqual((await server.send('GET', '/apps')).json, ['constructor', 'demo', 'other'])
    assert.deepEqual((await server.send('GET', '/apps/', { headers: headers() })).json, ['demo'])
  })
})

describe('paths and methods', () => {
  it('are 404 where nothing is, and 405 with Allow where the method is another', async () => {
    for (const path of ['/nowhere', '/apps/demo', `${C}//`, `${C}/x//`, `${C}/x/y`, '//'])
      assert.equal(codeOf(await server.send('GET', path)), 'unknown_path', path)
    for (const [path, allow] of [
      ['/', 'GET, HEAD'],
      ['/apps', 'GET, HEAD'],
      ['/apps/demo/collections', 'GET, HEAD'],
      [C, 'GET, HEAD, POST, PUT, DELETE'],
      [`${C}/x`, 'GET, HEAD, POST, PUT, DELETE'],
    ] as const)
      for (const method of ['PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        const answer = await server.send(method, path)
        assert.equal(answer.status, 405, `${method} ${path}`)
        assert.equal(codeOf(answer), 'method_not_allowed')
        assert.equal(answer.headers.allow, allow)
      }
    assert.equal((await server.send('POST', '/apps', { body: '{}' })).status, 405)
  })

  it('take HEAD wherever GET works, with the same headers and no body', async () => {
    for (const path of [
      '/',
      '/apps',
      '/apps/demo/collections',
      C,
      `${C}/x`,
      `${C}/none`,
      `${C}?c=true`,
      `${C}?l=x`,
    ]) {
      // From then on memory answers, which gives entity tags to lists.
      for (let i = 0; i < 2; i++) await server.send('GET', path)
      const [get, head] = [await server.send('GET', path), await server.send('HEAD', path)]
      assert.equal(head.status, get.status)
      assert.equal(head.text, '')
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.text)))
      const common = ({ headers }: typeof get) => ({
        ...headers,
        date: '',
        'x-request-id': '',
        'server-timing': String(headers['server-timing']).replace(/^store;dur=[\d.]+;desc="\w+"$/, 'read'),
      })
      assert.deepEqual(common(head), common(get))
    }
  })

  it('under /_ belong to the dashboard, where no API key is looked at', async () => {
    for (const path of ['/_', '/_/', '/_/api/keys'])
      for (const headers of [{}, NO_KEY, { 'X-Service-API-Key': 'wrong' }]) {
        const answer = await server.send('GET', path, { headers })
        assert.equal(codeOf(answer), 'unknown_path')
        assert.equal(answer.status, 404)
      }
    assert.equal((await server.send('GET', '/_x', { headers: NO_KEY })).status, 401)
  })
})

describe('every answer', () => {
  it('is JSON that no one caches, sniffs or withholds from a page', async () => {
    const origin = { Origin: 'https://page.example' }
    for (const answer of [
      await server.send('GET', '/', { headers: origin }),
      await server.send('GET', `${C}/none`, { headers: origin }),
      await server.send('GET', '/', { headers: { ...origin, ...NO_KEY } }),
      await server.send('PATCH', C, { headers: origin }),
    ]) {
      assert.equal(answer.headers['content-type'], 'application/json')
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.match(String(answer.headers['access-control-expose-headers']), /WWW-Authenticate/)
      assert.ok(answer.headers.date)
    }
  })
})

describe('what goes wrong inside', () => {
  it('is logged and never shown; what the store refuses is told', async () => {
    const broken = await startTestServer({
      store: {
        getDocument: () => Promise.reject(new TypeError('secret path /srv')),
        listCollections: () => Promise.reject(new AppError('overloaded', 'come again')),
      },
    })
    const answer = await broken.send('GET', `${C}/x`)
    assert.equal(answer.status, 500)
    assert.equal(codeOf(answer), 'internal')
    assert.doesNotMatch(answer.text, /secret/)
    assert.equal(broken.faults.length, 1)
    assert.match(String(broken.faults[0]), /secret path/)
    const overload = await broken.send('GET', '/apps/demo/collections')
    assert.equal(overload.status, 503)
    assert.equal(overload.headers['retry-after'], '1')
    assert.equal(broken.faults.length, 1)
    await broken.close()
  })
})
