import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { entityTag, namesTag, tagOf } from './entity-tag.ts'

// The first 22 characters of the SHA-256 of {"_id":"x"} in base64url, by another program.
const TAG = '1xn4OiiAwnQiGd4EzZx9ek'

describe('an entity tag', () => {
  it('is of the body, as a text or as bytes', () => {
    assert.equal(tagOf('{"_id":"x"}'), TAG)
    assert.equal(tagOf(Buffer.from('{"_id":"x"}')), TAG)
  })

  it('tells content codings apart where it is strong', () => {
    assert.equal(entityTag(TAG, 'strong', undefined), `"${TAG}"`)
    assert.equal(entityTag(TAG, 'strong', 'br'), `"${TAG}-br"`)
    assert.equal(entityTag(TAG, 'weak', 'br'), `W/"${TAG}"`)
  })

  for (const condition of [
    '*',
    ` "${TAG}"`,
    `W/"${TAG}"`,
    `"${TAG}-gzip"`,
    `W/"${TAG}-zstd"`,
    `"other", W/"${TAG}-br" ,"more"`,
  ])
    it(`is named by ${condition}`, () => assert.ok(namesTag(condition, TAG)))

  for (const condition of [
    '',
    TAG,
    `"${TAG.toLowerCase()}"`,
    `"${TAG}-deflate"`,
    `"${TAG}x"`,
    `"${TAG.slice(0, -1)}"`,
    `"x${TAG}"`,
    '"*"',
    `"${'"'.repeat(60_000)}`,
  ])
    it(`is not named by ${condition.slice(0, 60)}`, () => assert.ok(!namesTag(condition, TAG)))
})
