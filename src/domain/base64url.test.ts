import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBase64url } from './base64url.ts'

test('bytes have one spelling', () => {
  for (const text of [
    'QR',
    'QUJ',
    'QUI=',
    'QQ==',
    'QQ=',
    'A',
    'QUJDR',
    ' QUI',
    'QU I',
    'QUI\u0000',
    'QUIé',
    'QU\nI',
    '+/==',
    '+-',
  ])
    assert.equal(fromBase64url(text), undefined, text)
  for (const [text, bytes] of [
    ['', []],
    ['QQ', [65]],
    ['QUI', [65, 66]],
    ['QUJD', [65, 66, 67]],
    ['-_8', [251, 255]],
  ] as const)
    assert.deepEqual([...fromBase64url(text)!], bytes, text)
})
