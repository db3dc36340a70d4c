import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import type { DocumentsOfBody } from './read-documents.ts'
import { readDocuments } from './read-documents.ts'
import { readNdjson } from './read-ndjson.ts'

const SOURCE = { now: 0, unique: () => 'u', uuid: () => 'v', serviceNames: ['Service'] }
const LIMITS = { ...DEFAULT_LIMITS, documentBytes: 1000, bulkDocuments: 100 }

/** A body in blocks of so many bytes, the last of them again and again. */
function blocksOf(body: Buffer, lengths: readonly number[]): Buffer[] {
  const blocks: Buffer[] = []
  for (let at = 0, n = 0; at < body.length; n++) {
    const length = lengths[Math.min(n, lengths.length - 1)]!
    blocks.push(body.subarray(at, at + length))
    at += length
  }
  return blocks
}

function read(text: string | Buffer, lengths: readonly number[] = [1_000_000]): Promise<DocumentsOfBody> {
  return readNdjson(blocksOf(Buffer.from(text as string), lengths), SOURCE, LIMITS)
}

async function refuses(text: string | Buffer, code: string, message: RegExp): Promise<void> {
  for (const length of [1, 3, 1_000_000])
    await assert.rejects(read(text, [length]), (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, code, error.message)
      assert.match(error.message, message)
      return true
    })
}

describe('a body of lines', () => {
  it('is refused with the number of the first line that is no document', async () => {
    await refuses('{"a":1}\n{"a":\n{"b":1}', 'invalid_json', /^line 2: .*each line is a whole document/)
    await refuses('\n\r\n \t\n{"a":1}\n\nx', 'invalid_json', /^line 6: /)
    await refuses('{"a":1}{"b":1}', 'invalid_json', /^line 1: .*"\{" at position 7.*whole document/)
    await refuses('{"a":1},\n{"b":1}', 'invalid_json', /^line 1: .*","/)
    await refuses('{\n  "a": 1\n}\n', 'invalid_json', /^line 1: .*Content-Type: application\/json/)
    await refuses('[\n{"a":1}\n]', 'invalid_document', /^line 1: each line should be one JSON object/)
    await refuses(`{}\n[${'{},'.repeat(5000)}{}]`, 'invalid_document', /^line 2: .*an array of documents/)
    for (const value of ['1', '"a"', 'null', 'true'])
      await refuses(`{}\n${value}\n{}`, 'invalid_document', /^line 2: each line should be one JSON object/)
    await refuses('{}\n{"a":1,"a":2}', 'duplicate_key', /^line 2: /)
    await refuses('{}\n\n{"$set":{}}', 'invalid_field_name', /^line 3: /)
    await refuses('{"_id":true}', 'invalid_id', /^line 1: /)
    await refuses(`{}\n{"a":"${'x'.repeat(1000)}"}`, 'document_too_large', /^line 2: /)
    await refuses(`{}\n{"a":"${'x'.repeat(7000)}"}`, 'document_too_large', /^line 2: /)
    await refuses(`{}\n${'x'.repeat(7000)}`, 'invalid_json', /^line 2: /)
    await refuses('{}\n'.repeat(101), 'too_many_documents', /^line 101: /)
    await refuses('\r{"a":1}\r{"b":1}\r', 'invalid_json', /^line 1: /)
    await refuses('', 'invalid_json', /the body is empty/)
  })

  it('is refused where it is no UTF-8, and where a character is cut by a newline', async () => {
    await refuses(Buffer.from('{"a":"\xe9"}\n', 'latin1'), 'invalid_unicode', /^line 1: /)
    const cut = Buffer.concat([Buffer.from('{}\n{"a":"'), Buffer.from([0xc3, 0x0a, 0xa9]), Buffer.from('"}')])
    await refuses(cut, 'invalid_unicode', /^line 2: /)
  })

  it('passes over blank lines, carriage returns, and a byte order mark', async () => {
    for (const text of [
      '{"a":1}\n{"b":2}',
      '{"a":1}\n{"b":2}\n',
      '{"a":1}\r\n{"b":2}\r\n',
      '\ufeff{"a":1}\n{"b":2}\n\n\n',
      '{"a":1}\n\ufeff{"b":2}',
    ])
      for (const length of [1, 2, 7, 1000]) {
        const { isBulk, documents, lines } = await read(text, [length])
        assert.equal(isBulk, true)
        assert.deepEqual(documents, [{ text: '{"a":1}' }, { text: '{"b":2}' }])
        assert.deepEqual(lines, [1, 2])
      }
    assert.deepEqual((await read('\n\r\n  {"a":1}  \n\t\n{"_id":1.0}')).lines, [3, 5])
    for (const nothing of ['\n', '\ufeff', '\ufeff\r\n', ' \n\t\r\n '])
      assert.deepEqual(await read(nothing), { isBulk: true, documents: [], lines: [] })
  })

  it('holds the documents that an array of its lines holds, wherever its blocks end', async () => {
    const texts = fc.record({
      _id: fc.oneof(fc.string({ minLength: 1 }), fc.integer()),
      a: fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    })
    const line = texts.map((one) => JSON.stringify(one).replaceAll('\\u0000', 'x'))
    const ends = fc.constantFrom('\n', '\r\n', ' \n', '\n\n')
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(line, ends), { minLength: 1, maxLength: 8 }),
        lengths,
        async (all, cuts) => {
          const body = all.map(([text, end]) => text + end).join('')
          const array = `[${all.map(([text]) => text).join()}]`
          const { documents } = await readDocuments(Buffer.from(array), SOURCE, LIMITS)
          const found = await read(body, cuts)
          assert.deepEqual(found.documents, documents)
          let number = 1
          for (const [index, [, end]] of all.entries()) {
            assert.equal(found.lines![index], number)
            number += end.split('\n').length - 1
          }
        },
      ),
    )
  })

  it('of nothing but white space does not hold the thread', async () => {
    const began = performance.now()
    for (const blank of ['\n', '\r\n', ' '])
      assert.deepEqual((await read(blank.repeat(4_000_000), [1_000_000])).documents, [])
    assert.ok(performance.now() - began < 5000)
  })
})
