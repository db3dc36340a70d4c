import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { FindCommand, FindResult } from '../../src/storage/store.ts'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const ROWS = '/apps/demo/collections/r%C3%B6w%26s%3F'

let server: TestServer
before(async () => {
  server = await startTestServer()
  const rows = Array.from({ length: 7 }, (_, i) => `{"_id":${i},"g":${i % 3},"t":"<é>&"}`)
  await server.send('POST', ROWS, { body: `[${rows.join(',')}]` })
})
after(() => server.close())

async function get(path: string): Promise<TestAnswer> {
  const answer = await server.send('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return answer
}

/** Where the Link header of an answer from that path leads, or undefined where there is none. */
function linked({ headers }: TestAnswer, from = ROWS): string | undefined {
  if (headers.link === undefined) return undefined
  const target = /^<(\?[^>]*)>; rel="next"$/.exec(String(headers.link))
  assert.ok(target !== null, String(headers.link))
  const { pathname, search } = new URL(target[1]!, `https://localhost${from}?l=1#x`)
  assert.equal(pathname, from)
  return pathname + search
}

async function refuses(path: string, code: string): Promise<void> {
  const answer = await server.send('GET', path)
  assert.equal(answer.status, 400, path)
  assert.equal((answer.json as { code: string }).code, code, path)
}

const cursorOf = (target: string): string => new URLSearchParams(target.split('?')[1]).get('after')!

describe('a page of a collection', () => {
  it('refuses a cursor that is forged, cut off or of another query', async () => {
    const target = linked(await get(`${ROWS}?l=2&s={"g":1}`))!
    const cursor = cursorOf(target)
    await refuses(`${ROWS}?after=`, 'invalid_cursor')
    await refuses(`${ROWS}?after=1`, 'invalid_cursor')
    await refuses(`${ROWS}?s={"g":1}&after=${cursor.slice(0, -2)}`, 'invalid_cursor')
    const forged = `${cursor.slice(0, 14)}${cursor[14] === 'A' ? 'B' : 'A'}${cursor.slice(15)}`
    await refuses(`${ROWS}?s={"g":1}&after=${forged}`, 'invalid_cursor')
    for (const query of ['', 's={"g":-1}&', 's={"g":1}&q={"g":1}&'])
      await refuses(`${ROWS}?${query}after=${cursor}`, 'invalid_cursor')
    await refuses(`/apps/demo/collections/rows?s={"g":1}&after=${cursor}`, 'invalid_cursor')
    await refuses(`${ROWS.replace('demo', 'other')}?s={"g":1}&after=${cursor}`, 'invalid_cursor')
    await get(`${ROWS}?s={"g":1}&after=${cursor}`)
  })

  it('takes a cursor of a query with an empty q and s for one of the query without them, and the other way round', async () => {
    const [with0, without] = [await get(`${ROWS}?l=2&q=&s=`), await get(`${ROWS}?l=2`)]
    assert.equal(cursorOf(linked(with0)!), cursorOf(linked(without)!))
    const second = '[2,3]'
    for (const target of [linked(with0)!, `${ROWS}?l=2&q=&s=&f=&after=${cursorOf(linked(without)!)}`]) {
      const ids = ((await get(target)).json as { _id: number }[]).map(({ _id }) => _id)
      assert.equal(JSON.stringify(ids), second)
    }
  })

  it('refuses a cursor beside another place to begin at, and where there is no page', async () => {
    const cursor = cursorOf(linked(await get(`${ROWS}?l=2`))!)
    for (const other of ['sk=1', 'fo=true', 'c=true'])
      await refuses(`${ROWS}?after=${cursor}&${other}`, 'invalid_parameter')
    await refuses(`${ROWS}?after=${cursor}&after=${cursor}`, 'duplicate_parameter')
    await get(`${ROWS}?after=${cursor}&sk=0&fo=false&c=false`)
  })

  it('links to the next one where it is full, until all documents were answered once', async () => {
    for (const [query, order] of [
      ['', [0, 1, 2, 3, 4, 5, 6]],
      ['q={"g":{"$gt":0}}&', [1, 2, 4, 5]],
      ['s={"g":-1}&', [2, 5, 1, 4, 0, 3, 6]],
      ['q={"t":"<%C3%A9>%26"}&s={"t":1,"_id":-1}&f={"t":0}&', [6, 5, 4, 3, 2, 1, 0]],
    ] as const) {
      const seen: number[] = []
      let pages = 0
      for (let target: string | undefined = `${ROWS}?${query}l=2`; target !== undefined; pages++) {
        const answer = await get(target)
        seen.push(...(answer.json as { _id: number }[]).map(({ _id }) => _id))
        target = linked(answer)
      }
      assert.deepEqual(seen, order)
      assert.equal(pages, Math.floor(order.length / 2) + 1)
    }
  })

  it('links to nothing where it is not full, and from no count and no single document', async () => {
    for (const query of ['', 'l=8', 'l=0', 'l=5&sk=3', 'c=true&l=1', 'fo=true&l=1', 'l=2&q={"g":7}'])
      assert.equal(linked(await get(`${ROWS}?${query}`)), undefined, query)
    assert.equal(linked(await get('/apps/demo/collections/none?l=1')), undefined)
  })

  it('keeps in its link what makes the query, and no credential', async () => {
    const { apiKey, jwttoken } = { apiKey: server.keys.full, jwttoken: await token() }
    const query = 'q={}&f={"g":1}&s={"g":1}&l=3&sk=1&fo=0&other=1'
    for (const credential of [`apiKey=${apiKey}`, `jwttoken=${jwttoken}`]) {
      const headers = { 'X-Service-API-Key': undefined }
      const answer = await server.send('GET', `${ROWS}?${credential}&${query}`, { headers })
      assert.equal(answer.status, 200, answer.text)
      const target = linked(answer)!
      const [path, parameters] = target.split('?') as [string, string]
      assert.equal(path, ROWS)
      const kept = [...new URLSearchParams(parameters)].filter(([name]) => name !== 'after')
      assert.deepEqual(kept, [
        ['q', '{}'],
        ['f', '{"g":1}'],
        ['s', '{"g":1}'],
        ['l', '3'],
      ])
      assert.equal((await get(target)).text, '[{"_id":4,"g":1},{"_id":2,"g":2},{"_id":5,"g":2}]')
    }
  })

  it('links where it is sent in pieces, and in answer to HEAD', async () => {
    const text = 'x'.repeat(2000)
    const body = `[${Array.from({ length: 700 }, (_, i) => `{"_id":${i},"t":"${text}"}`).join()}]`
    const long = '/apps/demo/collections/long'
    await server.send('POST', long, { body, headers: { Prefer: 'return=minimal' } })
    const answer = await get(`${long}?l=600`)
    assert.equal((answer.json as unknown[]).length, 600)
    const next = (await get(linked(answer, long)!)).json as { _id: number }[]
    assert.deepEqual(
      next.map(({ _id }) => _id),
      Array.from({ length: 100 }, (_, i) => 600 + i),
    )
    const head = await server.send('HEAD', `${long}?l=600`)
    assert.equal(linked(head, long), linked(answer, long))
  })

  it('has no link that would be too long', async () => {
    const q = encodeURIComponent(JSON.stringify({ g: { $in: Array.from({ length: 4000 }, (_, i) => i) } }))
    const answer = await get(`${ROWS}?l=2&q=${q}`)
    assert.equal((answer.json as unknown[]).length, 2)
    assert.equal(linked(answer), undefined)
  })

  it('does not look for the end of more than 100,000 documents, and of one that is asked for alone', async (t) => {
    const asked: unknown[] = []
    const findDocuments = async ({ wantsEnd }: FindCommand): Promise<FindResult> => {
      asked.push(wantsEnd)
      return { first: '[]' }
    }
    const watched = await startTestServer({ store: { findDocuments } })
    t.after(() => watched.close())
    for (const query of ['', 'l=100000', 'l=100001', 'fo=true']) await watched.send('GET', `${ROWS}?${query}`)
    assert.deepEqual(asked, [true, true, undefined, undefined])
  })

  it('shows its link to pages of other websites', async () => {
    const { headers } = await server.send('GET', `${ROWS}?l=1`, { headers: { Origin: 'https://a.test' } })
    assert.match(String(headers['access-control-expose-headers']), /\bLink\b/)
  })
})

async function token(): Promise<string> {
  const { json } = await server.send('POST', `/create-token/${server.keys.full}`)
  return (json as { id_result: string }).id_result
}
