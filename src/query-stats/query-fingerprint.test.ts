import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { readFilter, readSort } from '../query/read-query.ts'
import { fingerprintOf } from './query-fingerprint.ts'

function fingerprint(q: string, s?: string) {
  return fingerprintOf(readFilter(q, DEFAULT_LIMITS), readSort(s, DEFAULT_LIMITS))
}

describe('the fingerprint of a query', () => {
  it('holds no value', () => {
    const { text } = fingerprint(
      '{"name":"Ada","age":{"$gt":41},"city":{"$in":["Rome"]},"mail":{"$regex":"^ada@"}}',
    )
    assert.equal(text, 'age range, city in, mail prefix, name eq')
  })

  it('is one for queries that differ in values and in the order of conditions', () => {
    assert.equal(fingerprint('{"a":1,"b":{"$lt":2}}').text, fingerprint('{"b":{"$gte":"x"},"a":null}').text)
    assert.notEqual(fingerprint('{"a":1}').text, fingerprint('{"a":{"$in":[1]}}').text)
    assert.notEqual(fingerprint('{"a":1}', '{"b":1}').text, fingerprint('{"a":1}', '{"b":-1}').text)
  })

  it('quotes a field that looks like part of a fingerprint', () => {
    assert.equal(fingerprint('{"a eq, b":1}').text, '"a eq, b" eq')
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
    const tooLong = { text: '(a long query)', conditions: [], sort: [] }
    assert.deepEqual(fingerprint(fields(17)), tooLong)
    assert.deepEqual(fingerprint(`{"${'n'.repeat(500)}":1}`), tooLong)
    assert.notEqual(fingerprint(fields(16)).text, '(a long query)')
  })
})
