import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateApiKey, hashApiKey, looksLikeKey } from './api-key.ts'

test('texts of another form do not look like a key', () => {
  for (const text of [
    '',
    'shf_',
    'shf_short',
    'SHF_'.padEnd(44, 'a'),
    'shf_'.padEnd(44, 'A'),
    'xyz_'.padEnd(44, 'a'),
  ])
    assert.equal(looksLikeKey(text), false, text)
  assert.equal(looksLikeKey(`${generateApiKey()}\n`), false)
  assert.equal(looksLikeKey(generateApiKey().padEnd(100, '0')), false)
})

test('a key has the prefix and 40 characters of 5 bits, and no two are alike', () => {
  const keys = Array.from({ length: 1000 }, generateApiKey)
  for (const key of keys) assert.match(key, /^shf_[0-9a-hjkmnp-tv-z]{40}$/)
  assert.ok(keys.every(looksLikeKey))
  assert.equal(new Set(keys).size, 1000)
})

test('every character is as likely as any other', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 2000; i += 1)
    for (const character of generateApiKey().slice(4)) counts.set(character, (counts.get(character) ?? 0) + 1)
  // 80,000 characters of 32 kinds: 2,500 each, and 300 is six times the standard deviation.
  assert.equal(counts.size, 32)
  for (const count of counts.values()) assert.ok(Math.abs(count - 2500) < 300, String(count))
})

test('the hash is SHA-256 in hexadecimal', () => {
  // FIPS 180-2, appendix B.1.
  assert.equal(hashApiKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
