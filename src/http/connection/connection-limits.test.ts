import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedCount } from '../../shared-memory/count.ts'
import { MemoryBudget, unboundedMemory } from '../../shared-memory/memory-budget.ts'
import {
  type ConnectionCounts,
  ConnectionLimits,
  createConnectionCounts,
  sharedAddresses,
} from './connection-limits.ts'

function newCounts(): ConnectionCounts {
  const memory = new MemoryBudget(unboundedMemory())
  return { open: new SharedCount(), byNetwork: createConnectionCounts(5), memory }
}

function limits(
  options: Partial<ConstructorParameters<typeof ConnectionLimits>[0]> = {},
  counts = newCounts(),
): ConnectionLimits {
  return new ConnectionLimits(
    { openConnections: 5, addressConnections: 2, isShared: () => false, warn: () => {}, ...options },
    counts,
  )
}

test('one address gets no more than its share, and its place again when a connection closes', () => {
  const connections = limits()
  const leave = connections.enter('192.0.2.1')
  assert.ok(leave)
  assert.ok(connections.enter('192.0.2.1'))
  assert.equal(connections.enter('192.0.2.1'), undefined)
  assert.equal(connections.enter('::ffff:192.0.2.1'), undefined)
  assert.ok(connections.enter('192.0.2.2'))
  leave()
  assert.ok(connections.enter('192.0.2.1'))
})

test('a machine can not choose another address of its IPv6 network to get more', () => {
  const connections = limits()
  assert.ok(connections.enter('2001:db8::1'))
  assert.ok(connections.enter('2001:db8::2'))
  assert.equal(connections.enter('2001:db8:0:0:ffff::3'), undefined)
  assert.ok(connections.enter('2001:db8:0:1::1'))
})

test('all addresses together get no more than there is, shared ones too', () => {
  const connections = limits({ isShared: () => true })
  for (let i = 0; i < 5; i++) assert.ok(connections.enter('192.0.2.1'))
  assert.equal(connections.enter('192.0.2.1'), undefined)
  assert.equal(connections.enter('192.0.2.9'), undefined)
})

test('threads count together', () => {
  const counts = newCounts()
  const one = limits({}, counts)
  const other = limits({}, counts)
  const leave = one.enter('192.0.2.1')
  assert.ok(leave)
  assert.ok(other.enter('192.0.2.1'))
  for (const each of [one, other]) assert.equal(each.enter('192.0.2.1'), undefined)
  assert.ok(one.enter('192.0.2.2'))
  assert.ok(other.enter('192.0.2.3'))
  assert.ok(one.enter('192.0.2.4'))
  assert.equal(other.enter('192.0.2.5'), undefined)
  leave()
  assert.ok(other.enter('192.0.2.1'))
})

test('trusted proxies and this machine are shared', () => {
  const isShared = sharedAddresses(['10.0.0.0/8'])
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '10.1.2.3'])
    assert.equal(isShared(address), true, address)
  for (const address of ['192.0.2.1', '11.0.0.1', '::2', '', 'x'])
    assert.equal(isShared(address), false, address)
})
