import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { domainProblem, publicName } from './site-domain.ts'

describe('a public name', () => {
  it('is a full one of DNS, in lower case and ASCII', () => {
    const names = [
      ['Shop.Example.ORG', 'shop.example.org'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['a.b', undefined],
      ['a.bc', 'a.bc'],
      ...[
        ...[
          '',
          'localhost',
          '127.0.0.1',
          '[::1]',
          '*.example.org',
          'https://example.org',
          'example.org/x',
          'a b.org',
        ],
        ...[
          'example.org:443',
          '-a.example.org',
          'example.1',
          `${'a'.repeat(64)}.org`,
          'a\0.org',
          '..',
          '.org',
        ],
      ].map((text) => [text, undefined] as const),
    ] as const
    for (const [text, name] of names) assert.equal(publicName(text), name, text)
  })
})

describe('the domain of a site', () => {
  it('is none of the server, nor of all sites', () => {
    const names = { domain: 'sites.example', ownHosts: new Set(['db.example.org']) }
    for (const [domain, problem] of [
      ['db.example.org', 'is an address of the server itself'],
      ['sites.example', 'is below sites.example, where the sites of all apps are'],
      ['a.sites.example', 'is below sites.example, where the sites of all apps are'],
      ['a.localhost', 'leads each machine to itself'],
      ['asites.example', undefined],
      ['example.org', undefined],
    ] as const)
      assert.equal(domainProblem(domain, names), problem, domain)
  })
})
