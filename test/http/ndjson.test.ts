import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/lines'
const NDJSON = 'application/x-ndjson'
/** Longer than what is taken apart on the thread that serves HTTP. */
const LONG = 40_000

let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ limits: { bulkDocuments: 1000 } })
})
afterEach(() => server.close())

function post(body: string | Buffer, headers: Record<string, string> = {}, path = C): Promise<TestAnswer> {
  return server.send('POST', path, { body, headers: { 'Content-Type': NDJSON, ...headers } })
}

async function all(): Promise<string> {
  return (await server.send('GET', `${C}?l=100000`)).text
}

/** The same with so many blank lines before it that it goes to the thread of long bodies. */
const BEGINNINGS = ['', '\n'.repeat(LONG)]

describe('POST of lines', () => {
  it('refuses a bad line by its number, and saves none of the others', async () => {
    for (const beginning of BEGINNINGS)
      for (const [body, line, code, message] of [
        ['{"_id":1}\n{"_id":\n{"_id":3}', 2, 'invalid_json', /each line is a whole document/],
        ['{"_id":1}\r\n\r\n{"_id":true}\r\n', 3, 'invalid_id', /_id/],
        ['{"_id":1}\n[{"_id":2}]', 2, 'invalid_document', /an array of documents/],
        ['{\n  "_id": 1\n}', 1, 'invalid_json', /Content-Type: application\/json$/],
        [`{"_id":1}\n{"a":"${'x'.repeat(1_100_000)}"}`, 2, 'document_too_large', /1048576/],
        ['{}\n'.repeat(1001), 1001, 'too_many_documents', /1000/],
      ] as const) {
        const answer = await post(beginning + body)
        assert.equal(answer.status, 400, answer.text)
        const refusal = answer.json as { code: string; message: string }
        assert.equal(refusal.code, code)
        assert.ok(refusal.message.startsWith(`line ${beginning.length + line}: `), refusal.message)
        assert.match(refusal.message, message)
      }
    assert.equal((await post('')).status, 400)
    assert.equal(await all(), '[]')
  })

  it('saves each, and answers what a bulk answers', async () => {
    for (const [index, beginning] of BEGINNINGS.entries()) {
      const body = `${beginning}\ufeff{"_id":1,"n":1.10}\r\n\r\n{ "a" : "é😀" }\n{"_id":"x${index}"}`
      const made = await post(body)
      assert.equal(made.status, 201, made.text)
      assert.match(made.text, /^\[\{"_id":1,"n":1.10\},\{"_id":"[0-9A-Z]{26}","a":"é😀"\},\{"_id":"x\d"\}\]$/)
    }
    const again = await post('{"_id":1,"n":2}')
    assert.equal(again.status, 200)
    assert.equal(again.text, '[{"_id":1,"n":2}]')
    const minimal = await post('{"_id":7.0}\n{"_id":"y"}', { Prefer: 'return=minimal' })
    assert.equal(minimal.text, '[{"_id":7.0},{"_id":"y"}]')
    const filled = await post('{"_id":"t","at":"Service.ServerValue.TIMESTAMP"}')
    assert.equal(filled.text, '[{"_id":"t","at":1735787045678}]')
    assert.equal((await post('\n')).text, '[]')
    assert.equal((await server.send('GET', `${C}?c=true`)).text, '8')
  })

  it('goes by the type, in any letter case and whatever its parameters', async () => {
    for (const type of [
      NDJSON,
      'Application/X-NDJSON',
      'application/ndjson',
      'application/jsonl',
      'application/x-jsonlines',
      'application/x-ndjson; charset=utf-8',
      ' application/jsonl ;charset="UTF-8"; x=y',
    ])
      assert.equal(
        (await post('{"_id":1}\n{"_id":2}', { 'Content-Type': type })).text,
        '[{"_id":1},{"_id":2}]',
        type,
      )
    for (const type of ['application/json', 'text/plain', 'application/x-ndjson2', 'x; application/x-ndjson'])
      assert.equal((await post('{"_id":1}\n{"_id":2}', { 'Content-Type': type })).status, 400, type)
    const latin = await post('{}', { 'Content-Type': 'application/x-ndjson; charset=latin1' })
    assert.equal(latin.status, 400)
  })

  it('counts for a collection alone, and takes an object on one line', async () => {
    assert.equal((await post('{"_id":1}')).text, '[{"_id":1}]')
    assert.equal((await post('{\n"a":1\n}', {}, `${C}/x`)).text, '{"_id":"x","a":1}')
    const headers = { 'Content-Type': NDJSON }
    const updated = await server.send('PUT', `${C}?q={}`, { headers, body: '{\n"$set":{"b":2}\n}' })
    assert.equal(updated.text, '{"n":2,"modified":2}')
  })

  it('names the line of a document that the store refuses', async (t) => {
    const saveDocuments = async (): Promise<never> => {
      throw new AppError('unique_violation', 'another has it', { documentIndex: 1 })
    }
    const refusing = await startTestServer({ store: { saveDocuments } })
    t.after(() => refusing.close())
    for (const beginning of BEGINNINGS) {
      const body = `${beginning}{}\n\n{}`
      const answer = await refusing.send('POST', C, { body, headers: { 'Content-Type': NDJSON } })
      const message = `line ${beginning.length + 3}: another has it`
      assert.deepEqual(answer.json, { code: 'unique_violation', message })
    }
  })
})
