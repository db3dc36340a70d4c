import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportAddress } from '../../dashboard/src/data/export/export-address.ts'
import { formatErrors } from '../../dashboard/src/data/import/format-errors.ts'
import { guessReading } from '../../dashboard/src/data/import/guess-reading.ts'

const ADDRESS = { slug: 'garden', collection: 'a b#ü' }
const PATH = '/_/api/apps/garden/collections/a%20b%23%C3%BC/export'
const WHOLE = { view: undefined, columns: undefined, isGuarded: false }

describe('the address of an export', () => {
  it('is of the whole collection unless a view is asked for', () => {
    assert.equal(exportAddress(ADDRESS, { format: 'ndjson', ...WHOLE }), `${PATH}?format=ndjson`)
    const view = { q: ' {"a b":"&\u202e"} ', s: '{"n":-1}', f: ' ' }
    const { searchParams } = new URL(
      exportAddress(ADDRESS, { ...WHOLE, format: 'json', view }),
      'https://localhost',
    )
    assert.deepEqual(
      [...searchParams],
      [
        ['format', 'json'],
        ['q', '{"a b":"&\u202e"}'],
        ['s', '{"n":-1}'],
      ],
    )
  })

  it('has columns and a guard for CSV alone', () => {
    const chosen = { view: undefined, columns: ['_id', '"', '__proto__'], isGuarded: true }
    const { searchParams } = new URL(
      exportAddress(ADDRESS, { ...chosen, format: 'csv' }),
      'https://localhost',
    )
    assert.deepEqual(
      [...searchParams],
      [
        ['format', 'csv'],
        ['columns', '["_id","\\"","__proto__"]'],
        ['guard', 'true'],
      ],
    )
    assert.equal(exportAddress(ADDRESS, { ...chosen, format: 'json' }), `${PATH}?format=json`)
  })
})

describe('how a file is to be read', () => {
  it('is seen by the end of its name, whatever else stands there', () => {
    for (const [name, format] of [
      ['a.csv', 'csv'],
      ['a.json.TSV', 'csv'],
      ['.ndjson', 'ndjson'],
      ['a.jsonl', 'ndjson'],
      ['a.json', undefined],
      ['a.__proto__', undefined],
      ['a.constructor', undefined],
    ] as const)
      assert.equal(guessReading(name).format, format, name)
  })
})

describe('the lines that can’t be read', () => {
  it('are a CSV file in which a message is one cell, whatever stands in it', () => {
    const errors = [
      { line: 5, message: 'a "b", c\nd' },
      { line: 70_000, message: 'é' },
    ]
    assert.equal(formatErrors(errors), 'line,message\r\n5,"a ""b"", c\nd"\r\n70000,"é"\r\n')
  })
})
