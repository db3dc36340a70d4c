import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { NO_CANDIDATES } from './candidate-indexes.ts'
import { shapeOf } from './query-shapes.ts'
import { readFilter, readSort } from './read-query.ts'

function shape(q: string, s?: string) {
  return shapeOf(readFilter(q, DEFAULT_LIMITS), readSort(s, DEFAULT_LIMITS))
}

describe('the shape of a query', () => {
  it('holds no value', () => {
    const { text } = shape(
      '{"name":"Ada","age":{"$gt":41},"city":{"$in":["Rome"]},"mail":{"$regex":"^ada@"}}',
    )
    assert.equal(text, 'age range, city in, mail prefix, name eq')
  })

  it('is one for queries that differ in values and in the order of conditions', () => {
    assert.equal(shape('{"a":1,"b":{"$lt":2}}').text, shape('{"b":{"$gte":"x"},"a":null}').text)
    assert.notEqual(shape('{"a":1}').text, shape('{"a":{"$in":[1]}}').text)
    assert.notEqual(shape('{"a":1}', '{"b":1}').text, shape('{"a":1}', '{"b":-1}').text)
  })

  it('quotes a field that looks like part of a shape', () => {
    assert.equal(shape('{"a eq, b":1}').text, '"a eq, b" eq')
  })

  it('is the same for all queries that are very long', () => {
    const fields = (n: number) =>
      JSON.stringify(
        Object.fromEntries(
          Array(n)
            .keys()
            .map((i) => [`f${i}`, i]),
        ),
      )
    assert.deepEqual(shape(fields(17)), { text: '(a long query)', candidates: NO_CANDIDATES })
    assert.deepEqual(shape(`{"${'n'.repeat(500)}":1}`), { text: '(a long query)', candidates: NO_CANDIDATES })
    assert.notEqual(shape(fields(16)).text, '(a long query)')
  })
})
