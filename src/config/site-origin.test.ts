import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configFrom } from '../config.ts'
import { ownHosts, siteUrl } from './site-origin.ts'

function refused(sitesDomain: string, message: RegExp): void {
  assert.throws(
    () => configFrom({}, { sitesDomain }),
    { code: 'invalid_configuration', message },
    sitesDomain,
  )
}

test('a domain that no site can be below is refused', () => {
  for (const sitesDomain of [
    'https://example.org',
    'example.org:8443',
    'example.org/',
    '*.example.org',
    '192.0.2.1',
    '::1',
    '[::1]',
    '.example.org',
    'example..org',
    'example.org..',
    '-a.example',
    'a_b.example',
    'a b',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(95)}a`,
  ])
    refused(sitesDomain, /is no domain for sites .*such as sites\.example\.org/)
  refused('', /--sites-domain is empty/)
})

test('sites are below localhost without a setting, and nowhere where they are off', () => {
  assert.equal(configFrom({}).sitesDomain, 'localhost')
  assert.equal(configFrom({ SHEAF_SITES_DOMAIN: 'off' }).sitesDomain, undefined)
  assert.equal(configFrom({ SHEAF_SITES_DOMAIN: 'a.test' }, { sitesDomain: 'b.test' }).sitesDomain, 'b.test')
  assert.equal(configFrom({}, { sitesDomain: 'Bücher.Example.' }).sitesDomain, 'xn--bcher-kva.example')
})

test('a site is at the port of the public URL, else at the one that is listened on', () => {
  for (const [publicUrl, port, url] of [
    [undefined, 9000, 'https://todo.localhost:9000'],
    [undefined, 443, 'https://todo.localhost'],
    ['https://db.example.org', 9000, 'https://todo.localhost'],
    ['https://db.example.org:8443', 9000, 'https://todo.localhost:8443'],
  ] as const)
    assert.equal(siteUrl(configFrom({}, { publicUrl }), port, 'todo.localhost'), url)
})

test('hosts of the server itself are those that it was told, and those of its certificate', () => {
  const args = {
    host: 'Db.example.org',
    publicUrl: 'https://data.example.org:8443',
    acmeDomain: ['a.example.org'],
  }
  assert.deepEqual([...ownHosts(configFrom({}, args), ['*.example.org', 'B.example.org'])].toSorted(), [
    '*.example.org',
    'a.example.org',
    'b.example.org',
    'data.example.org',
    'db.example.org',
  ])
  assert.deepEqual([...ownHosts(configFrom({}), [])], ['localhost'])
})
