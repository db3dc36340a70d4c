import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailureLimiter, createFailures, type FailureLimiter } from './failure-limiter.ts'

const ADDRESS = '203.0.113.9'

function limiter(): { clock: { now: number }; failures: FailureLimiter } {
  const clock = { now: 5_000_000 }
  return { clock, failures: createFailureLimiter(() => clock.now) }
}

function failTimes(failures: FailureLimiter, times: number, address = ADDRESS): (number | undefined)[] {
  return Array.from({ length: times }, () => failures.fail(address))
}

const FREE: readonly undefined[] = Array.from({ length: 10 }, () => undefined)

test('ten failures are free, and the eleventh has to wait', () => {
  const { failures } = limiter()
  assert.deepEqual(failTimes(failures, 11), [...FREE, 1])
})

test('each failure after a wait doubles it, up to fifteen minutes', () => {
  const { clock, failures } = limiter()
  failTimes(failures, 10)
  const waits: number[] = []
  for (let i = 0; i < 13; i += 1) {
    const seconds = failures.fail(ADDRESS)!
    waits.push(seconds)
    clock.now += seconds * 1000
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
})

test('failures during a wait neither shorten nor lengthen it', () => {
  const { clock, failures } = limiter()
  failTimes(failures, 11)
  clock.now += 1000
  assert.equal(failures.fail(ADDRESS), 2)
  clock.now += 500
  assert.deepEqual(failTimes(failures, 1000), Array(1000).fill(2))
  clock.now += 1000
  assert.equal(failures.fail(ADDRESS), 1)
  clock.now += 500
  assert.equal(failures.fail(ADDRESS), 4)
})

test('one failure in six seconds goes on for ever without a wait', () => {
  const { clock, failures } = limiter()
  for (let i = 0; i < 1000; i += 1) {
    assert.equal(failures.fail(ADDRESS), undefined)
    clock.now += 6000
  }
})

test('quiet gives the failures back, and halves the wait each minute', () => {
  const { clock, failures } = limiter()
  failTimes(failures, 10)
  // 1 + 2 + 4 + 8 seconds.
  for (const seconds of [1, 2, 4, 8]) {
    assert.equal(failures.fail(ADDRESS), seconds)
    clock.now += seconds * 1000
  }
  clock.now += 60_000
  assert.deepEqual(failTimes(failures, 11), [...FREE, 8])
  clock.now += 8000 + 20 * 60_000
  assert.deepEqual(failTimes(failures, 11), [...FREE, 1])
})

test('addresses are counted apart, an IPv6 network of 64 bits and a mapped IPv4 address as one', () => {
  const { failures } = limiter()
  failTimes(failures, 11)
  assert.equal(failures.fail('203.0.113.10'), undefined)
  assert.equal(failures.fail(`::ffff:${ADDRESS}`), 1)
  failTimes(failures, 11, '2001:db8:1:2::1')
  assert.equal(failures.fail('2001:db8:1:2:ffff:ffff:ffff:ffff'), 1)
  assert.equal(failures.fail('2001:0db8:0001:0002::'), 1)
  assert.equal(failures.fail('2001:db8:1:3::1'), undefined)
})

test('clients whose address is not known count together', () => {
  const { failures } = limiter()
  failTimes(failures, 5, '')
  assert.deepEqual(failTimes(failures, 6, 'unknown'), [...FREE.slice(0, 5), 1])
})

test('ten thousand networks are remembered at once', () => {
  const { clock, failures } = limiter()
  for (let i = 0; i < 10_000; i += 1) failTimes(failures, 10, addressOf(i))
  for (let i = 0; i < 10_000; i += 1) assert.equal(failures.fail(addressOf(i)), 1, addressOf(i))
  clock.now += 1000
  assert.equal(failures.fail(addressOf(0)), 2)
})

test('whoever there is no room for is told to wait, until others have been quiet', () => {
  const { clock, failures } = limiter()
  const refused: string[] = []
  for (let i = 0; refused.length === 0; i += 1)
    if (failures.fail(addressOf(i)) !== undefined) refused.push(addressOf(i))
  assert.deepEqual(failTimes(failures, 2, refused[0]), [1, 1])
  assert.equal(failures.fail(addressOf(0)), undefined)
  clock.now += 6000
  assert.equal(failures.fail(refused[0]!), undefined)
})

test('threads that share the memory count together', () => {
  const clock = { now: 5_000_000 }
  const memory = createFailures()
  const [one, other] = [
    createFailureLimiter(() => clock.now, memory),
    createFailureLimiter(() => clock.now, memory),
  ]
  assert.deepEqual(failTimes(one, 5), FREE.slice(0, 5))
  assert.deepEqual(failTimes(other, 6), [...FREE.slice(0, 5), 1])
  clock.now += 1000
  assert.equal(one.fail(ADDRESS), 2)
})

function addressOf(i: number): string {
  return `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
}
