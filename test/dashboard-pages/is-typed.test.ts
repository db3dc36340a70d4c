import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTyped } from '../../dashboard/src/is-typed.ts'

describe('what is typed to confirm', () => {
  it('is another number, or none, where a digit is wrong or left out', () => {
    for (const text of ['', '500', '5,0000', '5001', '-5000', '5000x'])
      assert.equal(isTyped(text, 5000), false, text)
  })

  it('is the number with the separators of any language', () => {
    for (const text of ['5000', '5,000', '5.000', '5\u202f000', '5\u00a0000', '5’000', ' 5000 '])
      assert.equal(isTyped(text, 5000), true, text)
  })

  it('is a name to the letter', () => {
    assert.equal(isTyped('a.b', 'a.b'), true)
    assert.equal(isTyped('ab', 'a.b'), false)
  })
})
