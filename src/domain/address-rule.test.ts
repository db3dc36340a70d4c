import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addressMatches, parseNetwork } from './network.ts'

describe('an address rule', () => {
  const inside = (address: string, ...networks: string[]): boolean =>
    addressMatches(
      address,
      networks.map((text) => parseNetwork(text)!),
    )

  it('takes mapped IPv4 for IPv4, on both sides', () => {
    assert.ok(inside('192.0.2.7', '192.0.2.0/24'))
    assert.ok(inside('::ffff:192.0.2.7', '192.0.2.0/24'))
    assert.ok(inside('::ffff:c000:207', '192.0.2.7'))
    assert.ok(inside('192.0.2.7', '::ffff:192.0.2.0/120'))
    assert.ok(!inside('::ffff:192.0.3.7', '192.0.2.0/24'))
    assert.ok(!inside('192.0.2.7', '::/0'))
    assert.ok(!inside('2001:db8::1', '0.0.0.0/0'))
  })

  it('counts bits, not characters', () => {
    assert.ok(inside('10.0.0.127', '10.0.0.0/25'))
    assert.ok(!inside('10.0.0.128', '10.0.0.0/25'))
    assert.ok(inside('10.0.0.129', '10.0.0.77/0'))
    assert.ok(inside('2001:db8:8000::1', '2001:db8:8000::/33'))
    assert.ok(!inside('2001:db8:7fff::1', '2001:db8:8000::/33'))
    assert.ok(inside('2001:0DB8::0001', '2001:db8::1'))
    assert.ok(inside('fe80::1%eth0', 'fe80::/10'))
    assert.ok(!inside('110.0.0.1', '10.0.0.0/8'))
  })

  it('lets nobody in where there is no network, and nothing that is no address', () => {
    assert.ok(!inside('10.0.0.1'))
    for (const address of [
      '',
      'localhost',
      '10.0.0',
      '10.1',
      '0x0a000001',
      '012.0.0.1',
      '10.0.0.1 ',
      '10.0.0.256',
    ])
      assert.ok(!inside(address, '0.0.0.0/0', '::/0'), address)
  })

  it('agrees with arithmetic on every prefix of IPv4', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
    const number = (parts: number[]): bigint => parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)
    fc.assert(
      fc.property(octets, octets, fc.nat(32), (one, other, bits) => {
        const isSame = number(one) >> BigInt(32 - bits) === number(other) >> BigInt(32 - bits)
        assert.equal(inside(one.join('.'), `${other.join('.')}/${bits}`), isSame)
      }),
    )
  })
})
