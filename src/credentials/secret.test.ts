import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateAccountToken, generateSecret, hashSecret, isAccountToken, isSecret } from './secret.ts'

test('no two secrets are alike, and each is 256 bits of base64url', () => {
  const secrets = Array.from({ length: 1000 }, generateSecret)
  for (const secret of secrets) assert.match(secret, /^[\w-]{43}$/)
  assert.ok(secrets.every(isSecret) && !isSecret('') && !isSecret(`${secrets[0]}\n`))
  assert.equal(new Set(secrets).size, 1000)
})

test('the hash is SHA-256 in hexadecimal', () => {
  // FIPS 180-2, appendix B.1.
  assert.equal(hashSecret('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('a token of an account begins so that the log and scanners know it', () => {
  const token = generateAccountToken()
  assert.match(token, /^shfa_[\w-]{43}$/)
  assert.ok(isAccountToken(token))
  for (const other of ['', token.slice(1), `${token}a`, `${token}\n`]) assert.ok(!isAccountToken(other))
})
