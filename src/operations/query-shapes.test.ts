import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { indexName } from './index-fields.ts'
import { shapeOf } from './query-shapes.ts'
import { readFilter, readSort } from './read-query.ts'

function shape(q: string, s?: string) {
  return shapeOf(readFilter(q, DEFAULT_LIMITS), readSort(s, DEFAULT_LIMITS))
}

function index(q: string, s?: string): string | undefined {
  const fields = shape(q, s).index
  return fields && indexName(fields)
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
    assert.deepEqual(shape(fields(17)), { text: '(a long query)', index: undefined })
    assert.deepEqual(shape(`{"${'n'.repeat(500)}":1}`), { text: '(a long query)', index: undefined })
    assert.notEqual(shape(fields(16)).text, '(a long query)')
  })
})

describe('the index for a shape', () => {
  it('is none where none would help', () => {
    assert.equal(index('{}'), undefined)
    assert.equal(index('{"a":{"$not":1}}'), undefined)
    assert.equal(index('{"a":{"$regex":"middle"}}'), undefined)
    assert.equal(index('{"_id":"x","a":1}'), undefined)
    assert.equal(index('{}', '{"_id":1}'), undefined)
    assert.equal(index('{}', '{"a":1,"b":1,"c":1,"d":1,"e":1}'), undefined)
  })

  it('has fields with one value first, then the sort with its directions', () => {
    assert.equal(index('{"b":1,"a":2}', '{"d":-1,"c":1}'), 'a,b,d:-1,c')
    assert.equal(index('{"a":{"$in":[1,2]}}', '{"b":-1}'), 'b:-1')
    assert.equal(index('{"a":1}', '{"a":-1}'), 'a')
    assert.equal(index('{}', '{"a":1,"_id":1}'), 'a,_id')
  })

  it('has several values and one range after them where there is no sort', () => {
    assert.equal(index('{"r":{"$gt":1},"s":{"$lt":1},"i":{"$in":[1]},"e":1}'), 'e,i,r')
    assert.equal(index('{"p":{"$regex":"^x"}}'), 'p')
    assert.equal(index('{"a":1,"b":1,"c":1,"d":1,"e":1}'), 'a,b,c,d')
  })
})
