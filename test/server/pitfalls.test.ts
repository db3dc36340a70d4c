import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { assertRefused, encoded } from './answers.ts'
import { type ServerProcess, startServer } from './start-server.ts'

/** A 64-bit integer between two doubles; its neighbours of the same double must be other values. */
const EXACT = '750727362669608961'

let server: ServerProcess
let collections = 0
let C: string
before(async () => {
  server = await startServer()
})
beforeEach(() => {
  C = `/apps/demo/collections/p${++collections}`
})
after(async () => {
  assert.equal(server.log, '')
  await server.dispose()
})

async function answered(method: string, path: string, body?: string): Promise<string> {
  const { status, text } = await server.client.send(method, path, body === undefined ? {} : { body })
  assert.ok(status === 200 || status === 201, `${method} ${path}: ${status} ${text}`)
  return text
}

/** The ids of the documents that a query string finds, in their order. */
async function ids(query: string): Promise<unknown[]> {
  const text = await answered('GET', `${C}?f={"_id":1}&${query}`)
  return (JSON.parse(text) as { _id: unknown }[]).map(({ _id }) => _id)
}

describe('a number', () => {
  it('keeps every digit wherever it goes', async () => {
    const saved = `{"_id":${EXACT},"n":${EXACT},"m":1.10,"z":-0,"e":1E+2,"long":0.1000000000000000055511151231257827}`
    assert.equal(await answered('POST', C, saved), saved)
    await answered('POST', C, '[{"_id":750727362669608960,"n":750727362669608960},{"_id":1,"n":1}]')
    assert.equal(await answered('GET', `${C}/${EXACT}`), saved)
    assert.equal(await answered('GET', `${C}?q={"n":${EXACT}}`), `[${saved}]`)
    assert.equal(await answered('GET', `${C}?q={"_id":${EXACT}}`), `[${saved}]`)
    assert.equal(await answered('GET', `${C}?c=true&q={"n":{"$gt":750727362669608960}}`), '1')
    assert.equal(await answered('GET', `${C}?c=true&q={"n":{"$in":[${EXACT},2]}}`), '1')
    const updated = `${saved.slice(0, -1)},"other":1}`
    assert.equal(await answered('PUT', `${C}/${EXACT}`, '{"$set":{"other":1}}'), updated)
    assert.equal(await answered('PUT', `${C}?q={"n":${EXACT}}`, '{"$inc":{"n":1}}'), '{"n":1,"modified":1}')
    assert.match(await answered('GET', `${C}/${EXACT}`), /"n":750727362669608962,"m":1\.10,/)
    assert.match(await answered('DELETE', `${C}/${EXACT}`), /"long":0\.1000000000000000055511151231257827,/)
    assert.equal(await answered('GET', `${C}?c=true`), '2')
  })

  it('that is an integer is never given back as a fraction', async () => {
    await answered(
      'PUT',
      `${C}/x`,
      '{"$set":{"a":1,"b":[2,{"c":3}]},"$inc":{"d":4},"$push":{"e":5},"$max":{"f":6}}',
    )
    assert.equal(await answered('GET', `${C}/x`), '{"_id":"x","a":1,"b":[2,{"c":3}],"d":4,"e":[5],"f":6}')
    await answered('PUT', `${C}?q={"i":7,"j.k":8}&u=true`, '{"$set":{"l":9}}')
    assert.match(await answered('GET', `${C}?q={"i":7}`), /"i":7,"j":\{"k":8\},"l":9\}\]$/)
  })

  it('that an update would make too large for any double is refused, and stays', async () => {
    const saved = '{"_id":1,"a":1.7e308,"b":-1.7e308,"c":9223372036854775807}'
    await answered('POST', C, saved)
    for (const body of [
      '{"$mul":{"a":10}}',
      '{"$inc":{"a":1.7e308}}',
      '{"$inc":{"b":-1.7e308}}',
      '{"$mul":{"b":1e9}}',
    ]) {
      const answer = await server.client.send('PUT', `${C}/1`, { body })
      assertRefused(answer, ['number_out_of_range', 'update_not_applicable'], body)
    }
    assert.equal(await answered('GET', `${C}/1`), saved)
  })
})

describe('text', () => {
  it('is ordered by code point, in sorts and ranges', async () => {
    const texts = ['', 'A', 'B', 'Z', 'a', 'aB', 'ab', 'b', 'z', 'É', 'é', '\uff61', '😀']
    const documents = texts.map((a, _id) => ({ _id, a }))
    await answered('POST', C, JSON.stringify(documents.toReversed()))
    assert.deepEqual(await ids('s={"a":1}'), [...texts.keys()])
    assert.deepEqual(await ids('s={"a":-1}'), [...texts.keys()].reverse())
    assert.deepEqual(await ids(`q=${encoded({ a: { $gt: '\uff61' } })}`), [12])
    assert.deepEqual(await ids(`s={"a":1}&q=${encoded({ a: { $gte: 'a', $lt: 'b' } })}`), [4, 5, 6])
  })
})

describe('a sort', () => {
  it('has its fields in their written order, also where they look like integers', async () => {
    await answered('POST', C, '[{"_id":1,"1":1,"2":1},{"_id":2,"1":2,"2":2},{"_id":3,"1":3,"2":1}]')
    assert.deepEqual(await ids('s={"2":-1,"1":1}'), [2, 1, 3])
    assert.deepEqual(await ids('s={"1":1,"2":-1}'), [1, 2, 3])
    assert.deepEqual(await ids('s={"2":1,"1":-1}'), [3, 1, 2])
  })

  it('orders mixed types, and loses no document that has not the field', async () => {
    const values = ['null', '-1', '0', '2.5', '"1"', '"a"', '{}', '{"a":1}', '[[]]', 'false', 'true']
    const documents = values.map((value, index) => `{"_id":${index + 1},"a":${value}}`)
    await answered('POST', C, `[{"_id":0},${documents.join(',')}]`)
    assert.deepEqual(await ids('s={"a":1}'), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    assert.deepEqual(await ids('s={"a":-1}'), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 0, 1])
    assert.deepEqual(await ids('s={"a.b":1}'), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('puts an array by its least element, or by its greatest', async () => {
    await answered('POST', C, '[{"_id":1,"a":[5,1]},{"_id":2,"a":3},{"_id":3,"a":[]},{"_id":4,"a":[4,null]}]')
    assert.deepEqual(await ids('s={"a":1}'), [3, 4, 1, 2])
    assert.deepEqual(await ids('s={"a":-1}'), [1, 4, 2, 3])
  })

  it('repeats and loses nothing from page to page, however many ties there are', async () => {
    await answered('POST', C, JSON.stringify(Array.from({ length: 100 }, (_, n) => ({ _id: n, a: n % 3 }))))
    const pages: unknown[] = []
    for (let skip = 0; skip < 100; skip += 7) pages.push(...(await ids(`s={"a":-1}&sk=${skip}&l=7`)))
    const expected = [2, 1, 0].flatMap((rest) => [...Array(100).keys()].filter((n) => n % 3 === rest))
    assert.deepEqual(pages, expected)
  })
})

describe('"not equal"', () => {
  it('holds for null and missing fields, in reads, counts, updates and deletes', async () => {
    await answered(
      'POST',
      C,
      '[{"_id":1,"a":1},{"_id":2,"a":null},{"_id":3},{"_id":4,"a":true},{"_id":5,"a":[1]}]',
    )
    const q = 'q={"a":{"$not":1}}'
    assert.deepEqual(await ids(q), [2, 3, 4])
    assert.equal(await answered('GET', `${C}?c=true&${q}`), '3')
    assert.equal(await answered('PUT', `${C}?${q}`, '{"$set":{"b":1}}'), '{"n":3,"modified":3}')
    assert.equal(await answered('DELETE', `${C}?${q}`), '{"n":3}')
    assert.deepEqual(await ids('s={"_id":1}'), [1, 5])
  })
})

describe('an upsert', () => {
  it('onto an _id that is taken by a document that does not match is refused', async () => {
    await answered('POST', C, '{"_id":"x","a":1}')
    for (const [q, body] of [
      ['{"_id":"x","a":2}', '{"$set":{"b":1}}'],
      ['{"a":2}', '{"$set":{"_id":"x"}}'],
      ['{"a":2}', '{"_id":"x"}'],
    ] as const) {
      const answer = await server.client.send('PUT', `${C}?q=${q}&u=true`, { body })
      assertRefused(answer, ['update_not_applicable', 'immutable_id'], q)
    }
    assert.equal(await answered('GET', C), '[{"_id":"x","a":1}]')
  })
})

describe('a request to make a token', () => {
  it('needs no body, whatever type its headers announce', async () => {
    for (const headers of [
      {},
      { 'Content-Type': 'application/json' },
      { 'Content-Type': 'application/json', 'Content-Length': '0' },
    ]) {
      const answer = await server.client.send('POST', `/create-token/${server.apiKey}`, { headers })
      assert.equal(answer.status, 200, answer.text)
      assert.match(answer.text, /^\{"id_result":"[\w-]+\.[\w-]+\.[\w-]+"\}$/)
    }
  })
})
