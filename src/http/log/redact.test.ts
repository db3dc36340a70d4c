import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdsSecret, redact, redactedPagePath, redactedPath, shownCollection } from './redact.ts'

const KEY = 'shf_0123456789abcdefghjkmnpqrstvwxyz01234567'
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJzaGVhZiJ9.c2lnbmF0dXJl-_'

test('the key of create-token never shows, however it is written', () => {
  for (const path of [
    `/create-token/${KEY}`,
    `/create-token/${KEY}/more`,
    '/create-token/anything',
    `//create-token/${KEY}`,
    `/Create-Token/${KEY}`,
    `/create%2Dtoken/${KEY}`,
    `/create-token%2f${KEY}`,
    `/create%252dtoken/${KEY}`,
    `/create-token/%73hf_${KEY.slice(4)}`,
    `/create-token/%${KEY}`,
  ]) {
    const shown = redactedPath(path)
    assert.match(shown, /create-token\/\[redacted\]$/i, path)
    assert.equal(shown.includes(KEY.slice(8)), false)
  }
})

test('a query string never shows', () => {
  assert.equal(redactedPath(`/?jwttoken=${TOKEN}`), '/?[redacted]')
  assert.equal(redactedPath('/apps/demo/collections/c?q={"a":1}?x'), '/apps/demo/collections/c?[redacted]')
})

test('a key or a token elsewhere in a path never shows', () => {
  for (const secret of [KEY, TOKEN, KEY.toUpperCase(), `%${KEY.charCodeAt(0).toString(16)}${KEY.slice(1)}`]) {
    const shown = redactedPath(`/apps/${secret}/collections`)
    assert.equal(shown, '/apps/[redacted]/collections', secret)
  }
  const nested = [1, 2, 3, 4, 5, 6].reduce((text) => text.replaceAll('%', '%25'), '/%73hf_0123456789abcdef')
  assert.equal(redactedPath(nested), '[redacted]')
})

test('what may be a key without a prefix never shows in a path that is none of the API', () => {
  const key = 'Firmware-key_0123456789-abcdef'
  for (const before of ['/', '/create_token/', '/validate_key/', '/token=', '/%61/'])
    assert.equal(redactedPath(`${before}${key}/x`), `${before.replace('%61', 'a')}[redacted]/x`)
  assert.equal(
    redactedPath('/apps/demo/collections/c/01JABCDEFGHJKMNPQRSTVWXYZ0'),
    '/apps/demo/collections/c/01JABCDEFGHJKMNPQRSTVWXYZ0',
  )
})

test('any other path shows as it was sent, shortened', () => {
  for (const path of ['/', '/apps/demo/collections/%C3%A9/x%2Fy', '/apps/demo/collections/a%ff', '/%'])
    assert.equal(redactedPath(path), path)
  assert.equal(redactedPath(`/apps/${'x'.repeat(1000)}`).length, 512)
})

test('a token of an account never shows, in a path or elsewhere, whole or cut', () => {
  const secret = 'shfa_-_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcde'
  assert.equal(redactedPath(`/apps/${secret}/collections`), '/apps/[redacted]/collections')
  assert.equal(redact(`Bearer ${secret}, ${secret.slice(0, 9)}…`), 'Bearer [redacted], [redacted]…')
  assert.ok(holdsSecret(`x${secret}`) && !holdsSecret('shfa_ alone'))
})

test('in any text keys and tokens are taken out, whole or cut', () => {
  assert.equal(redact(`a ${KEY}, b ${TOKEN}; c`), 'a [redacted], b [redacted]; c')
  assert.equal(redact(`${KEY.slice(0, 12)}… ${TOKEN.slice(0, 30)}`), '[redacted]… [redacted]')
  assert.ok(holdsSecret(`x${KEY}`) && holdsSecret(TOKEN) && !holdsSecret('shf_ and eyJ'))
})

test('a key or a token in the place of a collection is no name of one', () => {
  assert.deepEqual([KEY, `x${TOKEN}`, 'notes'].map(shownCollection), ['', '', 'notes'])
})

test('the path of a page shows no secret, and its title', () => {
  for (const secret of [
    'SECRETSECRETSECRETSECRET',
    '0b9f1c1e-7a52-4e1d-9f0a-52d1f7e3c0aa',
    'a-Zk3_9vQpL2m-xT7w_Rb5yN',
  ])
    assert.equal(redactedPagePath(`/reset/${secret}/x`), '/reset/[redacted]/x', secret)
  for (const path of ['/blog/what-is-new-in-the-version-of-2026', '/a_rather_long_name_of_a_page.html'])
    assert.equal(redactedPagePath(path), path)
})
