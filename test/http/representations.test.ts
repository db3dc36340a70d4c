import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const LONG = 'é'.repeat(1000)

let server: TestServer
before(async () => {
  server = await startTestServer()
  const things = Array.from({ length: 20 }, (_, n) => `{"_id":"${n}","n":${n},"t":"${n === 0 ? '' : LONG}"}`)
  assert.equal((await server.send('POST', C, { body: `[${things.join()}]` })).status, 201)
})
after(() => server.close())

function get(path: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return server.send('GET', path, { headers })
}

/** The answer that memory gives: that to the third of the same questions. */
async function kept(path: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  for (let i = 0; i < 2; i++) await get(path)
  const answer = await get(path, headers)
  assert.match(String(answer.headers['server-timing']), /memory/)
  return answer
}

describe('the entity tag of a document', () => {
  it('is strong, and the same from the file as from memory', async () => {
    const { headers } = await get(`${C}/0`)
    assert.match(String(headers['server-timing']), /"id"/)
    assert.match(headers.etag!, /^"[\w-]{22}"$/)
    assert.equal(headers['cache-control'], 'private, no-cache')
    assert.equal((await get(`${C}/0`)).headers.etag, headers.etag)
    assert.equal((await server.send('HEAD', `${C}/0`)).headers.etag, headers.etag)
  })

  it('answers a condition with 304 and no body, and changes with the document', async () => {
    const { headers, text } = await get(`${C}/1`)
    const unchanged = await get(`${C}/1`, { 'If-None-Match': headers.etag! })
    assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
    assert.equal(unchanged.headers.etag, headers.etag)
    assert.equal(unchanged.headers['cache-control'], 'private, no-cache')
    assert.equal(unchanged.headers.vary, 'Accept-Encoding')
    assert.equal(unchanged.headers['content-length'], undefined)
    assert.equal(unchanged.headers['content-type'], undefined)
    assert.equal((await get(`${C}/1`, { 'If-None-Match': '*' })).status, 304)
    assert.equal((await server.send('HEAD', `${C}/1`, { headers: { 'If-None-Match': '*' } })).status, 304)
    await server.send('PUT', `${C}/1`, { body: '{"$set":{"x":1}}' })
    const changed = await get(`${C}/1`, { 'If-None-Match': headers.etag! })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.etag, headers.etag)
    await server.send('PUT', `${C}/1`, { body: '{"$unset":{"x":1}}' })
    assert.equal((await get(`${C}/1`)).text, text)
    assert.equal((await get(`${C}/1`, { 'If-None-Match': headers.etag! })).status, 304)
  })

  it('has the content coding in it, and holds whatever coding it came with', async () => {
    for (const coding of ['br', 'gzip', 'zstd']) {
      const { headers } = await server.send('GET', `${C}/2`, { headers: { 'Accept-Encoding': coding } })
      assert.match(headers.etag!, new RegExp(`^"[\\w-]{22}-${coding}"$`))
      assert.equal(headers['content-encoding'], coding)
      assert.equal(headers.vary, 'Accept-Encoding')
      assert.equal((await get(`${C}/2`, { 'If-None-Match': headers.etag! })).status, 304)
    }
  })

  it('is the same where a query found the document alone', async () => {
    const { headers } = await get(`${C}/2`)
    assert.equal((await get(`${C}?fo=true&q={"_id":"2"}`)).headers.etag, headers.etag)
    const unchanged = await get(`${C}?fo=true&q={"_id":"2"}`, { 'If-None-Match': headers.etag! })
    assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
  })

  it('is not there where a projection cut the document down, nor on errors, counts and writes', async () => {
    for (const path of [
      `${C}/0?f={"n":1}`,
      `${C}/none`,
      `${C}?c=true`,
      `${C}?fo=true&f={"n":1}`,
      `${C}?fo=true&q={"n":-1}`,
      '/apps',
    ]) {
      const { headers } = await get(path, { 'If-None-Match': '*' })
      assert.equal(headers.etag, undefined, path)
      assert.equal(headers['cache-control'], 'no-store', path)
    }
  })
})

describe('the entity tag of a list', () => {
  it('is weak, and there where memory answers', async () => {
    const path = `${C}?q={"n":{"$gt":3}}&l=5`
    assert.equal((await get(path)).headers.etag, undefined)
    const { headers } = await kept(path)
    assert.match(headers.etag!, /^W\/"[\w-]{22}"$/)
    const unchanged = await get(path, { 'If-None-Match': headers.etag!, 'Accept-Encoding': 'br' })
    assert.deepEqual([unchanged.status, unchanged.text], [304, ''])
    assert.match(String(unchanged.headers.link), /rel="next"/)
    await server.send('PUT', `${C}/9`, { body: '{"$inc":{"x":1}}' })
    assert.equal((await get(path, { 'If-None-Match': headers.etag! })).status, 200)
    assert.equal((await kept(`${path}&f={"n":1}`)).headers.etag, undefined)
  })
})

describe('a compressed answer', () => {
  it('varies by Accept-Encoding from 1 KiB on, also where it is not compressed', async () => {
    assert.equal((await get(`${C}/0`)).headers.vary, undefined)
    const short = await get(`${C}/0`, { 'Accept-Encoding': 'gzip' })
    assert.deepEqual([short.headers['content-encoding'], short.headers.vary], [undefined, undefined])
    const plain = await get(`${C}/3`)
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding'])
  })

  it('tells HEAD its coding, and no length that the body would not have', async () => {
    for (const path of [C, `${C}/3`]) {
      const { headers, status } = await server.send('HEAD', path, { headers: { 'Accept-Encoding': 'gzip' } })
      assert.equal(status, 200)
      assert.equal(headers['content-encoding'], 'gzip')
      assert.equal(headers['content-length'], undefined)
      assert.equal(headers['content-type'], 'application/json')
    }
  })

  it('is not there where compression is off', async (t) => {
    const plain = await startTestServer({ compression: false })
    t.after(() => plain.close())
    await plain.send('POST', C, { body: `{"_id":"1","t":"${LONG}"}` })
    const { headers } = await plain.send('GET', `${C}/1`, { headers: { 'Accept-Encoding': 'br, gzip' } })
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined])
    assert.match(headers.etag!, /^"[\w-]{22}"$/)
  })
})

describe('a list that is to tell how many documents there are', () => {
  const counted = async (query: string, prefer = 'count=exact') => {
    const { headers } = await get(`${C}?${query}`, { Prefer: prefer })
    return [headers['x-total-count'], headers['content-range'], headers['preference-applied']]
  }
  it('says so in headers that pages may read', async () => {
    assert.deepEqual(await counted('l=10'), ['20', 'documents 0-9/20', 'count=exact'])
    assert.deepEqual(await counted('sk=15&l=10'), ['20', 'documents 15-19/20', 'count=exact'])
    assert.deepEqual(await counted('q={"n":{"$lt":5}}&sk=1&l=2', 'return=minimal, count = "exact"'), [
      '5',
      'documents 1-2/5',
      'count=exact',
    ])
    assert.deepEqual(await counted('sk=20'), ['20', 'documents */20', 'count=exact'])
    assert.deepEqual(await counted('q={"n":99}'), ['0', 'documents */0', 'count=exact'])
    assert.deepEqual(await counted('l=0'), ['20', 'documents */20', 'count=exact'])
    const { headers } = await get(`${C}?l=1`, { Prefer: 'count=exact', Origin: 'https://page.example' })
    const exposed = String(headers['access-control-expose-headers'])
    for (const name of ['X-Total-Count', 'Content-Range', 'ETag', 'Content-Location'])
      assert.match(exposed, new RegExp(name))
  })

  it('does not say where a page begins that is behind a cursor', async () => {
    const { headers } = await get(`${C}?l=5`)
    const next = /^<\?([^>]+)>/.exec(String(headers.link))![1]!
    assert.deepEqual(await counted(next), ['20', undefined, 'count=exact'])
  })

  it('costs nothing where it is not asked for', async () => {
    for (const prefer of ['count=planned', 'discount=exact', 'count=exactly', ''])
      assert.deepEqual(await counted('l=1', prefer), [undefined, undefined, undefined], prefer)
    for (const path of [`${C}?c=true`, `${C}?fo=true`, `${C}/0`])
      assert.equal((await get(path, { Prefer: 'count=exact' })).headers['x-total-count'], undefined)
  })
})
