import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatErrors } from '../../dashboard/src/data/import/format-errors.ts'
import { guessReading } from '../../dashboard/src/data/import/guess-reading.ts'

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
