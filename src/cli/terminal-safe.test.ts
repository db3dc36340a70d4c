import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lineSafe, terminalSafe } from './terminal-safe.ts'

describe('what a terminal would obey', () => {
  it('is shown, and not obeyed', () => {
    const escapes = [
      ['\u001b[31mred', String.raw`\u001b[31mred`],
      ['a\rb\u0007\u0000', String.raw`a\u000db\u0007\u0000`],
      ['\u009b2J\u007f', String.raw`\u009b2J\u007f`],
      ['\u202efdp.exe', String.raw`\u202efdp.exe`],
      ['\u2066a\u2069\u200e\u200f\u061c', String.raw`\u2066a\u2069\u200e\u200f\u061c`],
      ['\u2028\u2029', String.raw`\u2028\u2029`],
    ] as const
    for (const [text, shown] of escapes)
      assert.deepEqual([terminalSafe(text), lineSafe(text)], [shown, shown])
  })

  it('is a line end in one line alone', () => {
    assert.equal(terminalSafe('a\nb'), 'a\nb')
    assert.equal(lineSafe('a\nb'), String.raw`a\u000ab`)
  })

  it('leaves JSON the value that it was', () => {
    const value = { name: '<img onerror=alert(1)> \u202e\u001b\u2028' }
    assert.deepEqual(JSON.parse(terminalSafe(JSON.stringify(value))), value)
  })

  it('is nothing of what people write', () => {
    // Right to left, joined, composed of several, marked as one.
    for (const text of [
      'שלום',
      'مرحبا',
      'می\u200cخواهم',
      '👩\u200d👩\u200d👧',
      'e\u0301',
      '\ufeffa',
      'a\u00a0b',
    ])
      assert.deepEqual([terminalSafe(text), lineSafe(text)], [text, text])
  })
})
