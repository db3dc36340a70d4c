import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused } from './answers.ts'
import type { Answer } from './client.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const CLIENTS = 100

let server: ServerProcess
let collections = 0
before(async () => {
  server = await startServer()
})
after(async () => {
  assert.equal(server.log, '')
  await server.dispose()
})

function newCollection(): string {
  return `/apps/demo/collections/c${++collections}`
}

/** As many requests at once as there are clients. */
function atOnce(
  request: (n: number) => readonly [method: string, path: string, body?: string],
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: CLIENTS }, (_, n) => {
      const [method, path, body] = request(n)
      return server.client.send(method, path, body === undefined ? {} : { body })
    }),
  )
}

function statuses(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function all(path: string): Promise<string> {
  return (await server.client.send('GET', path)).text
}

describe('requests at the same time', () => {
  it('that increment one document are all counted', async () => {
    const path = newCollection()
    const answers = await atOnce(() => ['PUT', `${path}/x`, '{"$inc":{"n":1}}'])
    assert.deepEqual(statuses(answers), { 200: 99, 201: 1 })
    const counts = answers.map(({ text }) => (JSON.parse(text) as { n: number }).n).sort((a, b) => a - b)
    assert.deepEqual(
      counts,
      Array.from({ length: CLIENTS }, (_, n) => n + 1),
    )
    assert.equal(await all(path), '[{"_id":"x","n":100}]')
  })

  it('that increment many documents by a query are all counted, in each of them', async () => {
    const path = newCollection()
    await server.client.send('POST', path, { body: '[{"_id":1},{"_id":2},{"_id":3,"n":0.5}]' })
    const answers = await atOnce(() => ['PUT', `${path}?q={}`, '{"$inc":{"n":1}}'])
    for (const { text } of answers) assert.equal(text, '{"n":3,"modified":3}')
    assert.equal(await all(path), '[{"_id":1,"n":100},{"_id":2,"n":100},{"_id":3,"n":100.5}]')
  })

  it('that replace one missing document make one', async () => {
    const path = newCollection()
    const answers = await atOnce((n) => ['PUT', `${path}/x`, `{"n":${n}}`])
    assert.deepEqual(statuses(answers), { 200: 99, 201: 1 })
    const documents = JSON.parse(await all(path)) as { _id: string; n: number }[]
    assert.equal(documents.length, 1)
    assert.ok(answers.some(({ text }) => text === JSON.stringify(documents[0])))
  })

  it('that save one id make one document, and 201 is answered once', async () => {
    const path = newCollection()
    const answers = await atOnce((n) => ['POST', path, `{"_id":1${n % 2 ? '.0' : ''},"n":${n}}`])
    assert.deepEqual(statuses(answers), { 200: 99, 201: 1 })
    assert.equal((JSON.parse(await all(path)) as unknown[]).length, 1)
  })

  it('that upsert by the same query make one document', async () => {
    const path = newCollection()
    await atOnce(() => ['PUT', `${path}?q={"name":"x"}&u=true`, '{"$inc":{"n":1}}'])
    const [document, ...others] = JSON.parse(await all(path)) as { n: number }[]
    assert.equal(document?.n, 100)
    assert.deepEqual(others, [])
  })

  it('that push onto one array lose and repeat no element', async () => {
    const path = newCollection()
    await atOnce((n) => ['PUT', `${path}/x`, `{"$push":{"a":${n}}}`])
    const [{ a }] = JSON.parse(await all(path)) as [{ a: number[] }]
    assert.deepEqual(
      a.sort((one, other) => one - other),
      Array.from({ length: CLIENTS }, (_, n) => n),
    )
  })

  it('that delete one document are answered 200 once', async () => {
    const path = newCollection()
    await server.client.send('PUT', `${path}/x`, { body: '{}' })
    assert.deepEqual(statuses(await atOnce(() => ['DELETE', `${path}/x`])), { 200: 1, 404: 99 })
  })

  it('that make and drop one collection leave it whole', async () => {
    const path = newCollection()
    const answers = await atOnce((n) =>
      n % 10 === 9 ? ['DELETE', `${path}?drop=true`] : ['POST', path, `[{"n":${n}},{"n":${n}}]`],
    )
    for (const { status, text } of answers) assert.ok(status === 200 || status === 201, text)
    const documents = JSON.parse(await all(path)) as { n: number }[]
    for (const ofOne of Map.groupBy(documents, ({ n }) => n).values()) assert.equal(ofOne.length, 2)
    const ids = documents.map(({ _id }: { n: number; _id?: string }) => _id!)
    assert.deepEqual(ids, ids.toSorted())
  })

  it('that read while many documents change never see some of them changed', async () => {
    const path = newCollection()
    const documents = Array.from({ length: 50 }, (_, n) => ({ _id: n, n: 0 }))
    await server.client.send('POST', path, { body: JSON.stringify(documents) })
    const answers = await atOnce((n) =>
      n % 2 ? ['GET', `${path}?f={"n":1,"_id":0}`] : ['PUT', `${path}?q={}`, '{"$inc":{"n":1}}'],
    )
    for (const { text } of answers.filter((_, n) => n % 2 === 1)) {
      const seen = new Set((JSON.parse(text) as { n: number }[]).map(({ n }) => n))
      assert.equal(seen.size, 1, text)
    }
  })

  it('of several clients let each read what it wrote, at once', async () => {
    const path = newCollection()
    const clients = Array.from({ length: 16 }, async (_, id) => {
      for (let n = 0; n < 20; n++) {
        const text = `{"_id":"${id}","n":${n}}`
        const read = async (target: string): Promise<string> => (await server.client.send('GET', target)).text
        assert.equal((await server.client.send('PUT', `${path}/${id}`, { body: `{"n":${n}}` })).text, text)
        assert.equal(await read(`${path}/${id}`), text)
        assert.equal(await read(`${path}?q={"_id":"${id}"}`), `[${text}]`)
        assert.equal(await read(`${path}?c=true&q={"_id":"${id}","n":${n}}`), '1')
      }
    })
    await Promise.all(clients)
  })

  it('of which one is bad fail alone', async () => {
    const path = newCollection()
    await server.client.send('POST', path, { body: '[{"_id":"text","n":"x"},{"_id":"number","n":0}]' })
    const answers = await atOnce((n) => [
      'PUT',
      `${path}/${n % 2 ? 'text' : 'number'}`,
      n % 4 === 3 ? '{"$set":{"b":1}}' : '{"$inc":{"n":1}}',
    ])
    assert.deepEqual(statuses(answers), { 200: 75, 400: 25 })
    assert.equal(await all(path), '[{"_id":"text","n":"x","b":1},{"_id":"number","n":50}]')
  })
})

describe('a write to many documents', () => {
  it('of which one can not be updated changes none of them', async () => {
    const path = newCollection()
    const before = '[{"_id":1,"n":1},{"_id":2,"n":"x"},{"_id":3,"n":3}]'
    await server.client.send('POST', path, { body: before })
    for (const body of [
      '{"$inc":{"n":1}}',
      '{"$push":{"n":1}}',
      '{"$set":{"n.a":1}}',
      '{"$set":{"_id":1}}',
    ]) {
      const answer = await server.client.send('PUT', `${path}?q={}`, { body })
      assertRefused(answer, ['update_not_applicable', 'immutable_id'], body)
      assert.equal(await all(path), before)
    }
    const large = `{"$set":{"b":"${'x'.repeat(1024 * 1024 - 18)}"}}`
    const answer = await server.client.send('PUT', `${path}?q={}`, { body: large })
    assertRefused(answer, 'document_too_large', 'large')
    assert.equal(await all(path), before)
  })

  it('that saves a bad one among good ones saves none of them', async () => {
    const path = newCollection()
    await server.client.send('POST', path, { body: '{"_id":1,"old":true}' })
    for (const [bad, code] of [
      ['{"$set":{}}', 'invalid_field_name'],
      ['{"_id":null}', 'invalid_id'],
      ['{"_id":""}', 'invalid_id'],
      ['{"a":1e999}', 'number_out_of_range'],
      ['{"a":1,"a":2}', 'duplicate_key'],
      ['{"a":"\\u0000"}', 'null_character'],
      ['[]', 'invalid_document'],
      ['1', 'invalid_document'],
      [`{"a":"${'x'.repeat(1024 * 1024)}"}`, 'document_too_large'],
      [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 'nesting_too_deep'],
      ['{"a":}', 'invalid_json'],
    ] as const)
      for (const body of [`[{"_id":1},{"_id":2},${bad}]`, `[${bad},{"_id":1},{"_id":2}]`]) {
        assertRefused(await server.client.send('POST', path, { body }), code, body.slice(0, 60))
        assert.equal(await all(path), '[{"_id":1,"old":true}]')
      }
  })
})
