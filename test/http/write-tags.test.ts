import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { stringify } from '../../src/json/stringify.ts'
import type { JsonValue } from '../../src/json/value.ts'
import { jsonValues } from '../json-values.ts'
import { randomCases } from '../random-cases.ts'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/things'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

function put(id: string, body: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return server.send('PUT', `${C}/${id}`, { body, headers })
}

function post(body: string, headers: Record<string, string> = {}, path = C): Promise<TestAnswer> {
  return server.send('POST', path, { body, headers })
}

function get(id: string): Promise<TestAnswer> {
  return server.send('GET', `${C}/${id}`)
}

async function tagOf(id: string): Promise<string> {
  return (await get(id)).headers.etag!
}

describe('the answer to a write of one document', () => {
  it('has the tag that the document is read with, and says where', async () => {
    const answers = [
      [await post('{"_id":"a", "n":1.10}'), 'things/a'],
      [await post('{"_id":"a","n":2}', {}, `${C}/`), 'a'],
      [await put('a', '{"n":3}'), 'a'],
      [await put('a/', '{"$inc":{"n":1}}'), '../a'],
      [await server.send('POST', `${C}/a?x=1`, { body: '{"n":3}' }), 'a'],
    ] as const
    for (const [answer, location] of answers) {
      assert.match(answer.headers.etag!, /^"[\w-]{22}"$/)
      assert.equal(answer.headers['content-location'], location)
      assert.equal(answer.headers['cache-control'], 'private, no-cache')
    }
    assert.equal(await tagOf('a'), answers[4][0].headers.etag)
    assert.equal(answers[2][0].headers.etag, answers[4][0].headers.etag)
    const { headers, json } = await post('{"n":1}')
    assert.equal(headers['content-location'], `things/${(json as { _id: string })._id}`)
  })

  it('leads to the document whatever its _id, where a URL can name it for sure', async () => {
    for (const id of [
      'a/b',
      ' ',
      '?#%',
      'a:b',
      'ü\u200b',
      '%2F',
      '//host/x',
      '7',
      '"',
      '+',
      'é'.repeat(256),
    ]) {
      const address = `${C}/${encodeURIComponent(id)}`
      for (const [from, write] of [
        [C, () => post(JSON.stringify({ _id: id, n: 1 }))],
        [`${address}/`, () => server.send('PUT', `${address}/`, { body: '{"n":2}' })],
      ] as const) {
        const answer = await write()
        const { pathname } = new URL(answer.headers['content-location']!, `https://localhost${from}`)
        const read = await server.send('GET', pathname)
        assert.equal(read.text, answer.text)
        assert.equal(read.headers.etag, answer.headers.etag)
      }
    }
    // "7" stands before 7 at its address, and URLs have no way to say the others.
    for (const id of ['7', '"."', '".."'])
      assert.equal((await post(`{"_id":${id}}`)).headers['content-location'], undefined)
  })

  it('has neither where it is not one document', async () => {
    for (const answer of [
      await post('[{"_id":"b"}]'),
      await post('{"_id":"b"}', { Prefer: 'return=minimal' }),
      await put('b', '{"n":1}', { Prefer: 'return=minimal' }),
      await server.send('PUT', `${C}?q={"_id":"b"}`, { body: '{"n":1}' }),
      await server.send('DELETE', `${C}/b`),
    ]) {
      assert.equal(answer.headers.etag, undefined)
      assert.equal(answer.headers['content-location'], undefined)
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
  })

  it('has the tag of the very bytes that are read, whatever they are', async () => {
    const fields = fc.dictionary(fc.constantFrom('a', 'b', '0', 'é"'), jsonValues())
    const compact = fc.boolean()
    await fc.assert(
      fc.asyncProperty(fields, compact, async (document, isCompact) => {
        const text = stringify(new Map<string, JsonValue>([['_id', 'p'], ...Object.entries(document)]))
        // As a client may write it: with spaces, and escapes that need not be there.
        const body = isCompact ? text : text.replace('"p"', ' "\\u0070"').replaceAll('/', '\\/')
        const writes = [() => post(body), () => put('p', body), () => put('p', '{"$set":{"z":"/é"}}')]
        for (const write of writes) {
          const answer = await write()
          assert.equal(answer.headers.etag, await tagOf('p'))
          assert.equal(answer.text, (await get('p')).text)
        }
      }),
      randomCases(0.02),
    )
  })
})
