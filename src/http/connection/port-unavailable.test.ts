import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portUnavailable } from './port-unavailable.ts'

function messageOf(code: string, address?: string): string {
  return portUnavailable(Object.assign(new Error('listen'), { code, address }), 8443).message
}

test('a machine without IPv6 is named, whichever way the system says so', () => {
  assert.equal(
    messageOf('EAFNOSUPPORT', '::'),
    "can't listen on port 8443: this machine has no IPv6; choose an IPv4 address with --host, such as 0.0.0.0",
  )
  assert.equal(
    messageOf('EADDRNOTAVAIL', '::1'),
    "can't listen on port 8443: this machine has no such address, or no IPv6 at all; choose another with --host",
  )
  assert.equal(
    messageOf('EADDRNOTAVAIL', '192.0.2.1'),
    "can't listen on port 8443: this machine has no such address; choose another with --host",
  )
})

test('too many open files are named', () => {
  assert.equal(
    messageOf('EMFILE'),
    "can't listen on port 8443: too many open files (EMFILE); raise ulimit -n, or LimitNOFILE in a unit of systemd",
  )
})
