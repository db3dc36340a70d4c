import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { bodyText } from './parse-body.ts'

const text = (...bytes: number[]) => bodyText(Buffer.from(bytes), DEFAULT_LIMITS)

describe('the text of a body', () => {
  it('is refused where its bytes are not UTF-8', () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0x22, 0xc0, 0x80, 0x22]])
      assert.throws(() => text(...bytes), { code: 'invalid_unicode' })
  })

  it('is without the byte order mark before it', () => {
    assert.equal(text(0xef, 0xbb, 0xbf, 0x31), '1')
  })
})
