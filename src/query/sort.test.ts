import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { parseJson } from '../json/exact.ts'
import { stringify } from '../json/stringify.ts'
import type { JsonValue } from '../json/value.ts'
import { compareDocuments, parseSort, sortKey } from './sort.ts'

function json(text: string): JsonValue {
  return parseJson(text, DEFAULT_LIMITS)
}

function sorted(texts: readonly string[], sort: string): string[] {
  const fields = parseSort(json(sort), DEFAULT_LIMITS)
  return texts
    .map(json)
    .sort((a, b) => compareDocuments(a, b, fields))
    .map(stringify)
}

describe('a sort that can not be understood', () => {
  for (const text of ['null', '1', '"a"', '[]', '[{"a":1}]'])
    it(`is refused: ${text} is no object`, () => {
      assert.throws(() => parseSort(json(text), DEFAULT_LIMITS), { code: 'invalid_parameter' })
    })

  for (const direction of ['0', '2', '-2', '"1"', 'true', 'null', '1.5', '{}', '"asc"', '[1]'])
    it(`is refused: the direction ${direction}`, () => {
      assert.throws(() => parseSort(json(`{"a":${direction}}`), DEFAULT_LIMITS), {
        code: 'invalid_parameter',
        message: 'each field of s should have the value 1 (ascending) or -1 (descending)',
      })
    })

  it('is refused: too many fields, or a path of too many parts', () => {
    const limits = { ...DEFAULT_LIMITS, queryConditions: 2, nestingLevels: 2 }
    assert.throws(() => parseSort(json('{"a":1,"b":1,"c":1}'), limits), { code: 'invalid_parameter' })
    assert.throws(() => parseSort(json('{"a.b.c":1}'), limits), { code: 'nesting_too_deep' })
    const fields = (count: number) => json(`{${Array.from({ length: count }, (_, i) => `"f${i}":1`).join()}}`)
    assert.equal(parseSort(fields(500), DEFAULT_LIMITS).length, 500)
    assert.throws(() => parseSort(fields(501), DEFAULT_LIMITS), { code: 'invalid_parameter' })
  })
})

describe('a sort', () => {
  it('keeps its fields in the order in which they are written', () => {
    assert.deepEqual(parseSort(json('{"2":-1,"1":1.0,"a.b":-1e0,"":1}'), DEFAULT_LIMITS), [
      { path: ['2'], direction: -1 },
      { path: ['1'], direction: 1 },
      { path: ['a', 'b'], direction: -1 },
      { path: [''], direction: 1 },
    ])
    assert.deepEqual(parseSort(json('{}'), DEFAULT_LIMITS), [])
  })

  it('orders every type of value, missing beside null, and loses none', () => {
    const documents = [
      '{"a":true}',
      '{"a":[[1]]}',
      '{"a":false}',
      '{"a":{"b":1}}',
      '{"a":"1"}',
      '{"a":""}',
      '{"a":2}',
      '{"a":-1.5}',
      '{"b":1}',
      '{"a":null}',
    ]
    const ascending = [
      '{"b":1}',
      '{"a":null}',
      '{"a":-1.5}',
      '{"a":2}',
      '{"a":""}',
      '{"a":"1"}',
      '{"a":{"b":1}}',
      '{"a":[[1]]}',
      '{"a":false}',
      '{"a":true}',
    ]
    assert.deepEqual(sorted(documents, '{"a":1}'), ascending)
    // The two that tie keep their natural order in both directions.
    const descending = [...ascending.slice(2).reverse(), ...ascending.slice(0, 2)]
    assert.deepEqual(sorted(documents, '{"a":-1}'), descending)
  })

  it('puts an array by its least element ascending and by its greatest descending', () => {
    const documents = [
      '{"a":[5,10]}',
      '{"a":7}',
      '{"a":[1,20]}',
      '{"a":[]}',
      '{"a":[1,null]}',
      '{"a":["x",6]}',
    ]
    assert.deepEqual(sorted(documents, '{"a":1}'), [
      '{"a":[]}',
      '{"a":[1,null]}',
      '{"a":[1,20]}',
      '{"a":[5,10]}',
      '{"a":["x",6]}',
      '{"a":7}',
    ])
    assert.deepEqual(sorted(documents, '{"a":-1}'), [
      '{"a":["x",6]}',
      '{"a":[1,20]}',
      '{"a":[5,10]}',
      '{"a":7}',
      '{"a":[1,null]}',
      '{"a":[]}',
    ])
  })

  it('goes to its second field where the first one ties', () => {
    assert.deepEqual(sorted(['{"a":1,"b":1}', '{"a":0,"b":5}', '{"a":1.0,"b":2}'], '{"a":-1,"b":-1}'), [
      '{"a":1.0,"b":2}',
      '{"a":1,"b":1}',
      '{"a":0,"b":5}',
    ])
  })

  it('orders text by code point and integers of 64 bits exactly', () => {
    assert.deepEqual(sorted(['{"a":"\u{1f600}"}', '{"a":"\uff61"}', '{"a":"B"}', '{"a":"a"}'], '{"a":1}'), [
      '{"a":"B"}',
      '{"a":"a"}',
      '{"a":"\uff61"}',
      '{"a":"\u{1f600}"}',
    ])
    assert.deepEqual(sorted(['{"a":9007199254740993}', '{"a":9007199254740992}'], '{"a":1}'), [
      '{"a":9007199254740992}',
      '{"a":9007199254740993}',
    ])
  })
})

describe('the value that stands for a document', () => {
  const key = (document: string, path: string, direction: 1 | -1): JsonValue | undefined =>
    sortKey(json(document), { path: path.split('.'), direction })

  it('is missing where nothing stands at the path', () => {
    for (const document of ['{}', '{"a":1}', '{"a":[]}', '{"a":[1]}', '{"a":{"b":[]}}', '{"a":[{"b":[]}]}'])
      assert.equal(key(document, 'a.b', 1), undefined, document)
  })

  it('is the least or the greatest of what elements of an array hold there', () => {
    assert.equal(key('{"a":[{"b":3},{"b":1},{"b":2}]}', 'a.b', 1), 1)
    assert.equal(key('{"a":[{"b":3},{"b":1},{"b":2}]}', 'a.b', -1), 3)
    assert.equal(key('{"a":[{"b":[4,9]},{"b":5}]}', 'a.b', 1), 4)
    assert.equal(key('{"a":[{"b":[4,9]},{"b":5}]}', 'a.b', -1), 9)
  })

  it('counts an element without the field as null', () => {
    assert.equal(key('{"a":[{"b":3},{"c":1}]}', 'a.b', 1), undefined)
    assert.equal(key('{"a":[{"b":3},{"c":1}]}', 'a.b', -1), 3)
    assert.equal(key('{"a":[{"b":3},7]}', 'a.b', 1), 3)
  })

  it('is one element where the path names its index', () => {
    assert.equal(key('{"a":[3,1,2]}', 'a.0', 1), 3)
    assert.equal(key('{"a":[[3,1],2]}', 'a.0', 1), 1)
    assert.deepEqual(key('{"a":[[3,1],2]}', 'a', -1), [3, 1])
  })
})
