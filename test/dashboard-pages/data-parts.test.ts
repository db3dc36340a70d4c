import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  formatFieldsText,
  formatSortText,
  parseFieldsText,
  parseSortText,
} from '../../dashboard/src/data/query/sort-text.ts'
import { parsePlan } from '../../dashboard/src/data/read-plan.ts'
import { parseRows } from '../../dashboard/src/data/rows/preview-row.ts'
import { formatView, parseView, WHOLE_COLLECTION } from '../../dashboard/src/data/view-url.ts'
import { serverTiming } from '../../src/http/response/server-timing.ts'
import { randomCases } from '../random-cases.ts'

const text = fc.string({ unit: 'binary', maxLength: 40 }).map((each) => each.toWellFormed())

describe('the address of a view', () => {
  it('says all of it, whatever was typed', () => {
    const view = fc.record(
      {
        q: text,
        s: text,
        f: text,
        layout: fc.constantFrom('table' as const, 'json' as const),
        at: fc.nat(),
        doc: fc.option(fc.json(), { nil: undefined }),
      },
      { noNullPrototype: true },
    )
    fc.assert(
      fc.property(view, (each) => {
        const { searchParams, search } = new URL(`https://localhost/_/x${formatView(each)}`)
        assert.deepEqual(parseView(search), each)
        assert.ok(searchParams.size <= 6)
      }),
      randomCases(),
    )
  })

  it('is short where all is as it is at first, and forgives what is written wrong', () => {
    assert.equal(formatView(WHOLE_COLLECTION), '')
    for (const search of ['', '?', '?at=-1&view=tree', '?at=1e9', '?at=9999999999999999'])
      assert.deepEqual(parseView(search), WHOLE_COLLECTION)
  })
})

describe('sort and fields as lists', () => {
  it('come back from their texts, whatever the fields are called', () => {
    // No field has a name with U+0000 in it.
    const name = text.map((each) => each.replaceAll('\0', ''))
    const names = fc.uniqueArray(name, { maxLength: 6 })
    fc.assert(
      fc.property(names, fc.boolean(), (chosen, isAscending) => {
        const entries = chosen.map((name) => ({ name, isAscending }))
        assert.deepEqual(parseSortText(formatSortText(entries)), entries)
        assert.deepEqual(parseFieldsText(formatFieldsText(chosen)), chosen)
      }),
      randomCases(),
    )
  })

  it('are none where the text says something else', () => {
    for (const other of ['{"a":0}', '[1]', '{', '{"a":2}', 'null'])
      assert.equal(parseFieldsText(other), undefined)
    assert.equal(parseSortText('{"a":"up"}'), undefined)
    assert.deepEqual(parseSortText(' {"10":-1,"2":1.0} '), [
      { name: '10', isAscending: false },
      { name: '2', isAscending: true },
    ])
  })
})

describe('how a read was done', () => {
  it('is read from the header as the server writes it', () => {
    for (const index of ['city,age:-1', 'IMDB Rating', 'größe %', '"'.repeat(300)]) {
      const header = serverTiming({
        plan: { kind: 'index', index, examined: 3 },
        returned: 1,
        milliseconds: 1.234,
      })
      assert.deepEqual(parsePlan(header), { kind: 'index', index: index.slice(0, 200), milliseconds: 1.23 })
    }
    assert.deepEqual(parsePlan(serverTiming(undefined)), { kind: 'memory', index: '', milliseconds: 0 })
    assert.equal(parsePlan('cdn;dur=3'), undefined)
  })
})

describe('a row of a list', () => {
  it('has every number as it was written, and tells what is short from what was cut', () => {
    const [row] = parseRows(
      '[{"id":750727362669608961,"bytes":1200,"fields":{"_id":750727362669608961,"n":1.10,"":null,"__proto__":true,' +
        '"t":"abc","long":{"text":"abc","length":900},"o":{"object":3,"first":[["a",1e5],["b",{}]]},' +
        '"l":{"array":1204,"first":["x",[]]},"e":{"object":0,"first":[]}},"left":7}]',
    )
    assert.equal(row!.id, '750727362669608961')
    assert.deepEqual([row!.bytes, row!.left], [1200, 7])
    assert.deepEqual(
      [...row!.fields],
      [
        ['_id', { kind: 'number', source: '750727362669608961' }],
        ['n', { kind: 'number', source: '1.10' }],
        ['', { kind: 'null' }],
        ['__proto__', { kind: 'boolean', value: true }],
        ['t', { kind: 'text', text: 'abc' }],
        ['long', { kind: 'text', text: 'abc', length: 900 }],
        [
          'o',
          {
            kind: 'object',
            count: 3,
            first: [
              ['a', { kind: 'number', source: '1e5' }],
              ['b', { kind: 'object', count: 0, first: [] }],
            ],
          },
        ],
        [
          'l',
          {
            kind: 'array',
            count: 1204,
            first: [
              { kind: 'text', text: 'x' },
              { kind: 'array', count: 0, first: [] },
            ],
          },
        ],
        ['e', { kind: 'object', count: 0, first: [] }],
      ],
    )
  })
})
