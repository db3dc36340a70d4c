import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import { hashSecret } from './secret.ts'

test('what can not be a code has no hash', () => {
  const code = '01abcd-efghjk-mnpqrs-tvwxyz'
  for (const typed of ['', code.slice(1), `${code}0`, code.replace('a', 'u'), code.replace('a', 'é')])
    assert.equal(hashRecoveryCode(typed), undefined, typed)
  assert.equal(hashRecoveryCode(code + ' '.repeat(1_000_000)), undefined)
})

test('a code is the same however it is typed', () => {
  for (const typed of [
    '01abcd-efghjk-mnpqrs-tvwxyz',
    '01ABCD EFGHJK MNPQRS TVWXYZ',
    ' oiabcdefghjkmnpqrstvwxyz\n',
    'OLabcd–efghjk-mnpqrs-tvwxyz'.replace('–', ' - '),
  ])
    assert.equal(hashRecoveryCode(typed), hashSecret('01abcdefghjkmnpqrstvwxyz'), typed)
})

test('ten codes are made, all different, and each has a hash', () => {
  const codes = [...generateRecoveryCodes(), ...generateRecoveryCodes()]
  assert.equal(codes.length, 20)
  for (const code of codes) assert.match(code, /^[0-9a-hjkmnp-tv-z]{6}(?:-[0-9a-hjkmnp-tv-z]{6}){3}$/)
  assert.equal(new Set(codes.map(hashRecoveryCode)).size, 20)
})
