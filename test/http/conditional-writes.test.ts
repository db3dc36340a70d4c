import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { KeyRules } from '../../src/domain/key-rules.ts'
import type { TestKey } from './key-directory.ts'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const NEW = { 'If-None-Match': '*' }
/** No document has it. */
const OTHER = '"0000000000000000000000"'

const rules = (...permission: KeyRules['permission']): Partial<KeyRules> => ({ permission })
const KEYS: readonly TestKey[] = [
  {
    keyId: 'kw',
    name: 'writes',
    apiKey: `shf_${'w'.repeat(40)}`,
    rules: rules('create', 'update', 'delete'),
  },
  { keyId: 'kc', name: 'creates', apiKey: `shf_${'c'.repeat(40)}`, rules: rules('create') },
]

let server: TestServer
before(async () => {
  server = await startTestServer({ moreKeys: KEYS })
})
after(() => server.close())

function put(id: string, body: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return server.send('PUT', `${C}/${id}`, { body, headers })
}

function post(body: string, headers: Record<string, string> = {}, path = C): Promise<TestAnswer> {
  return server.send('POST', path, { body, headers })
}

function get(id: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return server.send('GET', `${C}/${id}`, { headers })
}

function remove(id: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return server.send('DELETE', `${C}/${id}`, { headers })
}

async function tagOf(id: string): Promise<string> {
  return (await get(id)).headers.etag!
}

/** A refusal that tells the tag which the document has, or that there is none. */
async function assertFailed(answer: TestAnswer, id: string): Promise<void> {
  assert.equal(answer.status, 412, answer.text)
  assert.equal((answer.json as { code: string }).code, 'precondition_failed')
  assert.equal(answer.headers.etag, await tagOf(id))
  assert.equal(answer.headers['cache-control'], 'no-store')
}

describe('a write with If-Match', () => {
  it('is done where the document is as it was read, and no second time', async () => {
    await post('{"_id":"m","n":1}')
    const tag = await tagOf('m')
    const first = await put('m', '{"$inc":{"n":1}}', { 'If-Match': tag })
    assert.deepEqual([first.status, first.text], [200, '{"_id":"m","n":2}'])
    await assertFailed(await put('m', '{"$inc":{"n":1}}', { 'If-Match': tag }), 'm')
    await assertFailed(await post('{"_id":"m","n":5}', { 'If-Match': tag }), 'm')
    await assertFailed(await remove('m', { 'If-Match': tag }), 'm')
    assert.equal((await get('m')).text, '{"_id":"m","n":2}')
    const saved = await post('{"_id":"m","n":7}', { 'If-Match': `${OTHER}, ${first.headers.etag}` })
    assert.equal(saved.status, 200)
    assert.equal((await remove('m', { 'If-Match': saved.headers.etag! })).text, '{"_id":"m","n":7}')
  })

  it('takes the tag of a compressed answer, and of a long document', async () => {
    const long = JSON.stringify({ _id: 'z', t: 'é'.repeat(40_000) })
    await post(long)
    for (const coding of ['br', 'gzip', 'zstd']) {
      const { etag } = (await get('z', { 'Accept-Encoding': coding })).headers
      assert.match(etag!, new RegExp(`-${coding}"$`))
      assert.equal((await post(long, { 'If-Match': etag! })).status, 200)
    }
    await assertFailed(await post(long, { 'If-Match': OTHER }), 'z')
  })

  it('compares strongly, so that a weak tag names nothing', async () => {
    await post('{"_id":"w"}')
    const tag = await tagOf('w')
    await assertFailed(await put('w', '{"n":1}', { 'If-Match': `W/${tag}` }), 'w')
    assert.equal((await put('w', '{"n":1}', { 'If-Match': `W/${tag}, ${tag}` })).status, 200)
  })

  it('is joined where the header is repeated', async () => {
    await post('{"_id":"j"}')
    const lines = [`If-Match: ${OTHER}`, `If-Match: ${await tagOf('j')}`, 'Connection: close']
    assert.match(await server.raw(server.written('PUT', `${C}/j`, lines, '{"n":1}')), /^HTTP\/1\.1 200 /)
  })

  it('makes nothing, and no collection', async () => {
    const path = '/apps/demo/collections/nothing'
    for (const tag of ['*', OTHER]) {
      const headers = { 'If-Match': tag }
      for (const answer of [
        await server.send('PUT', `${path}/x`, { headers, body: '{}' }),
        await post('{"_id":"x"}', headers, path),
        await post('{}', headers, path),
      ]) {
        assert.equal(answer.status, 412)
        assert.equal(answer.headers.etag, undefined)
      }
      // It would be 404 without the condition (RFC 9110, section 13.2.1).
      assert.equal((await server.send('DELETE', `${path}/x`, { headers })).status, 404)
    }
    assert.doesNotMatch((await server.send('GET', '/apps/demo/collections')).text, /nothing/)
  })

  it('with * is done to whatever is there', async () => {
    await post('{"_id":"any"}')
    assert.equal((await put('any', '{"n":1}', { 'If-Match': '*' })).status, 200)
    assert.equal((await post('{"_id":"any"}', { 'If-Match': '*' })).status, 200)
    assert.equal((await remove('any', { 'If-Match': '*' })).status, 200)
  })
})

describe('a write with If-None-Match', () => {
  it('makes a document, and never overwrites one', async () => {
    const made = await post('{"_id":"new","n":1}', NEW)
    assert.deepEqual([made.status, made.text], [201, '{"_id":"new","n":1}'])
    await assertFailed(await post('{"_id":"new","n":2}', NEW), 'new')
    await assertFailed(await put('new', '{"n":2}', NEW), 'new')
    await assertFailed(await remove('new', NEW), 'new')
    assert.equal((await get('new')).text, '{"_id":"new","n":1}')
    assert.equal((await put('newer', '{"n":2}', NEW)).status, 201)
    assert.equal((await post('{"n":1}', NEW)).status, 201)
  })

  it('with tags is not done to the document that has one of them', async () => {
    await post('{"_id":"t"}')
    const tag = await tagOf('t')
    await assertFailed(await put('t', '{"n":1}', { 'If-None-Match': `${OTHER}, W/${tag}` }), 't')
    const changed = await put('t', '{"n":1}', { 'If-None-Match': OTHER })
    assert.deepEqual([changed.status, changed.text], [200, '{"_id":"t","n":1}'])
    // One that names what the write makes says nothing of what was there.
    const made = await put('t', '{}', { 'If-None-Match': tag, 'If-Match': changed.headers.etag! })
    assert.deepEqual([made.status, made.headers.etag], [200, tag])
    await assertFailed(await put('t', '{"n":3}', { 'If-Match': '*', 'If-None-Match': '*' }), 't')
  })
})

describe('a condition that can not be held to', () => {
  const one = '{"_id":"one"}'
  async function refuses(answer: Promise<TestAnswer>, message: RegExp): Promise<void> {
    const { status, json } = await answer
    assert.equal(status, 400)
    assert.equal((json as { code: string }).code, 'invalid_request')
    assert.match((json as { message: string }).message, message)
  }

  it('is refused on several documents, and nothing is done', async () => {
    await post(one)
    for (const headers of [NEW, { 'If-Match': '*' }, { 'If-Match': OTHER }]) {
      await refuses(post('[{"_id":"two"}]', headers), /save each by itself/)
      await refuses(post('[]', headers), /save each by itself/)
      const lines = { ...headers, 'Content-Type': 'application/x-ndjson' }
      await refuses(post('{"_id":"two"}', lines), /save each by itself/)
      const path = `${C}?q={"_id":"one"}`
      await refuses(server.send('PUT', path, { headers, body: '{"n":1}' }), /by its _id, or say in q/)
      await refuses(server.send('DELETE', path, { headers }), /by its _id, or say in q/)
      await refuses(server.send('DELETE', `${C}?drop=true`, { headers }), /by its _id/)
    }
    assert.equal((await get('one')).text, one)
    assert.equal((await get('two')).status, 404)
  })

  it('is refused where it is malformed, or a date', async () => {
    for (const [header, value] of [
      ['If-Match', ''],
      ['If-Match', (await tagOf('one')).slice(1, -1)],
      ['If-None-Match', '*, *'],
    ] as const) {
      const headers = { [header]: value }
      for (const answer of [put('one', '{"n":1}', headers), post(one, headers), remove('one', headers)])
        await refuses(answer, new RegExp(`^the header ${header} should be`))
      await refuses(server.send('DELETE', `${C}?q={}`, { headers }), /should be/)
    }
    const dated = { 'If-Unmodified-Since': 'Sun, 29 Nov 2026 11:00:00 GMT' }
    await refuses(put('one', '{"n":1}', dated), /send If-Match/)
    assert.equal((await get('one')).text, one)
  })
})

describe('a key that may not read', () => {
  const [writes, creates] = KEYS.map(({ apiKey }) => ({ 'X-Service-API-Key': apiKey }))

  it('gets at nothing by tags: neither by sending them nor by being told', async () => {
    await post('{"_id":"s","secret":1}')
    const tag = await tagOf('s')
    for (const condition of [{ 'If-Match': tag }, { 'If-None-Match': OTHER }, { 'If-Match': OTHER }]) {
      const headers = { ...writes, ...condition }
      for (const answer of [
        await put('s', '{"$set":{"n":1}}', headers),
        await post('{"_id":"s"}', headers),
        await remove('s', headers),
      ]) {
        assert.equal(answer.status, 403)
        assert.match(answer.text, /permission_denied.*may be \* here/)
        assert.equal(answer.headers.etag, undefined)
      }
    }
    for (const answer of [
      await put('s', '{}', { ...writes, ...NEW }),
      await post('{"_id":"s"}', { ...writes, ...NEW }),
    ]) {
      assert.equal(answer.status, 412)
      assert.equal(answer.headers.etag, undefined)
    }
    const modified = await put('s', '{"$set":{"n":1}}', { ...writes, 'If-Match': '*' })
    assert.deepEqual([modified.status, modified.text, modified.headers.etag], [200, '{"_id":"s"}', undefined])
  })

  it('makes a document with If-None-Match, and is refused to overwrite one either way', async () => {
    assert.equal((await post('{"_id":"c"}', { ...creates, ...NEW })).status, 201)
    assert.equal((await post('{"_id":"c"}', { ...creates, ...NEW })).status, 403)
    assert.equal((await put('c', '{}', { ...creates, 'If-Match': '*' })).status, 403)
  })
})

describe('writers of one document at the same time', () => {
  it('win one at a time, and lose no update', async () => {
    await post('{"_id":"race","n":0}')
    for (let round = 1; round <= 3; round++) {
      const headers = { 'If-Match': await tagOf('race') }
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, by) => put('race', `{"$inc":{"n":1},"$set":{"by":${by}}}`, headers)),
      )
      const won = answers.filter(({ status }) => status === 200)
      assert.equal(won.length, 1)
      const { text, headers: head } = await get('race')
      assert.equal(text, won[0]!.text)
      assert.equal((JSON.parse(text) as { n: number }).n, round)
      for (const { status, headers: told } of answers.filter((answer) => answer !== won[0]))
        assert.deepEqual([status, told.etag], [412, head.etag])
    }
  })
})
