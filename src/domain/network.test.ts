import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInside, parseAddress, parseNetwork } from './network.ts'

function inside(address: string, ...networks: string[]): boolean {
  return isInside(
    parseAddress(address)!,
    networks.map((text) => parseNetwork(text)!),
  )
}

test('what is no address is refused, numbers that C libraries take for one included', () => {
  const numbers = [
    '1',
    '1.2',
    '1.2.3',
    '0x7f.0.0.1',
    '010.0.0.1',
    '2130706433',
    '256.0.0.1',
    '1.2.3.4.5',
    '-1.2.3.4',
  ]
  const others = [
    '',
    ' ',
    ' 1.2.3.4',
    '1.2.3.4 ',
    '1.2.3.4/8',
    '1.2.3.4:80',
    '[::1]',
    ':',
    ':::',
    '::1::',
    'g::',
    'unknown',
  ]
  for (const text of [...numbers, ...others, ':'.repeat(100_000)])
    assert.equal(parseAddress(text), undefined, text)
})

test('what is no network is refused', () => {
  const texts = [
    '',
    '/',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/ 8',
    '10.0.0.0/+8',
  ]
  for (const text of [...texts, '::/129', '::ffff:0:0/95', 'fe80::1%eth0/64', 'a/8', '10.0.0.0/8.0'])
    assert.equal(parseNetwork(text), undefined, text)
})

test('an address is written in one way, whichever way it came', () => {
  assert.equal(parseAddress('::ffff:1.2.3.4')?.toString(), '1.2.3.4')
  assert.equal(parseAddress('::ffff:102:304')?.toString(), '1.2.3.4')
  assert.equal(parseAddress('2001:0DB8:0:0:0:0:0:1')?.toString(), '2001:db8::1')
  assert.equal(parseAddress('fe80::1%eth0')?.toString(), 'fe80::1')
})

test('a network holds the addresses that begin with its bits', () => {
  assert.equal(inside('10.255.255.255', '10.0.0.0/8'), true)
  assert.equal(inside('11.0.0.0', '10.0.0.0/8'), false)
  assert.equal(inside('10.1.2.3', '10.9.9.9/8'), true)
  assert.equal(inside('192.0.2.129', '192.0.2.128/25'), true)
  assert.equal(inside('192.0.2.127', '192.0.2.128/25'), false)
  assert.equal(inside('2001:db8:ffff::', '2001:db8::/32'), true)
  assert.equal(inside('2001:db9::', '2001:db8::/32'), false)
  assert.equal(inside('192.0.2.1', '192.0.2.1'), true)
  assert.equal(inside('192.0.2.2', '192.0.2.1'), false)
  assert.equal(inside('::1', '::1', '10.0.0.0/8'), true)
  assert.equal(inside('10.0.0.1'), false)
})

test('mapped IPv4 is IPv4, in addresses and in networks, and otherwise the kinds are apart', () => {
  assert.equal(inside('::ffff:10.1.1.1', '10.0.0.0/8'), true)
  assert.equal(inside('10.1.1.1', '::ffff:10.0.0.0/104'), true)
  assert.equal(inside('11.1.1.1', '::ffff:10.0.0.0/104'), false)
  assert.equal(inside('10.1.1.1', '::ffff:10.1.1.1'), true)
  assert.equal(inside('10.1.1.1', '::/0'), false)
  assert.equal(inside('::1', '0.0.0.0/0'), false)
})

test('an IPv4 address behind two colons alone is not that address, and a neighbour can not take it on', () => {
  assert.equal(parseAddress('::10.1.1.1')?.toString(), '::a01:101')
  assert.equal(inside('::10.1.1.1', '10.0.0.0/8', '10.1.1.1'), false)
  assert.equal(inside('10.1.1.1', '::10.0.0.0/104', '::10.1.1.1'), false)
  assert.equal(inside('::10.1.1.1', '::10.0.0.0/104'), true)
  assert.equal(parseAddress('::10.1.1.256'), undefined)
})
