import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHALLENGE_MS, createChallenges } from './challenges.ts'

const SIGN_IN = { purpose: 'sign-in' } as const
const CONFIRM = { purpose: 'confirm', account: 'ada' } as const
const HERE = '192.0.2.7'

describe('a challenge', () => {
  it('is good once, for five minutes', () => {
    let time = 0
    const { create, take } = createChallenges(() => time)
    const [first, late] = [create(SIGN_IN, HERE), create(SIGN_IN, HERE)]
    assert.match(first, /^[\w-]{43}$/)
    time = CHALLENGE_MS - 1
    assert.deepEqual([take(first, SIGN_IN), take(first, SIGN_IN)], [true, false])
    time = CHALLENGE_MS
    assert.equal(take(late, SIGN_IN), false)
  })

  it('is good for what it was made for, and for whom; a wrong answer uses it up', () => {
    const { create, take } = createChallenges(() => 0)
    const others = [SIGN_IN, { ...CONFIRM, account: 'eve' }, { ...CONFIRM, purpose: 'create' }] as const
    for (const other of others) {
      const challenge = create(CONFIRM, HERE)
      assert.deepEqual([take(challenge, other), take(challenge, CONFIRM)], [false, false])
    }
    assert.equal(take(create(CONFIRM, HERE), CONFIRM), true)
    for (const none of ['', '__proto__', 'x'.repeat(43)]) assert.equal(take(none, SIGN_IN), false)
  })

  it('makes room for the next where a network has a hundred, and leaves those of others', () => {
    const { create, take } = createChallenges(() => 0)
    const other = create(SIGN_IN, '198.51.100.1')
    const mine = Array.from({ length: 101 }, () => create(SIGN_IN, HERE))
    assert.deepEqual(
      mine.map((each) => take(each, SIGN_IN)),
      mine.map((_, index) => index > 0),
    )
    assert.equal(take(other, SIGN_IN), true)
  })

  it('makes room where a network has most, be it 56 bits of IPv6, and none of accounts for guests', () => {
    const { create, take } = createChallenges(() => 0)
    const [one, signedIn] = [create(SIGN_IN, HERE), create(CONFIRM, HERE)]
    // Each is of 64 other bits.
    const addressOf = (network: number, i: number) => `2001:db8:0:${((network << 8) + i).toString(16)}::1`
    const first = create(SIGN_IN, addressOf(0, 0))
    for (let i = 0; i < 100; i++)
      for (let network = 0; network < 200; network++) create(SIGN_IN, addressOf(network, i))
    assert.deepEqual([take(one, SIGN_IN), take(signedIn, CONFIRM), take(first, SIGN_IN)], [true, true, false])
  })

  it('takes no more memory behind ten thousand, of however many networks', () => {
    let time = 0
    const { create, take } = createChallenges(() => time)
    const made = Array.from({ length: 10_001 }, (_, i) => create(SIGN_IN, `10.0.${i >> 8}.${i & 255}`))
    assert.deepEqual([take(made[0]!, SIGN_IN), take(made[1]!, SIGN_IN)], [false, true])
    time = CHALLENGE_MS
    create(SIGN_IN, HERE)
    time = 0
    assert.equal(take(made[2]!, SIGN_IN), false)
  })
})
