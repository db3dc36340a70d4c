import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused } from './answers.ts'
import { Bystander, TARGET } from './bystander.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const MIB = 1024 * 1024
const BODY_BYTES = 32 * MIB
const LEVELS = 100_000

let server: ServerProcess
let bystander: Bystander
before(async () => {
  server = await startServer()
  bystander = await Bystander.of(server)
})
after(async () => {
  await bystander?.stop()
  await server?.dispose()
})

/** A body of exactly the greatest length, whose middle is one chunk of text again and again. */
function filled(start: string, chunk: string, end: string): Buffer {
  const body = Buffer.alloc(BODY_BYTES, ' ')
  const room = BODY_BYTES - Buffer.byteLength(start + end)
  const length = room - (room % Buffer.byteLength(chunk))
  body.write(start)
  body.fill(chunk, Buffer.byteLength(start), Buffer.byteLength(start) + length)
  body.write(end, Buffer.byteLength(start) + length)
  return body
}

const EVERYWHERE = [
  ['POST', TARGET],
  ['PUT', `${TARGET}/1`],
  ['PUT', `${TARGET}?q={}`],
] as const

async function refuses(
  body: string | Buffer,
  code: string | readonly string[],
  about: string,
  places: readonly (readonly [string, string])[] = EVERYWHERE,
): Promise<void> {
  for (const [method, path] of places)
    await bystander.holdsDuring(async () => {
      assertRefused(await server.client.send(method, path, { body }), code, `${method} ${about}`)
    })
}

describe('a body of 32 MiB', () => {
  const TOO_LARGE = 'document_too_large'
  for (const [about, body, code] of [
    ['spaces', () => filled('', ' ', ''), 'invalid_json'],
    ['NULs', () => filled('', '\u0000', ''), 'invalid_json'],
    ['one text', () => filled('{"a":"', 'x', '"}'), TOO_LARGE],
    ['one text of four-byte characters', () => filled('{"a":"', '😀', '"}'), TOO_LARGE],
    ['one text that never ends', () => filled('{"a":"', 'x', ''), ['invalid_json', TOO_LARGE]],
    ['one text of escapes', () => filled('{"a":"', '\\n', '"}'), TOO_LARGE],
    ['one text of numbered escapes', () => filled('{"a":"', '\\ud83d\\ude00', '"}'), TOO_LARGE],
    ['one key', () => filled('{"', 'k', '":1}'), TOO_LARGE],
    ['one number', () => filled('{"a":', '7', '}'), ['number_out_of_range', TOO_LARGE]],
    ['one fraction', () => filled('{"a":0.', '7', '}'), TOO_LARGE],
    ['one exponent', () => filled('{"a":1e', '0', '}'), TOO_LARGE],
    ['many numbers', () => filled('{"a":[1', ',1', ']}'), TOO_LARGE],
    ['many empty objects', () => filled('{"a":[{}', ',{}', ']}'), TOO_LARGE],
    ['opening brackets', () => filled('{"a":', '[', ''), ['nesting_too_deep', TOO_LARGE]],
    ['opening braces', () => filled('{"a":', '{"a":', ''), ['nesting_too_deep', TOO_LARGE]],
  ] as const)
    it(`is refused where it is ${about}`, async () => {
      const [save, update] = EVERYWHERE
      await refuses(body(), code, about, about.endsWith('escapes') ? [save, update] : [save])
    })

  it('and one byte is refused unread, with its length declared or not', async () => {
    const body = Buffer.alloc(BODY_BYTES + 1, ' ')
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }])
      await bystander.holdsDuring(async () => {
        const answer = await server.client.send('POST', TARGET, { body, headers })
        assertRefused(answer, 'body_too_large', JSON.stringify(headers), 413)
      })
  })

  it('that is an array of too many documents is refused', async () => {
    await bystander.holdsDuring(async () => {
      for (const body of [filled('[{}', ',{}', ']'), `[${'{},'.repeat(10_000)}{}]`])
        assertRefused(await server.client.send('POST', TARGET, { body }), 'too_many_documents', 'an array')
    })
  })
})

describe('a wide body', () => {
  it('of a million keys, or a million elements, is refused', async () => {
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":0`).join(',')
    await refuses(`{${keys}}`, 'document_too_large', 'keys')
    await refuses(`{"$set":{${keys}}}`, ['document_too_large', 'invalid_field_name'], 'modifiers')
    await refuses(`{"a":[${'0,'.repeat(999_999)}0]}`, 'document_too_large', 'elements', [['POST', TARGET]])
  })

  it('of as many keys as a document may have is saved, found and given back', async () => {
    const body = `{"_id":1,${Array.from({ length: 80_000 }, (_, index) => `"k${index}":0`).join(',')}}`
    assert.ok(body.length < MIB)
    const path = '/apps/demo/collections/wide'
    await bystander.holdsDuring(async () => {
      assert.ok((await server.client.send('POST', path, { body })).status < 300)
      assert.equal((await server.client.send('GET', `${path}?q={"k79999":0}`)).text, `[${body}]`)
      const updated = await server.client.send('PUT', `${path}/1`, { body: '{"$inc":{"k79999":1}}' })
      assert.equal(updated.text, body.replace('"k79999":0', '"k79999":1'))
    })
  })
})

describe('a deep body', () => {
  const arrays = '['.repeat(LEVELS) + ']'.repeat(LEVELS)
  const objects = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`

  it('of 100,000 levels is refused, wherever the levels are', async () => {
    for (const body of [arrays, `{"a":${arrays}}`, objects, `{"$set":{"a":${arrays}}}`, '['.repeat(LEVELS)])
      await refuses(body, ['nesting_too_deep', 'invalid_document', 'invalid_field_name'], body.slice(0, 20))
    await bystander.holdsDuring(async () => {
      for (const body of [`[{"_id":9},${objects}]`, `[{"_id":9},{"a":${arrays}}]`])
        assertRefused(await server.client.send('POST', TARGET, { body }), 'nesting_too_deep', 'in a bulk')
    })
  })

  it('is taken up to 100 levels and not one more', async () => {
    const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    const path = '/apps/demo/collections/deep'
    await bystander.holdsDuring(async () => {
      assert.equal((await server.client.send('PUT', `${path}/1`, { body: nested(100) })).status, 201)
      assertRefused(
        await server.client.send('PUT', `${path}/1`, { body: nested(101) }),
        'nesting_too_deep',
        '101',
      )
      const inside = `{"$set":{"a${'.0'.repeat(99)}":[]}}`
      const deeper = await server.client.send('PUT', `${path}/1`, { body: inside })
      assertRefused(deeper, 'nesting_too_deep', 'by an update')
    })
  })
})
