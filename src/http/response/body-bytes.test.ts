import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyBytes, passingBytes } from './body-bytes.ts'

async function* parts(): AsyncGenerator<string | Uint8Array> {
  yield 'é😀'
  yield ''
  yield Buffer.from('bytes')
  yield 'x'.repeat(5000)
  yield 'ü'.repeat(3)
}

test('the bytes of a body are those of its parts, also where texts take turns in the same memory', async () => {
  const expected = `firsté😀bytes${'x'.repeat(5000)}üüü`
  for (const bytesOf of [bodyBytes, passingBytes]) {
    let text = ''
    for await (const bytes of bytesOf('first', parts())) text += Buffer.from(bytes).toString()
    assert.equal(text, expected)
  }
})
