import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

let server: TestServer
before(async () => {
  server = await startTestServer({ limits: { documentBytes: 200, bulkDocuments: 3, nestingLevels: 5 } })
})
afterEach(() => server.send('DELETE', `${C}?drop=true`))
after(() => server.close())

function post(body: string | Buffer, path = C): Promise<TestAnswer> {
  return server.send('POST', path, { body })
}

async function all(): Promise<string> {
  return (await server.send('GET', C)).text
}

function codeOf(answer: TestAnswer): string {
  return (answer.json as { code: string }).code
}

async function refuses(body: string | Buffer, code: string, message = /./): Promise<void> {
  const answer = await post(body)
  assert.equal(answer.status, 400, answer.text)
  assert.equal(codeOf(answer), code, answer.text)
  assert.match((answer.json as { message: string }).message, message)
}

describe('POST to a collection', () => {
  it('refuses what is not JSON, and says how to send it', async () => {
    for (const body of [
      '',
      ' ',
      '{',
      '{"a":1',
      '{a:1}',
      'a=1',
      '{"a":1}x',
      '[{"a":1}',
      '[{},]',
      "{'a':1}",
      'NaN',
    ])
      await refuses(body, 'invalid_json', /Content-Type: application\/json/)
    assert.equal(await all(), '[]')
  })

  it('refuses what is no document', async () => {
    for (const body of ['1', '"a"', 'null', 'true', '[1]', '[[]]', '[null]'])
      await refuses(body, 'invalid_document')
    await refuses('[{},{"a":1},"x"]', 'invalid_document', /index 2/)
  })

  it('refuses what could not be kept exactly', async () => {
    await refuses('{"a":1e999}', 'number_out_of_range')
    await refuses('{"a":"\\ud800"}', 'invalid_unicode')
    await refuses(Buffer.from('{"a":"\xff"}', 'latin1'), 'invalid_unicode')
    await refuses('{"a":"\\u0000"}', 'null_character')
    await refuses('{"\\u0000":1}', 'null_character')
    await refuses('{"a":1,"a":2}', 'duplicate_key')
    await refuses('{"a":1,"\\u0061":2}', 'duplicate_key')
    await refuses('[{"_id":1},{"x":{"a":1,"a":1}}]', 'duplicate_key', /index 1/)
    assert.equal(await all(), '[]')
  })

  it('refuses fields and ids of a wrong form', async () => {
    await refuses('{"$set":{"a":1}}', 'invalid_field_name', /\$set/)
    await refuses('{"a":1,"$b":1}', 'invalid_field_name')
    for (const id of ['""', 'null', 'true', '[]', '{}']) await refuses(`{"_id":${id}}`, 'invalid_id')
  })

  it('holds to its limits', async () => {
    const text = (length: number): string => `{"_id":"x","a":"${'x'.repeat(length - 18)}"}`
    assert.equal((await post(text(200))).status, 201)
    await refuses(text(201), 'document_too_large', /200 bytes/)
    assert.equal((await post(`  ${text(199)}  ${' '.repeat(300)}`)).status, 200)
    await refuses(`{"a":"${'é'.repeat(100)}"}`, 'document_too_large')
    await refuses(`[{},{"a":"${'é'.repeat(100)}"}]`, 'document_too_large', /index 1/)
    await refuses('[{},{},{},{}]', 'too_many_documents', /at most 3/)
    assert.equal((await post('{"a":{"a":{"a":{"a":{}}}}}')).status, 201)
    await refuses('{"a":{"a":{"a":{"a":{"a":[]}}}}}', 'nesting_too_deep')
    await refuses(`{"a":${'['.repeat(100)}`, 'nesting_too_deep')
  })

  it('counts the _id that it assigns', async () => {
    const text = (length: number): string => `{"a":"${'x'.repeat(length - 8)}"}`
    assert.equal((await post(text(200 - 35))).text.length, 200)
    await refuses(text(201 - 35), 'document_too_large')
  })

  it('assigns an _id, first, and answers the document with 201', async () => {
    const answer = await post('{"b":1,"a":2}')
    assert.equal(answer.status, 201)
    const { _id } = answer.json as { _id: string }
    assert.match(_id, ULID)
    assert.equal(answer.text, `{"_id":"${_id}","b":1,"a":2}`)
    assert.equal((await server.send('GET', `${C}/${_id}`)).text, answer.text)
    const empty = await post('{}')
    assert.match(empty.text, /^\{"_id":"[0-9A-Z]{26}"\}$/)
  })

  it('overwrites what has the same _id, which keeps its place', async () => {
    assert.equal((await post('{"_id":"x","a":1}')).status, 201)
    assert.equal((await post('{"_id":"y"}')).status, 201)
    const answer = await post('{"b":2,"_id":"x"}')
    assert.equal(answer.status, 200)
    assert.equal(answer.text, '{"b":2,"_id":"x"}')
    assert.equal(await all(), '[{"b":2,"_id":"x"},{"_id":"y"}]')
  })

  it('keeps 1 and "1" apart, and 1 and 1.0 together', async () => {
    assert.equal((await post('{"_id":1}')).status, 201)
    assert.equal((await post('{"_id":"1"}')).status, 201)
    assert.equal((await post('{"_id":1.0}')).status, 200)
    assert.equal((await post('{"_id":9007199254740993}')).status, 201)
    assert.equal((await post('{"_id":9007199254740992}')).status, 201)
    assert.equal(await all(), '[{"_id":1.0},{"_id":"1"},{"_id":9007199254740993},{"_id":9007199254740992}]')
  })

  it('gives back every digit, key and character', async () => {
    const text =
      '{"_id":"x","10":750727362669608961,"2":1.10,"__proto__":{"constructor":-0},"":"é😀\\n","a.b":{"$c":1e2}}'
    assert.equal((await post(` \ufeff${text}`.trim())).text, text)
    assert.equal((await server.send('GET', `${C}/x`)).text, text)
    assert.equal((await post('\n{ "_id" : "\\u0078" , "a" : [ 1 , 2 ] }\n')).text, '{"_id":"x","a":[1,2]}')
  })

  it('takes any content type, and no charset but UTF-8', async () => {
    const send = (type: string | undefined): Promise<TestAnswer> =>
      server.send('POST', C, { body: '{"_id":1}', headers: { 'Content-Type': type } })
    for (const type of [
      undefined,
      'application/x-www-form-urlencoded',
      'text/plain; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json; Charset=Utf8',
      'nonsense',
    ])
      assert.ok((await send(type)).status < 300, String(type))
    for (const type of ['application/json; charset=latin1', 'text/plain;charset=utf-16'])
      assert.equal(codeOf(await send(type)), 'invalid_request')
    const zipped = await server.send('POST', C, { body: '{}', headers: { 'Content-Encoding': 'gzip' } })
    assert.equal(zipped.status, 400)
    assert.equal(codeOf(zipped), 'invalid_request')
  })

  it('fills placeholders, in _id too, never in keys', async () => {
    const answer = await post(
      '[{"_id":"Service.ServerValue.UUID","t":["Service.ServerValue.TIMESTAMP"],"Service.ServerValue.UTC":1},' +
        '{"_id":"x","u":"Sibling.ServerValue.UTC","n":"Other.ServerValue.UTC","e":"\\u0053ervice.ServerValue.UTC"}]',
    )
    const [first] = answer.json as [{ _id: string; t: number[] }]
    assert.match(first._id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    assert.equal(
      answer.text,
      `[{"_id":"${first._id}","t":[1735787045678],"Service.ServerValue.UTC":1},` +
        '{"_id":"x","u":"2025-01-02T03:04:05.678Z","n":"Other.ServerValue.UTC","e":"2025-01-02T03:04:05.678Z"}]',
    )
    assert.equal((await server.send('GET', `${C}/${first._id}`)).status, 200)
  })
})

describe('POST of an array', () => {
  it('saves all or nothing', async () => {
    await post('{"_id":"x","a":1}')
    await refuses('[{"_id":"x","a":2},{"_id":"y"},{"_id":""}]', 'invalid_id', /index 2/)
    assert.equal(await all(), '[{"_id":"x","a":1}]')
  })

  it('says which document of an array the store refuses, and nothing of the kind about one alone', async (t) => {
    const saveDocuments = async (): Promise<never> => {
      throw new AppError('unique_violation', 'another has it', { documentIndex: 1 })
    }
    const refusing = await startTestServer({ store: { saveDocuments } })
    t.after(() => refusing.close())
    for (const [body, message] of [
      ['[{},{},{}]', 'the document at index 1: another has it'],
      [`[{},${' '.repeat(40_000)}{},{}]`, 'the document at index 1: another has it'],
      ['{}', 'another has it'],
    ] as const) {
      const answer = await refusing.send('POST', C, { body })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.json, { code: 'unique_violation', message })
    }
  })

  it('answers in the order of the body, 201 when at least one is new', async () => {
    const answer = await post('[{"_id":"b"},{"_id":"a"}]')
    assert.equal(answer.status, 201)
    assert.equal(answer.text, '[{"_id":"b"},{"_id":"a"}]')
    assert.equal((await post('[{"_id":"a","n":1},{"_id":"c"}]')).status, 201)
    assert.equal((await post('[{"_id":"a","n":2},{"_id":"c"}]')).status, 200)
    assert.equal((await post(' [ ] ')).text, '[]')
    assert.equal((await post('[]', '/apps/demo/collections/fresh')).status, 200)
    assert.deepEqual((await server.send('GET', '/apps/demo/collections')).json, ['things'])
  })

  it('saves two documents of one _id in their order', async () => {
    const answer = await post('[{"_id":"a","n":1},{"_id":"b"},{"_id":"a","n":2}]')
    assert.equal(answer.status, 201)
    assert.equal(answer.text, '[{"_id":"a","n":1},{"_id":"b"},{"_id":"a","n":2}]')
    assert.equal(await all(), '[{"_id":"a","n":2},{"_id":"b"}]')
  })
})

describe('Prefer: return=minimal', () => {
  const headers = { Prefer: 'return=minimal' }

  it('answers ids alone, and says that it did', async () => {
    const saved = await server.send('POST', C, { headers, body: '{"_id":1.0,"a":1}' })
    assert.equal(saved.text, '{"_id":1.0}')
    assert.equal(saved.status, 201)
    assert.equal(saved.headers['preference-applied'], 'return=minimal')
    const bulk = await server.send('POST', C, { headers, body: '[{"_id":"x"},{"a":1}]' })
    const [, { _id }] = bulk.json as [object, { _id: string }]
    assert.match(_id, ULID)
    assert.equal(bulk.text, `[{"_id":"x"},{"_id":"${_id}"}]`)
    assert.equal((await server.send('PUT', `${C}/1`, { headers, body: '{"a":2}' })).text, '{"_id":1.0}')
    const many = await server.send('PUT', `${C}?q={}`, { headers, body: '{"$set":{"a":3}}' })
    assert.equal(many.text, '{"n":3}')
    assert.equal((await server.send('DELETE', `${C}/x`, { headers })).text, '{"_id":"x"}')
    assert.equal((await server.send('DELETE', `${C}?q={}`, { headers })).text, '{"n":2}')
  })

  it('is found among other preferences, and not in them', async () => {
    const withPrefer = async (prefer: string): Promise<string | string[] | undefined> => {
      const answer = await server.send('POST', C, { headers: { Prefer: prefer }, body: '{"_id":1}' })
      return answer.headers['preference-applied']
    }
    assert.equal(await withPrefer('respond-async, Return="minimal"; x=1'), 'return=minimal')
    for (const prefer of [
      'return=representation',
      'xreturn=minimal',
      'return=minimalist',
      'wait=return=minimal',
    ])
      assert.equal(await withPrefer(prefer), undefined, prefer)
  })
})
