import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { headerFault } from './header-fault.ts'

/** A good request with these headers behind its own. */
function faultOf(...more: readonly (readonly [string, string])[]): string | undefined {
  const request = {
    httpVersion: '1.1',
    url: '/',
    rawHeaders: more.flat(),
    headers: { host: 'x' },
  }
  return headerFault(request as unknown as IncomingMessage)?.message
}

const ONCE = ['Host', 'Origin', 'Referer', 'Content-Type', 'Authorization', 'Content-Encoding']

test('each header that may stand only once is refused twice, in any letter case', () => {
  for (const name of ONCE)
    assert.equal(
      faultOf([name, 'a'], ['Accept', 'b'], [name.toUpperCase(), 'a']),
      `the header ${name.toLowerCase()} may stand in a request only once`,
    )
})

test('all of them may stand together, and others of their length any number of times', () => {
  assert.equal(faultOf(...ONCE.map((name) => [name, 'a'] as const)), undefined)
  for (const { length } of ONCE) {
    const other = `x${'-'.repeat(length - 1)}`
    assert.equal(faultOf([other, 'a'], [other, 'b']), undefined)
  }
})
