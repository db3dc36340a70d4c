import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { readFile, readInPieces } from '../../test/read-import.ts'

describe('a file of any format', () => {
  it('is refused where it is empty, or in UTF-16', async () => {
    for (const format of ['ndjson', 'json', 'csv'] as const) {
      assert.match((await readInPieces('', { format })).fatal!, /^invalid_document: the file is empty/)
      const utf16 = Buffer.from('\ufeff{"a":1}', 'utf16le')
      assert.match((await readInPieces(utf16, { format })).fatal!, /^invalid_unicode: the file is UTF-16/)
    }
  })

  it('is refused where it is compressed, or looks like UTF-16, with what to do', async () => {
    const ndjson = (file: Buffer) => readInPieces(file, { format: 'ndjson' })
    const text = Buffer.from('{"a":1}\n')
    for (const bytes of [Buffer.from('{"a":1}', 'utf16le'), Buffer.from('{"a":1}', 'utf16le').swap16()])
      assert.match((await ndjson(bytes)).fatal!, /^invalid_unicode: the file looks like UTF-16; .*iconv/)
    const cases: [bytes: Buffer, fatal: RegExp][] = [
      [gzipSync(text), /^invalid_document: the file is compressed \(gzip\); unpack it: gunzip -c FILE \|/],
      [zstdCompressSync(text), /\(zstd\); unpack it: zstd -dc/],
      [Buffer.from('BZh91AY&SY\0'), /\(bzip2\); unpack it: bunzip2 -c/],
      [Buffer.from('\xfd7zXZ\0\0', 'latin1'), /\(xz\); unpack it: xz -dc/],
      [Buffer.from('PK\x03\x04\x14'), /^invalid_document: the file is a zip, .*; unpack it/],
    ]
    for (const [bytes, fatal] of cases) assert.match((await ndjson(bytes)).fatal!, fatal)
    assert.deepEqual((await readInPieces('BZh1,b\n1,2', { format: 'csv' })).records, ['2 {"BZh1":1,"b":2}'])
  })

  it('may begin with a byte order mark', async () => {
    assert.deepEqual((await readInPieces('\ufeff{"a":1}', { format: 'ndjson' })).records, ['1 {"a":1}'])
    assert.deepEqual((await readInPieces('\ufeff[{"a":1}]', { format: 'json' })).records, ['1 {"a":1}'])
    assert.deepEqual((await readInPieces('\ufeff"a",b\n1,2', { format: 'csv' })).records, ['2 {"a":1,"b":2}'])
  })
})

describe('a file of NDJSON', () => {
  const ndjson = (file: string | Buffer) => readInPieces(file, { format: 'ndjson' })

  it('has a fault on each line that is no document, and the documents of all others', async () => {
    const lines = [
      '{"a":1}',
      '{"a":',
      '',
      '{"a":1e999}',
      '{"a":1,"a":2}',
      '{"a":"\\ud800"}',
      '{"a":"\\u0000"}',
      '{"$a":1}',
      '{"_id":null}',
      '{"_id":{"$oid":"5f2b5c8e1c4f4b0017d3e6a1"}}',
      'null',
      `{"a":"${'x'.repeat(1000)}"}`,
      `{"a":"${'x'.repeat(7000)}"}`,
      '  {"b" : 2} ',
    ]
    const { records, messages } = await ndjson(lines.join('\r\n'))
    assert.deepEqual(records, [
      '1 {"a":1}',
      '2 invalid_json',
      '4 number_out_of_range',
      '5 duplicate_key',
      '6 invalid_unicode',
      '7 null_character',
      '8 invalid_field_name',
      '9 invalid_id',
      '10 invalid_id',
      '11 invalid_document',
      '12 document_too_large',
      '13 document_too_large',
      '14 {"b":2}',
    ])
    assert.match(messages[7]!, /extended JSON: import the file as that/)
  })

  it('has a fault where a line is not UTF-8', async () => {
    const { records } = await ndjson(Buffer.from('{"a":"\xe9"}\n{"a":1}\n', 'latin1'))
    assert.deepEqual(records, ['1 invalid_unicode', '2 {"a":1}'])
  })

  it('that is JSON says so', async () => {
    assert.match((await ndjson('\n[\n{"a":1}\n]')).fatal!, /^invalid_document: line 2: .*format=json/)
  })
})

describe('a file of JSON', () => {
  const json = (file: string | Buffer, isExtended = false) =>
    readInPieces(file, { format: 'json', isExtended })

  it('is one array, or one object after the other, on lines of their own or not', async () => {
    const both = (first: number, second: number) => [`${first} {"a":[1,"]"]}`, `${second} {"b":"}\\\\"}`]
    const [a, b] = ['{"a":[1,"]"]}', '{"b":"}\\\\"}']
    assert.deepEqual((await json(`[${a},${b}]`)).records, both(1, 1))
    assert.deepEqual((await json(`\n [ ${a}\n,\n ${b} ] \n`)).records, both(2, 4))
    assert.deepEqual((await json(`${a}\n${b}\n`)).records, both(1, 2))
    assert.deepEqual((await json(`${a}${b}`)).records, both(1, 1))
    assert.deepEqual((await json('{\n "a": [\n1 ] }\n\n{ "b":\n2}')).records, ['1 {"a":[1]}', '5 {"b":2}'])
    assert.deepEqual((await json('[]')).records, [])
    assert.deepEqual(await json(' [ ]\n'), { records: [], messages: [] })
  })

  it('has a fault for each element that is no document, on the line where it goes wrong', async () => {
    const file = '[1, "a\\"]", [{}], null,\n{"a":1e999},\n{"b":\n tru},{"c":1,\n"c":2}, {"d":4}]'
    const { records, messages } = await json(file)
    assert.deepEqual(records, [
      '1 invalid_document',
      '1 invalid_document',
      '1 invalid_document',
      '1 invalid_document',
      '2 number_out_of_range',
      '4 invalid_json',
      '5 duplicate_key',
      '5 {"d":4}',
    ])
    assert.match(messages[4]!, /^the document at index 4: 1e999 is too large/)
  })

  it('of values too long to be kept has a fault for each', async () => {
    const { records } = await json(`[{"a":"${'x'.repeat(9000)}"},{"a":1},${'9'.repeat(9000)}]`)
    assert.deepEqual(records, ['1 document_too_large', '1 {"a":1}', '1 document_too_large'])
    for (const length of [1500, 9000]) {
      const { messages } = await json(`{"features":["${'x'.repeat(length)}"]}`)
      assert.match(messages[0]!, /at most 1000 bytes; .*jq -c '\.features\[\]'/)
    }
  })

  it('that is cut off, or goes on behind its end, is refused with the line', async () => {
    const cases: [file: string, fatal: RegExp][] = [
      ['[{"a":1},\n{"b":[1,', /^invalid_json: line 2: the file is not whole: .*document at index 1/],
      ['[{"a":1},\n{"b":"x', /^invalid_json: line 2: the file is not whole/],
      ['[{"a":1}\n', /^invalid_json: line 2: the file is not whole: it ends before the \]/],
      ['[{"a":1},', /^invalid_json: line 1: the file is not whole/],
      ['[', /^invalid_json: line 1: the file is not whole/],
      [' \n ', /^invalid_document: the file is empty/],
      ['[{"a":1}]\n[{"b":1}]', /^invalid_json: line 2: .*unexpected "\[".*the file should end/],
      ['{"a":1},\n{"b":1}', /^invalid_json: line 1: .*unexpected ","/],
      ['[{"a":1}{"b":1}]', /^invalid_json: line 1: .*behind the document at index 0; a , or \]/],
      ['[,{"a":1}]', /^invalid_json: line 1: .*unexpected ","/],
      ['[{"a":1},]', /^invalid_json: line 1: .*unexpected "\]".*; a document should/],
      ['name,zip\nAda,1', /^invalid_json: line 1: .*an array of documents/],
      ['[1,2', /^invalid_json: line 1: the file is not whole/],
    ]
    for (const [file, fatal] of cases) assert.match((await json(file)).fatal ?? '', fatal, file)
  })

  it('has the documents that its parts have, wherever pieces end', async () => {
    const documents = fc.array(
      fc.dictionary(
        fc.string().filter((key) => !key.startsWith('$') && key !== '_id'),
        fc.jsonValue(),
      ),
      {
        maxLength: 5,
      },
    )
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(undefined, 2),
        async (all, length, indent) => {
          const file = JSON.stringify(all, null, indent)
          const { records, fatal } = await readFile(file, { format: 'json' }, length)
          assert.equal(fatal, undefined)
          if (records.some((record) => / \w+$/.test(record))) return
          assert.deepEqual(
            records.map((record) => JSON.parse(record.slice(record.indexOf(' ')))),
            JSON.parse(JSON.stringify(all)),
          )
        },
      ),
      { numRuns: 50 },
    )
  })
})
