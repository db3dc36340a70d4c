import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { jsonValues } from '../../test/json-values.ts'
import { compareValues, equalValues } from './compare.ts'
import { documentId, idValue } from './document-id.ts'
import { isJsonNumber } from './value.ts'

describe('documentId', () => {
  it('refuses what is neither a text nor a number', () => {
    for (const value of [null, true, false, [], new Map(), ['a']])
      assert.throws(() => documentId(value), { code: 'invalid_id' })
  })

  it('refuses texts that can not be an id', () => {
    assert.throws(() => documentId(''), { code: 'invalid_id' })
    assert.throws(() => documentId('a'.repeat(513)), { code: 'invalid_id' })
    assert.throws(() => documentId('é'.repeat(257)), { code: 'invalid_id' })
    assert.throws(() => documentId('a\u0000'), { code: 'null_character' })
    assert.throws(() => documentId('\ud800'), { code: 'invalid_id' })
    assert.throws(() => documentId({ source: '1e999' }), { code: 'invalid_id' })
  })

  it('keeps a text and its number apart', () => {
    assert.equal(documentId('1'), '1')
    assert.equal(documentId(1), 1)
    assert.equal(documentId('a'.repeat(512)), 'a'.repeat(512))
  })

  it('makes one id of a number in all of its notations', () => {
    for (const source of ['1.0', '1e0', '10e-1']) assert.equal(documentId({ source }), 1)
    assert.equal(documentId({ source: '-0' }), 0)
    assert.equal(documentId({ source: '4611686018427387904' }), 2 ** 62)
    assert.equal(documentId({ source: '4611686018427387904.0' }), 2 ** 62)
  })

  it('keeps integers of 64 bits that a double can not hold', () => {
    assert.equal(documentId({ source: '9007199254740993' }), 9007199254740993n)
    assert.equal(documentId({ source: '750727362669608961' }), 750727362669608961n)
    // What JavaScript prints for 2^62 is another integer.
    assert.equal(documentId(2 ** 62), 4611686018427388000n)
  })

  it('makes equal keys of equal numbers only, and values that equal the ones it came from', () => {
    const numbers = jsonValues().filter(isJsonNumber)
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        assert.equal(Object.is(documentId(a), documentId(b)), compareValues(a, b) === 0)
        assert.ok(equalValues(idValue(documentId(a)), a))
      }),
    )
  })
})

describe('idValue', () => {
  it('writes every digit of a large whole number', () => {
    assert.deepEqual(idValue(2 ** 62), { source: '4611686018427387904' })
    assert.deepEqual(idValue(9007199254740993n), { source: '9007199254740993' })
    assert.equal(idValue(1e21), 1e21)
    assert.equal(idValue(1.5), 1.5)
    assert.equal(idValue('1'), '1')
  })
})
