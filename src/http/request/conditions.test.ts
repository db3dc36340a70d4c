import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NamedDocuments } from '../../domain/precondition.ts'
import { readConditions } from './conditions.ts'

const TAG = '1xn4OiiAwnQiGd4EzZx9ek'

describe('the conditions of a write', () => {
  it('are none without a header', () => {
    assert.equal(readConditions({ 'if-modified-since': 'Sun, 29 Nov 2026 11:00:00 GMT' }), undefined)
  })

  const cases: [value: string, match: NamedDocuments, noneMatch: NamedDocuments][] = [
    ['*', '*', '*'],
    ['"a"', ['a'], ['a']],
    ['""', [''], ['']],
    ['"*"', ['*'], ['*']],
    ['"a,b", "c"', ['a,b', 'c'], ['a,b', 'c']],
    [' "a" , W/"b",,"\xe9!",\t', ['a', '\xe9!'], ['a', 'b', '\xe9!']],
    ['W/"a"', [], ['a']],
    [`"${TAG}-gzip","${TAG}-br","${TAG}-zstd"`, [TAG, TAG, TAG], [TAG, TAG, TAG]],
    [`"${TAG}-deflate", "a-gzip"`, [`${TAG}-deflate`, 'a-gzip'], [`${TAG}-deflate`, 'a-gzip']],
    // A tag may end by chance with what a coding adds.
    ['"123456789012345678-gzip"', ['123456789012345678-gzip'], ['123456789012345678-gzip']],
  ]
  for (const [value, match, noneMatch] of cases)
    it(`are read from ${JSON.stringify(value)}`, () => {
      assert.deepEqual(readConditions({ 'if-match': value }), { ifMatch: match, ifNoneMatch: undefined })
      assert.deepEqual(readConditions({ 'if-none-match': value }), {
        ifMatch: undefined,
        ifNoneMatch: noneMatch,
      })
    })

  for (const value of [
    '',
    ' ',
    ',',
    '**',
    '*,"a"',
    '"a",*',
    '*, *',
    'a',
    '"a',
    'a"',
    '"a" "b"',
    '"a"b',
    '"a b"',
    '"a"b"',
    'w/"a"',
    'W/ "a"',
    'W/*',
    "'a'",
    '"a\x7f"',
    `${'"a",'.repeat(3000)}x`,
    `${', '.repeat(8000)}`,
  ])
    it(`are malformed in ${JSON.stringify(value.slice(-20))}`, () => {
      for (const name of ['If-Match', 'If-None-Match'])
        assert.throws(() => readConditions({ [name.toLowerCase()]: value }), {
          code: 'invalid_request',
          message: new RegExp(`^the header ${name} should be`),
        })
    })

  it('can not be on a date, unless there is a tag beside it', () => {
    const dated = { 'if-unmodified-since': 'Sun, 29 Nov 2026 11:00:00 GMT' }
    assert.throws(() => readConditions(dated), { code: 'invalid_request', message: /send If-Match/ })
    assert.throws(() => readConditions({ ...dated, 'if-none-match': '*' }), { code: 'invalid_request' })
    // RFC 9110, section 13.1.4.
    assert.deepEqual(readConditions({ ...dated, 'if-match': '"a"' })?.ifMatch, ['a'])
  })
})
