import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isPublicAddress } from './public-address.ts'

it('an address is public where the whole internet reaches it', () => {
  for (const address of [
    '1.1.1.1',
    '100.63.255.255',
    '172.32.0.1',
    '223.255.255.255',
    '2606:4700::1',
    '2a00::',
  ])
    assert.equal(isPublicAddress(address), true, address)
  for (const address of [
    ...['', 'localhost', '1.1.1', '0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.0.1'],
    ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '192.0.2.1', '224.0.0.1'],
    ...['255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:1.1.1.1', '64:ff9b::7f00:1', 'fe80::1'],
    ...['fc00::1', 'fd12:3456::1', 'ff02::1', '2001:db8::1', '2001:0:1::1', '2002:7f00:1::', 'fe80::1%lo'],
  ])
    assert.equal(isPublicAddress(address), false, address)
})
