import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../test/random-cases.ts'
import { createSignInAttempts, createSignInLimits, type SignInAttempt } from './sign-in-limits.ts'

const ADA: SignInAttempt = { address: '203.0.113.9', account: 'ada@example.org', isKnownAddress: false }
const MINUTE_MS = 60_000

function house() {
  const clock = { now: 5_000_000 }
  const attempts = createSignInAttempts()
  return { clock, attempts, limits: createSignInLimits(() => clock.now, attempts) }
}

function addressOf(i: number): string {
  return `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
}

test('the 101st failure in ten minutes from one network is refused, whichever accounts they are for', () => {
  const { clock, limits } = house()
  const attempt = (i: number) => ({ ...ADA, account: `${i}@example.org`, isKnownAddress: i % 2 === 0 })
  for (let i = 0; i < 100; i += 1) {
    assert.equal(limits.begin(attempt(i)), undefined)
    clock.now += 5_000
  }
  // 500 s after the first; those of its minute are forgotten when 660 s have gone by since that began, at 4,980,000.
  assert.equal(limits.begin(attempt(100)), 140)
  assert.equal(limits.begin(attempt(101)), 140)
  assert.equal(limits.begin({ ...ADA, address: '203.0.113.10' }), undefined)
  clock.now += 139_999
  assert.equal(limits.begin(attempt(102)), 1)
  clock.now += 1
  assert.equal(limits.begin(attempt(103)), undefined)
})

test('a network of IPv6 is one of 64 bits', () => {
  const { limits } = house()
  const from = (i: number) => ({ ...ADA, address: `2001:db8:1:2::${i.toString(16)}`, account: `${i}` })
  for (let i = 0; i < 100; i += 1) assert.equal(limits.begin(from(i)), undefined)
  assert.ok(limits.begin(from(100))! > 0)
  assert.equal(limits.begin({ ...from(101), address: '2001:db8:1:3::1' }), undefined)
})

test('behind ten failures for an account the wait grows to a minute, for all networks that are not known', () => {
  const { clock, limits } = house()
  for (let i = 0; i < 10; i += 1) assert.equal(limits.begin({ ...ADA, address: addressOf(i) }), undefined)
  const waits: number[] = []
  for (let i = 10; i < 17; i += 1) {
    const seconds = limits.begin({ ...ADA, address: addressOf(i) })!
    waits.push(seconds)
    clock.now += seconds * 1000
    assert.equal(limits.begin({ ...ADA, address: addressOf(i) }), undefined)
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 60, 60, 60])
  assert.equal(limits.begin({ ...ADA, account: 'bob@example.org' }), undefined)
})

test('wrong codes make a network wait from which somebody signed in, for that account, and no other network', () => {
  const { clock, limits } = house()
  const code = { ...ADA, isKnownAddress: true, isCode: true }
  for (let i = 0; i < 10; i += 1) assert.equal(limits.begin(code), undefined)
  assert.equal(limits.begin(code), 5)
  // The network's bits are those of one IPv4 address; its passwords are not asked to wait.
  for (const other of [{ address: '203.0.113.10' }, { account: 'bob@example.org' }, { isCode: false }])
    assert.equal(limits.begin({ ...code, ...other }), undefined)
  clock.now += 5_000
  assert.equal(limits.begin(code), undefined)
  assert.equal(limits.begin(code), 10)
  limits.takeBack(code)
  assert.equal(limits.begin(code), undefined)
})

test('codes from networks that are not known count with the passwords of their account', () => {
  const { limits } = house()
  for (let i = 0; i < 10; i += 1)
    assert.equal(limits.begin({ ...ADA, address: addressOf(i), isCode: i % 2 === 0 }), undefined)
  assert.equal(limits.begin({ ...ADA, isCode: true }), 5)
  assert.equal(limits.begin(ADA), 5)
})

test('an account that others attack stays open to networks from which somebody signed in to it', () => {
  const { limits } = house()
  for (let i = 0; i < 10_000; i += 1) limits.begin({ ...ADA, address: addressOf(i) })
  const owner = { ...ADA, address: '198.51.100.1', isKnownAddress: true }
  for (let i = 0; i < 100; i += 1) assert.equal(limits.begin(owner), undefined)
  assert.ok(limits.begin(owner)! > 0)
})

test('attempts made at once count before it is known whether they are right', () => {
  const { limits } = house()
  const begun = Array.from({ length: 1000 }, () => limits.begin(ADA))
  assert.equal(begun.filter((seconds) => seconds === undefined).length, 10)
})

test('an attempt that was right is no failure', () => {
  const { limits } = house()
  for (let i = 0; i < 1000; i += 1) {
    assert.equal(limits.begin(ADA), undefined)
    limits.takeBack(ADA)
  }
  for (let i = 0; i < 10; i += 1) assert.equal(limits.begin(ADA), undefined)
  assert.equal(limits.begin(ADA), 5)
  // The tenth was right, and so is the next: the wait was for a failure that was none.
  limits.takeBack(ADA)
  assert.equal(limits.begin(ADA), undefined)
  assert.equal(limits.begin(ADA), 5)
})

test('a refused attempt counts for nothing', () => {
  const { clock, limits } = house()
  for (let i = 0; i < 10_000; i += 1) limits.begin(ADA)
  assert.equal(limits.begin({ ...ADA, account: 'bob@example.org' }), undefined)
  clock.now += 5_000
  assert.equal(limits.begin(ADA), undefined)
})

test('quiet gives failures back, one in a minute', () => {
  const { clock, limits } = house()
  for (let i = 0; i < 10; i += 1) limits.begin({ ...ADA, address: addressOf(i) })
  clock.now += 5_000 + 3 * MINUTE_MS
  for (let i = 0; i < 3; i += 1) assert.equal(limits.begin({ ...ADA, address: addressOf(i) }), undefined)
  assert.ok(limits.begin(ADA)! > 0)
})

test('ten thousand accounts and networks at once take no more memory, and push nobody out of it', () => {
  const { attempts, limits } = house()
  const bytes = attempts.accounts.buffer.byteLength + attempts.networks.buffer.byteLength
  assert.ok(bytes < 5 * 1024 * 1024, String(bytes))
  for (let i = 0; i < 10; i += 1) limits.begin(ADA)
  for (let i = 0; i < 100; i += 1) limits.begin({ ...ADA, account: `${i}` })
  for (let i = 0; i < 60_000; i += 1) limits.begin({ ...ADA, address: addressOf(i), account: `${i}@` })
  assert.equal(limits.begin({ ...ADA, address: '198.51.100.1' })! > 0, true)
  assert.ok(limits.begin({ ...ADA, account: 'carol@example.org' })! > 60)
  // There is no room; who signed in from a network before gets in all the same.
  const refused = Array.from({ length: 1000 }, (_, i) =>
    limits.begin({ ...ADA, address: `192.0.${i >> 8}.${i & 255}`, account: 'dan@example.org' }),
  )
  assert.ok(refused.includes(60))
  for (let i = 0; i < 1000; i += 1)
    assert.equal(
      limits.begin({ ...ADA, address: `192.1.${i >> 8}.${i & 255}`, isKnownAddress: true }),
      undefined,
    )
})

test('threads that share the memory count together', () => {
  const { attempts, clock, limits } = house()
  const other = createSignInLimits(() => clock.now, attempts)
  for (let i = 0; i < 5; i += 1) {
    assert.equal(limits.begin(ADA), undefined)
    assert.equal(other.begin(ADA), undefined)
  }
  assert.equal(other.begin(ADA), 5)
})

test('no ten minutes see more than a hundred attempts of a network, and what is told to wait for is enough', () => {
  const steps = fc.array(fc.record({ pauseMs: fc.nat({ max: 90_000 }), burst: fc.nat({ max: 60 }) }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, (all) => {
      const { clock, limits } = house()
      const made: number[] = []
      for (const { pauseMs, burst } of all) {
        clock.now += pauseMs
        for (let i = 0; i < burst; i += 1) {
          const seconds = limits.begin({ ...ADA, isKnownAddress: true })
          if (seconds === undefined) made.push(clock.now)
          else assert.ok(seconds <= 660)
          assert.ok(made.filter((time) => time > clock.now - 10 * MINUTE_MS).length <= 100)
        }
      }
      const seconds = limits.begin({ ...ADA, isKnownAddress: true }) ?? 0
      clock.now += seconds * 1000
      assert.equal(limits.begin({ ...ADA, isKnownAddress: true }) === undefined || seconds === 0, true)
    }),
    randomCases(0.02),
  )
})
