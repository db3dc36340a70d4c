import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretBits } from './secret-strength.ts'

test('the bits of a secret are those of drawing its characters from as few as it shows', () => {
  for (const [secret, bits] of [
    // Length times the logarithm to base 2 of 10, 16, 36, 62, rounded down.
    ['318465920738461920573846', 79],
    ['0123456789abcdef0123456789abcdef', 128],
    ['0123456789ABCDEF0123456789ABCDE', 124],
    ['9k3mz0q8x7w2v5t1r4y6u0p9', 124],
    ['9k3mz0q8x7w2v5t1r4y6u0p9a', 129],
    ['9K3mz0q8X7w2v5t1R4y6u0p9', 142],
    // A UUID has 32 hexadecimal digits.
    ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 128],
    // Few characters, however many kinds: 40 of 5, and of 1.
    ['abcAB'.repeat(8), 92],
    ['a'.repeat(128), 0],
    ['-_'.repeat(12), 0],
  ] as const)
    assert.equal(secretBits(secret), bits, secret)
})
