import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TokenSecret } from '../storage/store.ts'
import { type PagedQuery, signCursor, signedCursor } from './signed-cursor.ts'

const NOW = 1_000
const OLD: TokenSecret = { kid: 'old', secret: Buffer.alloc(32, 1), until: NOW + 1 }
const CURRENT: TokenSecret = { kid: 'current', secret: Buffer.alloc(32, 2), until: null }
const TEXTS = { filter: '{"a":1}', sort: '{"b":1}', projection: undefined, after: undefined }
const QUERY: PagedQuery = {
  app: 'app',
  collection: 'c',
  filter: { kind: 'and', filters: [] },
  sort: [],
  skip: 0,
  limit: 10,
  texts: TEXTS,
}
const CURSOR = Uint8Array.of(3, 97, 0, 255)

const read = (text: string, query = QUERY, secrets = [CURRENT], now = NOW) =>
  signedCursor(text, query, { secrets, now })
const refused = { code: 'invalid_cursor', message: /begin again without it/ }

it('refuses a cursor that was forged, cut off or made longer', () => {
  const text = signCursor(CURSOR, QUERY, [CURRENT])!
  const bytes = Buffer.from(text, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const forged = Buffer.from(bytes)
    forged[at]! ^= 1
    assert.throws(() => read(forged.toString('base64url')), refused)
    assert.throws(() => read(bytes.subarray(0, at).toString('base64url')), refused)
  }
  for (const other of ['', 'x', '!', `${text}AAAA`, `AAAA${text}`, 'A'.repeat(60_000)])
    assert.throws(() => read(other), refused)
})

it('refuses every other spelling of a cursor', () => {
  const text = signCursor(CURSOR, QUERY, [CURRENT])!
  for (const junk of ['\u0000', ' ', 'é', '\n', '=', '.'])
    for (const other of [junk + text, text + junk, `${text.slice(0, 5)}${junk}${text.slice(5)}`])
      assert.throws(() => read(other), refused, JSON.stringify(other))
  // 20 bytes, of whose last character two bits are used for nothing.
  assert.equal(text.length, 27)
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const good = last.indexOf(text.at(-1)!)
  assert.equal(good % 4, 0)
  for (const more of [1, 2, 3]) assert.throws(() => read(text.slice(0, -1) + last[good + more]), refused)
})

it('refuses the cursor of another app, collection, query or order', () => {
  const text = signCursor(CURSOR, QUERY, [CURRENT])!
  for (const other of [{ app: 'b' }, { collection: 'd' }])
    assert.throws(() => read(text, { ...QUERY, ...other }), refused)
  for (const other of [{ filter: '{"a":2}' }, { sort: '{"b":-1}' }])
    assert.throws(() => read(text, { ...QUERY, texts: { ...TEXTS, ...other } }), refused)
  const without = { ...QUERY, texts: { ...TEXTS, filter: undefined, sort: undefined } }
  assert.throws(() => signedCursor(text, without, { secrets: [CURRENT], now: NOW }), refused)
})

it('takes the cursors that earlier versions made', () => {
  assert.deepEqual(read('A2EA_7jfPeStoqhVXDXyVPZmVxc'), CURSOR)
  const query = { ...QUERY, texts: { ...TEXTS, filter: undefined } }
  assert.deepEqual(read('A2EA_wA8bFAPyZ-HmGj4xDFaEKE', query), CURSOR)
})

it('takes a cursor that was signed with a secret that still verifies, and none of one that has ended', () => {
  const text = signCursor(CURSOR, QUERY, [{ ...OLD, until: null }])!
  assert.deepEqual(read(text, QUERY, [CURRENT, OLD]), CURSOR)
  assert.throws(() => read(text, QUERY, [CURRENT, OLD], NOW + 1), refused)
  assert.throws(() => read(text, QUERY, [CURRENT]), refused)
})

it('signs with the secret in use, and makes no cursor without one', () => {
  assert.equal(signCursor(CURSOR, QUERY, []), undefined)
  assert.equal(signCursor(CURSOR, QUERY, [OLD]), undefined)
  assert.deepEqual(read(signCursor(CURSOR, QUERY, [CURRENT, OLD])!), CURSOR)
})
