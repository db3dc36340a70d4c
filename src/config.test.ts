import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { configFrom, limitVariable } from './config.ts'
import { DEFAULT_LIMITS } from './domain/limits.ts'

function refused(env: Record<string, string>, args: Parameters<typeof configFrom>[1], message: RegExp): void {
  assert.throws(() => configFrom(env, args), { code: 'invalid_configuration', message })
}

test('a port that is no port is refused', () => {
  for (const port of ['', 'abc', '-1', '65536', '1e3', '0x50', '80.5', ' 80', '99999999999'])
    refused({}, { port }, /port/)
  refused({ SHEAF_PORT: '70000' }, {}, /from 0 to 65535, not "70000"/)
})

test('a host that is a URL or has spaces is refused', () => {
  for (const host of ['https://localhost', 'local host', '[]', 'a/b']) refused({}, { host }, /not a host/)
})

test('half of a certificate is refused', () => {
  refused({}, { tlsCert: 'c.pem' }, /belong together/)
  refused({ SHEAF_TLS_KEY: 'k.pem' }, {}, /belong together/)
})

test('a limit that is not a number, out of its range or misspelt is refused', () => {
  refused({ SHEAF_LIMIT_DOCUMENT_BYTES: 'lots' }, {}, /SHEAF_LIMIT_DOCUMENT_BYTES must be a whole number/)
  refused({ SHEAF_LIMIT_NESTING_LEVELS: '5000' }, {}, /from 1 to 500/)
  refused({ SHEAF_LIMIT_DOCUMENT_SIZE: '5' }, {}, /SHEAF_LIMIT_DOCUMENT_SIZE is no limit; there are/)
})

test('a service name that can be no header is refused', () => {
  refused({}, { serviceName: ['My Service'] }, /can't be a service name/)
  refused({ SHEAF_SERVICE_NAMES: 'ok,bad:name' }, {}, /"bad:name"/)
})

test('without settings the documented defaults hold', () => {
  const config = configFrom({})
  assert.equal(config.dataDir, resolve('data'))
  assert.equal(config.port, 8443)
  assert.equal(config.host, 'localhost')
  assert.deepEqual(config.serviceNames, ['Service'])
  assert.deepEqual(config.limits, DEFAULT_LIMITS)
  assert.equal(config.tlsCert, undefined)
  assert.ok(config.readerThreads >= 2 && config.readerThreads <= 8)
})

test('the configuration is frozen, its lists too', () => {
  const config = configFrom({})
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.limits) && Object.isFrozen(config.serviceNames))
})

test('an option wins over its variable, and an empty variable counts as not set', () => {
  assert.equal(configFrom({ SHEAF_PORT: '1' }, { port: '2' }).port, 2)
  assert.equal(configFrom({ SHEAF_PORT: '1' }).port, 1)
  assert.equal(configFrom({ SHEAF_PORT: '' }).port, 8443)
  assert.equal(configFrom({ SHEAF_DATA: '/a' }, { data: '/b' }).dataDir, '/b')
  assert.equal(configFrom({ SHEAF_HOST: '[::1]' }).host, '::1')
})

test('Service is always the first service name and no name comes twice', () => {
  assert.deepEqual(configFrom({ SHEAF_SERVICE_NAMES: 'Acme, Service,Acme' }).serviceNames, [
    'Service',
    'Acme',
  ])
  assert.deepEqual(configFrom({}, { serviceName: ['One', 'Two'] }).serviceNames, ['Service', 'One', 'Two'])
})

test('every limit can be moved by its variable', () => {
  assert.equal(limitVariable('documentBytes'), 'SHEAF_LIMIT_DOCUMENT_BYTES')
  for (const limit of Object.keys(DEFAULT_LIMITS) as (keyof typeof DEFAULT_LIMITS)[])
    assert.equal(configFrom({ [limitVariable(limit)]: '300' }).limits[limit], 300)
})
