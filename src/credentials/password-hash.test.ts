import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../test/random-cases.ts'
import { formatPasswordHash, parsePasswordHash } from './password-hash.ts'

const SALT = 'c29tZXNhbHQ'
const TAG = 'CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
/** The reference implementation's test of Argon2id: 2 passes, 64 MiB, 1 lane, "password", "somesalt". */
const GOOD = `$argon2id$v=19$m=65536,t=2,p=1$${SALT}$${TAG}`

test('texts in another spelling are no password hash', () => {
  const others = [
    '',
    'password',
    GOOD.replace('argon2id', 'argon2i'),
    GOOD.replace('v=19', 'v=16'),
    GOOD.replace('$v=19', ''),
    GOOD.replace('m=65536,t=2', 't=2,m=65536'),
    GOOD.replace('m=65536', 'm=065536'),
    GOOD.replace('t=2', 't=+2'),
    GOOD.replace('t=2', 't=2.0'),
    GOOD.replace('p=1', 'p=1,keyid=x'),
    `${GOOD}=`,
    `${GOOD}\n`,
    ` ${GOOD}`,
    `${GOOD}$`,
    // The last character has bits that stand for nothing.
    GOOD.replace(/c$/, 'd'),
    GOOD.replaceAll('+', '-'),
    'x'.repeat(10_000_000),
  ]
  for (const text of others.filter((text) => text !== GOOD))
    assert.equal(parsePasswordHash(text), undefined, text.slice(0, 100))
})

test('a hash that asks for more than a machine should give is none', () => {
  for (const [from, to] of [
    ['m=65536', 'm=65537'],
    ['m=65536', 'm=9999999'],
    ['m=65536', 'm=99999999999999999999'],
    ['m=65536', 'm=0'],
    ['m=65536', 'm=7'],
    ['t=2', 't=11'],
    ['t=2', 't=0'],
    ['t=2', 't=4294967295'],
    ['p=1', 'p=5'],
    ['p=1', 'p=0'],
    [SALT, 'c29tZXNhbA'],
    [SALT, 'A'.repeat(88)],
    [TAG, 'AAAAAAAAAAAAAAAAAAAA'],
    [TAG, 'A'.repeat(88)],
  ] as const)
    assert.equal(parsePasswordHash(GOOD.replace(from, to)), undefined, to)
  assert.equal(parsePasswordHash(GOOD.replace('m=65536', 'm=31').replace('p=1', 'p=4')), undefined)
})

test('a hash of another library is read', () => {
  const hash = parsePasswordHash(GOOD)!
  assert.deepEqual([hash.memoryKiB, hash.passes, hash.lanes], [65_536, 2, 1])
  assert.equal(hash.salt.toString(), 'somesalt')
  assert.equal(hash.tag.toString('hex'), '09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7')
})

test('what is written is read back', () => {
  const bytes = (minLength: number) =>
    fc.uint8Array({ minLength, maxLength: 64 }).map((array) => Buffer.from(array))
  const hashes = fc.record({
    memoryKiB: fc.integer({ min: 32, max: 65_536 }),
    passes: fc.integer({ min: 1, max: 10 }),
    lanes: fc.integer({ min: 1, max: 4 }),
    salt: bytes(8),
    tag: bytes(16),
  })
  fc.assert(
    fc.property(hashes, (hash) => assert.deepEqual(parsePasswordHash(formatPasswordHash(hash)), { ...hash })),
    randomCases(),
  )
})
