import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../test/random-cases.ts'
import { generateTotpSecret, isTotpSecret, totpStep, totpUri } from './totp.ts'

/** "12345678901234567890" in base32: the secret of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
/** Seconds and codes of RFC 6238, appendix B, for SHA-1; of its eight digits the last six. */
const VECTORS = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const

function step(code: string, seconds: number): number | undefined {
  return totpStep(code, { secret: SECRET, now: seconds * 1000 })
}

test('what is no code of six digits is refused', () => {
  for (const code of [
    '',
    '28708',
    '2870820',
    '94287082',
    '28708x',
    '+28708',
    '２８７０８２',
    '1e5000',
    '0'.repeat(1_000_000),
  ])
    assert.equal(step(code, 59), undefined, code.slice(0, 20))
})

test('a code two steps old or two ahead is refused', () => {
  // The code of 1111111111 is that of the step from 1111111110 to 1111111139.
  assert.equal(step('050471', 1111111110 + 60), undefined)
  assert.equal(step('050471', 1111111110 - 31), undefined)
})

test('a code is right in its step and one step before and behind, and tells which step it is of', () => {
  for (const seconds of [1111111080, 1111111110, 1111111139, 1111111169])
    assert.equal(step('050471', seconds), 37037037, String(seconds))
})

test('the codes of RFC 6238 are right', () => {
  for (const [seconds, code] of VECTORS) assert.equal(step(code, seconds), Math.floor(seconds / 30), code)
  assert.equal(step(' 005 924\n', 1234567890), 41152263)
})

test('of another secret no code is right', () => {
  assert.equal(totpStep('005924', { secret: `A${SECRET.slice(1)}`, now: 1234567890_000 }), undefined)
})

test('secrets are 160 bits of base32, and no two are alike', () => {
  const secrets = Array.from({ length: 1000 }, generateTotpSecret)
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.ok(secrets.every(isTotpSecret))
  for (const other of [
    '',
    SECRET.slice(1),
    `${SECRET}A`,
    SECRET.toLowerCase(),
    `${SECRET}\n`,
    SECRET.replace('G', '1'),
  ])
    assert.ok(!isTotpSecret(other), other)
  assert.equal(new Set(secrets).size, 1000)
})

test('the URI of a secret escapes issuer and account', () => {
  assert.equal(
    totpUri({ secret: SECRET, issuer: 'db.example.com:8443', account: 'ada&x=/?#@example.org' }),
    'otpauth://totp/db.example.com%208443:ada%26x%3D%2F%3F%23%40example.org?issuer=db.example.com%208443' +
      `&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  )
})

test('whatever issuer and account are called, the URI says them and nothing else', () => {
  const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
  fc.assert(
    fc.property(names, names, (issuer, account) => {
      const uri = new URL(totpUri({ secret: SECRET, issuer, account }))
      const shown = (text: string) => text.replaceAll(':', ' ')
      assert.equal(uri.searchParams.get('issuer'), shown(issuer))
      assert.equal(uri.searchParams.get('secret'), SECRET)
      assert.deepEqual(uri.pathname.slice(1).split(':').map(decodeURIComponent), [
        shown(issuer),
        shown(account),
      ])
    }),
    randomCases(0.2),
  )
})
