import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatCells, queriesOf } from '../../dashboard/src/data/rows/copy-cells.ts'
import { jsonLines, lineCount } from '../../dashboard/src/data/rows/json-lines.ts'
import { type PreviewValue, parseRows } from '../../dashboard/src/data/rows/preview-row.ts'
import { cellText, isSameRow, jsonPieces } from '../../dashboard/src/data/rows/shown-value.ts'
import { valueTime } from '../../dashboard/src/data/rows/value-time.ts'
import { parseJson } from '../../src/json/exact.ts'
import type { JsonObject } from '../../src/json/value.ts'

const MORE = (count: number) => `${count} more`

function rowOf(fields: string, more = '"id":7,"bytes":9') {
  return parseRows(`[{${more},"fields":${fields}}]`)[0]!
}

function valueFrom(preview: string): PreviewValue {
  return rowOf(`{"a":${preview}}`).fields.get('a')!
}

function textOf(pieces: readonly { readonly text: string }[]): string {
  return pieces.map(({ text }) => text).join('')
}

describe('a value in a list', () => {
  for (const [preview, cell, json] of [
    ['1.10', '1.10', '1.10'],
    ['750727362669608961', '750727362669608961', '750727362669608961'],
    ['null', 'null', 'null'],
    ['"a\\n\\""', 'a\n"', '"a\\n\\""'],
    ['{"text":"abc","length":101}', 'abc…', '"abc…"'],
    [
      '{"object":1204,"first":[["a",1e5],["",{}],["b",[]]]}',
      '{ 1,204 }',
      '{ "a": 1e5, "": {…}, "b": […], … 1201 more }',
    ],
    ['{"array":2,"first":["x",{"text":"cut","length":21}]}', '[ 2 ]', '[ "x", "cut…" ]'],
    ['{"array":0,"first":[]}', '[ 0 ]', '[]'],
  ] as const)
    it(`is shown in a cell and as JSON: ${preview}`, () => {
      const value = valueFrom(preview)
      assert.equal(cellText(value), cell)
      assert.equal(textOf(jsonPieces(value, MORE)), json)
    })

  for (const [preview, time] of [
    ['1764416000000', '2025-11-29T11:33:20.000Z'],
    ['1764416000', '2025-11-29T11:33:20.000Z'],
    ['"2026-11-29T12:00:00+01:00"', '2026-11-29T11:00:00.000Z'],
    ['"2026-11-29"', '2026-11-29T00:00:00.000Z'],
    // The example of https://github.com/ulid/spec has this time.
    ['"01ARZ3NDEKTSV4RRFFQ69G5FAV"', '2016-07-30T23:54:10.259Z'],
    ['"2026-13-29T12:00:00Z"', undefined],
    ['17644160000', undefined],
    ['1764416000000.5', undefined],
    ['9007199254740993', undefined],
    ['"8ZZZZZZZZZZZZZZZZZZZZZZZZZ"', undefined],
    ['true', undefined],
  ] as const)
    it(`has the time ${time}: ${preview}`, () => assert.equal(valueTime(valueFrom(preview)), time))
})

describe('a document in a list', () => {
  it('is the same only where all that is shown of it is', () => {
    const row = rowOf('{"a":1,"b":{"array":2,"first":[1]}}')
    assert.ok(isSameRow(row, rowOf('{"a":1,"b":{"array":2,"first":[1]}}')))
    assert.ok(!isSameRow(row, rowOf('{"a":1.0,"b":{"array":2,"first":[1]}}')))
    assert.ok(!isSameRow(row, rowOf('{"b":{"array":2,"first":[1]},"a":1}')))
    assert.ok(!isSameRow(row, rowOf('{"a":1,"b":{"array":2,"first":[1]}}', '"id":7,"bytes":10')))
  })

  it('is printed as JSON, a field a line', () => {
    const row = rowOf('{"_id":"7","a":1,"b":null}', '"id":"7","bytes":9')
    assert.equal(lineCount(row), 5)
    assert.deepEqual(jsonLines(row, 5).map(textOf), ['{', '  "_id": "7",', '  "a": 1,', '  "b": null', '}'])
  })

  it('says how many fields have no line', () => {
    const row = rowOf('{"a":1,"b":2,"c":3}', '"id":7,"bytes":9,"left":1200')
    assert.deepEqual(jsonLines(row, 5).map(textOf), [
      '{',
      '  "_id": 7,',
      '  "a": 1,',
      '  … 1,202 more fields',
      '}',
    ])
  })
})

describe('copied cells', () => {
  const documents = parseJson(
    '[{"_id":7,"n":9007199254740993,"t":"a\\tb"},{"_id":"7","n":1.10,"t":"\\"q\\"","o":{"x":1e5}}]',
    { nestingLevels: 9 },
  ) as JsonObject[]

  it('are exact, with tabs between them and quotes where a text has some', () => {
    assert.equal(
      formatCells(documents, ['_id', 'n', 't', 'o']),
      '7\t9007199254740993\t"a\tb"\t\n7\t1.10\t"""q"""\t{"x":1e5}',
    )
  })

  it('are a text as it is where there is one alone', () => {
    assert.equal(formatCells(documents.slice(0, 1), ['t']), 'a\tb')
  })

  it('are read by so many ids at a time as a URL has room for', () => {
    assert.deepEqual(queriesOf([]), [])
    assert.deepEqual(queriesOf(['7', '"7"']), ['{"_id":{"$in":[7,"7"]}}'])
    const ids = Array.from({ length: 1000 }, (_, i) => `"${String(i).padStart(26, '0')}"`)
    const queries = queriesOf(ids)
    assert.equal(queries.length, 8)
    assert.ok(queries.every((query) => query.length < 4100))
  })
})
