import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createClientOf } from './client-address.ts'

interface Arriving {
  readonly peer: string | undefined
  readonly xff?: string
  readonly forwarded?: string
}

/** The address that is made of a request, where the proxies in 10.0.0.0/8 and fd00::/8 are trusted. */
function addressOf({ peer, xff, forwarded }: Arriving, trustProxy = ['10.0.0.0/8', 'fd00::/8']): string {
  const headers = {
    ...(xff !== undefined && { 'x-forwarded-for': xff }),
    ...(forwarded !== undefined && { forwarded }),
  }
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage
  return createClientOf(trustProxy)(request).address
}

const PROXY = '10.0.0.1'
const CLIENT = '203.0.113.9'

test('what a peer that is not trusted says about others is not believed', () => {
  for (const peer of [CLIENT, `::ffff:${CLIENT}`]) {
    assert.equal(addressOf({ peer, xff: '127.0.0.1' }), CLIENT)
    assert.equal(addressOf({ peer, forwarded: 'for=127.0.0.1' }), CLIENT)
    assert.equal(addressOf({ peer, xff: '10.0.0.7', forwarded: 'for=10.0.0.8' }), CLIENT)
  }
  assert.equal(addressOf({ peer: '127.0.0.1', xff: CLIENT }, []), '127.0.0.1')
  assert.equal(addressOf({ peer: '2001:db8::1', xff: CLIENT }), '2001:db8::1')
})

test('what a client wrote before the proxy appended its address is not believed', () => {
  for (const forged of [
    '127.0.0.1',
    '10.0.0.9',
    'unknown',
    '',
    ',,,',
    '"',
    '127.0.0.1:80',
    'x'.repeat(30_000),
  ]) {
    assert.equal(addressOf({ peer: PROXY, xff: `${forged}, ${CLIENT}` }), CLIENT)
    assert.equal(addressOf({ peer: PROXY, forwarded: `for="${forged}, for=${CLIENT}` }), CLIENT)
    assert.equal(addressOf({ peer: PROXY, forwarded: `${forged}, for=${CLIENT}` }), CLIENT)
  }
})

test('the walk goes over trusted proxies to the first other one', () => {
  assert.equal(addressOf({ peer: PROXY, xff: CLIENT }), CLIENT)
  assert.equal(addressOf({ peer: PROXY, xff: `127.0.0.1, ${CLIENT}, 10.2.2.2,fd00::5 ,  10.3.3.3` }), CLIENT)
  assert.equal(addressOf({ peer: '::ffff:10.0.0.1', xff: `${CLIENT}, ::ffff:10.2.2.2` }), CLIENT)
  assert.equal(addressOf({ peer: 'fd00::1', xff: '2001:DB8:0:0::1' }), '2001:db8::1')
})

test('where all are trusted the farthest is the client', () => {
  assert.equal(addressOf({ peer: PROXY }), PROXY)
  assert.equal(addressOf({ peer: PROXY, xff: '10.9.9.9, 10.2.2.2' }), '10.9.9.9')
})

test('the walk stops where there is no address', () => {
  for (const wrong of [
    'unknown',
    '_hidden',
    '',
    '010.0.0.1',
    '0x7f.1',
    '1.2.3',
    'fd00::g',
    '[10.0.0.2]',
    '10.0.0.2:x',
    '10.0.0.2:1:1',
  ]) {
    assert.equal(addressOf({ peer: PROXY, xff: `${CLIENT}, ${wrong}` }), PROXY, wrong)
    assert.equal(addressOf({ peer: PROXY, xff: `${CLIENT}, ${wrong}, 10.2.2.2` }), '10.2.2.2', wrong)
  }
})

test('ports and brackets are left away', () => {
  for (const node of [`${CLIENT}:4711`, CLIENT]) assert.equal(addressOf({ peer: PROXY, xff: node }), CLIENT)
  for (const node of ['[2001:db8::1]:4711', '[2001:db8::1]', '2001:db8::1'])
    assert.equal(addressOf({ peer: PROXY, xff: node }), '2001:db8::1')
})

test('the header Forwarded is read as RFC 7239 writes it', () => {
  // The examples of its section 4.
  assert.equal(addressOf({ peer: PROXY, forwarded: 'For="[2001:db8:cafe::17]:4711"' }), '2001:db8:cafe::17')
  const full = 'for=192.0.2.60;proto=http;by=203.0.113.43'
  assert.equal(addressOf({ peer: PROXY, forwarded: full }), '192.0.2.60')
  assert.equal(addressOf({ peer: PROXY, forwarded: 'for=192.0.2.43, for=198.51.100.17' }), '198.51.100.17')
  assert.equal(addressOf({ peer: PROXY, forwarded: 'for="_gazonk"' }), PROXY)
  assert.equal(
    addressOf({ peer: PROXY, forwarded: `by=10.0.0.2; FOR="${CLIENT}:80" ;host=a.example` }),
    CLIENT,
  )
  assert.equal(addressOf({ peer: PROXY, forwarded: `for=${CLIENT}, for="10.2.2.2:90"` }), CLIENT)
})

test('an element with two clients or none stops the walk', () => {
  for (const wrong of [
    `for=${CLIENT};for=127.0.0.1`,
    'by=10.0.0.2',
    'for',
    'for=',
    'for="',
    'for="1.2.3.4',
    '=1.2.3.4',
    'for = 1.2.3.4',
  ])
    assert.equal(addressOf({ peer: PROXY, forwarded: `for=198.51.100.1, ${wrong}` }), PROXY, wrong)
})

test('two headers that agree are believed, and two that do not say nothing', () => {
  assert.equal(addressOf({ peer: PROXY, xff: CLIENT, forwarded: `for=${CLIENT}` }), CLIENT)
  assert.equal(addressOf({ peer: PROXY, xff: CLIENT, forwarded: 'for=10.1.1.1' }), '')
  assert.equal(addressOf({ peer: PROXY, xff: '10.1.1.1', forwarded: `for=${CLIENT}` }), '')
})

test('an endless list of trusted addresses is not followed to its end', () => {
  const xff = `${CLIENT}${', 10.0.0.2'.repeat(3000)}`
  assert.equal(addressOf({ peer: PROXY, xff }), '10.0.0.2')
})

test('a connection that is gone has no address', () => {
  assert.equal(addressOf({ peer: undefined, xff: CLIENT }), '')
})

test('a zone is no part of an address', () => {
  assert.equal(addressOf({ peer: 'fe80::1%eth0' }), 'fe80::1')
})

test('the page that asks is told by its headers as they came', () => {
  const headers = { origin: 'https://a.example', referer: 'https://a.example/x' }
  const request = { socket: {}, headers } as unknown as IncomingMessage
  const { origin, referer } = createClientOf([])(request)
  assert.deepEqual({ origin, referer }, headers)
})
