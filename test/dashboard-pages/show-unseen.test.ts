import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { showUnseen } from '../../dashboard/src/show-unseen.ts'

describe('a text of somebody else on a page', () => {
  for (const [text, shown] of [
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['a\u0000\u007f\nb', 'a⟨U+0000⟩⟨U+007F⟩⏎b'],
    ['\u200bpay\u200dpal\u00ad\ufeff', '⟨U+200B⟩pay⟨U+200D⟩pal⟨U+00AD⟩⟨U+FEFF⟩'],
    [`\u2028\u3164${String.fromCharCode(0xd800)}\u{e0041}`, '⟨U+2028⟩⟨U+3164⟩⟨U+D800⟩⟨U+E0041⟩'],
    ['a\ufe0f', 'a⟨U+FE0F⟩'],
  ] as const)
    it(`shows what nobody could see: ${shown}`, () => assert.equal(showUnseen(text), shown))

  for (const text of ['می\u200cخواهم', 'क्\u200dष', '👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3', 'é ü 日本 𝒳'])
    it(`stays as it is written: ${text}`, () => assert.equal(showUnseen(text), text))
})
