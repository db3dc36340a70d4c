import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPasswords, needsRehash } from './password.ts'

const PASSWORD = 'correct horse battery staple'
/** The reference implementation's test of Argon2id for the password "password". */
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
const passwords = createPasswords({ cores: 2 })

test('another password, no account, and a kept text that is none are refused', async () => {
  const kept = await passwords.hash(PASSWORD)
  assert.equal(await passwords.verify('Correct horse battery staple', kept), false)
  assert.equal(await passwords.verify('', kept), false)
  assert.equal(await passwords.verify(PASSWORD, undefined), false)
  assert.equal(await passwords.verify(PASSWORD, ''), false)
  assert.equal(await passwords.verify(PASSWORD, kept.replace('t=2', 't=99')), false)
  assert.equal(await passwords.verify(PASSWORD, kept.replace('t=2', 't=3')), false)
})

test('what can not be a password is refused without a hash', async () => {
  const kept = await passwords.hash(PASSWORD)
  const atOnce = createPasswords({ cores: 1 })
  // More than can wait to be hashed: none of them is.
  const texts = ['x'.repeat(1_000_000), 'é'.repeat(513), '\ud800'.repeat(12)]
  const asked = Array.from({ length: 300 }, (_, i) => atOnce.verify(texts[i % 3]!, kept))
  assert.ok((await Promise.all(asked)).every((isRight) => !isRight))
})

test('beyond those that may wait a password is refused as overloaded', async () => {
  const { verify } = createPasswords({ cores: 1 })
  const cheap = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(22)}`
  const asked = Array.from({ length: 66 }, () => verify(PASSWORD, cheap))
  const outcomes = await Promise.allSettled(asked)
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 1)
  assert.equal((refused[0] as PromiseRejectedResult).reason.code, 'overloaded')
})

test('the right password is taken, and is kept as another text each time', async () => {
  const [one, other] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
  assert.match(one!, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, other)
  assert.equal(await passwords.verify(PASSWORD, one), true)
  assert.equal(await passwords.verify(PASSWORD, other), true)
})

test('the tag is that of the reference implementation', async () => {
  assert.equal(await passwords.verify('password', REFERENCE), true)
  assert.equal(await passwords.verify('Password', REFERENCE), false)
})

test('one password is the same from every keyboard, and no two are made one', async () => {
  const kept = await passwords.hash('caf\u00e9 \u2126 ﬁancé 12')
  assert.equal(await passwords.verify('cafe\u0301\u00a0\u03a9\u3000ﬁance\u0301 12', kept), true)
  assert.equal(await passwords.verify('caf\u00e9 \u2126 fiancé 12', kept), false)
  assert.equal(await passwords.verify(' caf\u00e9 \u2126 ﬁancé 12', kept), false)
})

test('a hash is to be made anew where its cost or its lengths are not those of today', async () => {
  const kept = await passwords.hash(PASSWORD)
  assert.equal(needsRehash(kept), false)
  for (const other of [
    '',
    REFERENCE,
    kept.replace('m=19456', 'm=19455'),
    kept.replace('t=2', 't=1'),
    kept.replace('p=1', 'p=2'),
    kept.replace(/[^$]+$/, 'A'.repeat(22)),
  ])
    assert.equal(needsRehash(other), true, other)
})
