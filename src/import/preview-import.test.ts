import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import type { ColumnType } from './import-options.ts'
import { type PreviewOptions, previewImport } from './preview-import.ts'

const PREVIEW_BYTES = 256 * 1024

async function preview(file: string | Buffer, options: Partial<PreviewOptions> = {}) {
  const all = { isExtended: false, types: new Map<string, ColumnType>(), ...options }
  return JSON.parse(await previewImport(Buffer.from(file as string), all, DEFAULT_LIMITS))
}

describe('a preview', () => {
  it('guesses the format and the delimiter by how the file begins', async () => {
    for (const [file, format, delimiter] of [
      ['\ufeff \n[{"a":1}]', 'json'],
      ['{"a":1}\n{"a":2}', 'ndjson'],
      ['{"a":1}', 'ndjson'],
      ['{\n"a":1}\n', 'json'],
      ['{"a":1}{"a":2}', 'json'],
      ['a,b\n1;2;3,4', 'csv', ','],
      ['a;"b,c,d"\n1;2', 'csv', ';'],
      ['a\tb\n1\t2', 'csv', '\t'],
      ['name\nAda', 'csv', ','],
    ] as const) {
      const { format: guessed, delimiter: cells, errors } = await preview(file)
      assert.deepEqual([guessed, cells, errors], [format, delimiter, []], file)
    }
  })

  it('has the exact texts of the first twenty documents, and what their fields are', async () => {
    const lines = Array.from(
      { length: 30 },
      (_, n) => `{"_id":${n}.0,"t":"x","m":${n === 3 ? '"y"' : 1},"o":{"__proto__":1}}`,
    )
    const { columns, documents, errors, isCut } = await preview(lines.join('\n'))
    assert.deepEqual(documents, lines.slice(0, 20))
    assert.deepEqual(
      columns.map(({ name, type, guessed }: Record<string, string>) => `${name} ${type} ${guessed}`),
      ['_id auto number', 't auto text', 'm auto auto', 'o auto json'],
    )
    assert.deepEqual([errors, isCut], [[], false])
  })

  it('of CSV has the columns of its header, as their cells could be', async () => {
    const file = 'zip,n,ok,j,empty,t\n007,1.50,true,"{""a"":1}",,x\n10001,2,false,[],,1\n'
    const { columns, documents } = await preview(file, { types: new Map([['zip', 'text']]) })
    assert.deepEqual(
      columns.map(({ name, type, guessed }: Record<string, string>) => `${name} ${type} ${guessed}`),
      ['zip text text', 'n auto number', 'ok auto boolean', 'j auto json', 'empty auto auto', 't auto auto'],
    )
    assert.equal(documents[0], '{"zip":"007","n":1.50,"ok":true,"j":"{\\"a\\":1}","t":"x"}')
  })

  it('leaves out a record that is cut off, and says so', async () => {
    for (const [file, options] of [
      ['{"a":1}\n{"a":', {}],
      ['[{"a":1},\n{"a"', {}],
      ['[{"a":1}', {}],
      ['a,b\n1,2\n3,"x', {}],
      ['a,b\n1,2\n3', {}],
      [Buffer.from('{"a":1}\n{"a":"é').subarray(0, -1), {}],
      [Buffer.from('a\n1\né').subarray(0, -1), { format: 'csv' }],
    ] as const) {
      const { documents, errors, isCut } = await preview(file, options)
      assert.deepEqual([documents.length, errors, isCut], [1, [], true], String(file))
    }
    const long = `[{"a":"${'x'.repeat(PREVIEW_BYTES)}`.slice(0, PREVIEW_BYTES)
    const { format, documents, isCut } = await preview(long)
    assert.deepEqual([format, documents, isCut], ['json', [], true])
    // A row that may go on behind what is here.
    const row = `1,${'x'.repeat(100_000)}\n`
    const file = `a,b\n${row}${row}${row}`.slice(0, PREVIEW_BYTES)
    assert.deepEqual([(await preview(file)).documents.length, (await preview(file)).isCut], [2, true])
  })

  it('tells of what is bad by its line, and refuses what can not be read at all', async () => {
    const { errors, documents } = await preview('{"a":1}\n{"a":1e999}\n{"a":2}\n')
    assert.equal(documents.length, 2)
    assert.deepEqual(errors, [
      { line: 2, code: 'number_out_of_range', message: '1e999 is too large for a number' },
    ])
    await assert.rejects(preview('a,a\n1,2'), { code: 'invalid_csv' })
    await assert.rejects(preview(''), { code: 'invalid_document' })
    await assert.rejects(preview('[', { format: 'json' }), { code: 'invalid_json' })
  })
})
