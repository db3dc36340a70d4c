import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { describe, it } from 'node:test'
import { createInTurn } from '../acme/in-turn.ts'
import { generateKeyPem, selfSignedHostCertificate } from '../certificates/self-signed.ts'
import { configFrom } from '../config.ts'
import type { Directory, SiteRecord } from '../storage/store.ts'
import { SiteCertificates } from './site-certificates.ts'

const key = generateKeyPem()
const cert = await selfSignedHostCertificate({
  key: createPrivateKey(key),
  host: '*.covered.example',
  now: Date.now(),
})
const SITES = [
  site('todo', 1, ['shop.example.org', 'a.covered.example']),
  site('off', null, ['off.example.org']),
  site('www', 1, ['www.example.org']),
]

function site(slug: string, live: number | null, domains: string[]): SiteRecord {
  return { app: slug, slug, live, manifests: new Map([[1, '']]), key: null, domains }
}

function wanted(sitesDomain: string): string[] {
  const directory: Directory = {
    ...{ apps: new Map(), keysByHash: new Map(), keysById: new Map(), tokenSecrets: [], damages: [] },
    sites: new Map(SITES.map((one) => [one.slug, one])),
  }
  const parts = {
    config: configFrom({}, { sitesDomain }),
    tls: { key, cert },
    store: { directory: () => directory },
    log: { info: () => {}, warn: () => {} },
    inTurn: createInTurn(),
  }
  return [...new SiteCertificates(parts, undefined).wanted()]
}

describe('certificates by ACME', () => {
  it('are wanted for sites that are on line, at hosts that have an address and no certificate', () => {
    assert.deepEqual(wanted('sites.example'), ['todo.sites.example', 'shop.example.org', 'www.example.org'])
  })

  it('are wanted for domains alone where the others are of this machine, or there are none', () => {
    for (const sitesDomain of ['localhost', 'off', 'covered.example'])
      assert.deepEqual(wanted(sitesDomain), ['shop.example.org', 'www.example.org'])
  })
})
