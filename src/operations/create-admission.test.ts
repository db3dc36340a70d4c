import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AppSettings, NO_SETTINGS } from '../domain/app-settings.ts'
import { type KeyRules, UNLIMITED } from '../domain/key-rules.ts'
import type { Principal } from '../domain/principal.ts'
import { previewHost } from '../domain/site-hosts.ts'
import { AppError } from '../errors.ts'
import type { AppRecord, SiteRecord } from '../storage/store.ts'
import { type ClientFacts, createAdmission } from './create-admission.ts'

const HERE = { address: '192.0.2.7' }

function key(rules: Partial<KeyRules>, keyId = 'k'): Principal {
  return { keyId, name: 'web', owner: null, rules: { ...UNLIMITED, ...rules } }
}

function appOf(settings: Partial<AppSettings>, more: Partial<AppRecord> = {}): AppRecord {
  const record = { id: 'a', slug: 'shop', owner: null, createdAt: 0, ...more }
  return { ...record, settings: { ...NO_SETTINGS, ...settings } }
}

const SITES = { domain: 'sites.example', urlOf: (host: string) => `https://${host}:8443` }
/** Cut in the address of a preview. */
const LONG = 'a'.repeat(60)
const SITE: SiteRecord = {
  ...{ app: 'a', slug: 'shop', live: 2, domains: ['shop.example.com'] },
  ...{ manifests: new Map([1, 2].map((version) => [version, 'f'])), key: { id: 'site', secret: 's' } },
}

function gate(...apps: AppRecord[]) {
  const sites = new Map([SITE, { ...SITE, slug: LONG, key: null }].map((site) => [site.slug, site]))
  const clock = { now: 1_000_000 }
  const { admit, admitToApp } = createAdmission({
    directory: () => ({ apps: new Map(apps.map((app) => [app.slug, app])), sites }),
    sites: SITES,
    now: () => clock.now,
  })
  /** What comes of a request: its code, `in`, or for a rate the seconds to wait. */
  const outcome = (principal: Principal, facts: ClientFacts = HERE, app?: string): string => {
    try {
      admit(principal, facts)
      if (app !== undefined) admitToApp(principal, app, facts)
      return 'in'
    } catch (error) {
      assert.ok(error instanceof AppError)
      assert.doesNotMatch(error.message, /192|10\.|example|\d\//, 'a refusal says nothing of the rule')
      return error.retryAfterSeconds === undefined ? error.code : `${error.code} ${error.retryAfterSeconds}`
    }
  }
  return { clock, outcome }
}

describe('admission', () => {
  it('holds all rules together, the address first and the rate last', () => {
    const { outcome } = gate()
    const rate = { requests: 1, perMs: 1000 }
    const web = key({ addresses: ['10.0.0.0/8'], websites: ['example.com'], rate })
    const page = { origin: 'https://example.com' }
    for (let i = 0; i < 3; i++) {
      assert.equal(outcome(web, { address: '192.0.2.7', ...page }), 'address_not_allowed')
      assert.equal(outcome(web, { address: '10.1.2.3' }), 'website_not_allowed')
      assert.equal(outcome(web, { address: '10.1.2.3', origin: 'https://evil.org' }), 'website_not_allowed')
    }
    assert.equal(outcome(web, { address: '::ffff:10.1.2.3', ...page }), 'in')
    assert.equal(outcome(web, { address: '10.1.2.3', ...page }), 'rate_limited 1')
  })

  it('lets nobody in by a rule that is empty or can not be read', () => {
    const { outcome } = gate()
    assert.equal(outcome(key({ addresses: [] })), 'address_not_allowed')
    assert.equal(outcome(key({ addresses: ['nonsense'] })), 'address_not_allowed')
    assert.equal(
      outcome(key({ websites: ['http://'] }), { ...HERE, origin: 'http://' }),
      'website_not_allowed',
    )
    assert.equal(outcome(key({ websites: [] }), { ...HERE, origin: 'http://localhost:1' }), 'in')
    assert.equal(
      outcome(key({ websites: [], localhost: false }), { ...HERE, origin: 'http://localhost:1' }),
      'website_not_allowed',
    )
  })

  it('judges each address by itself, however many there are and in whatever order', () => {
    const { outcome } = gate()
    const ours = key({ addresses: ['10.0.0.0/24'] })
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 600; i++) {
        const address = i % 2 === 0 ? `10.0.0.${i % 256}` : `10.0.${1 + (i % 200)}.1`
        assert.equal(outcome(ours, { address }), i % 2 === 0 ? 'in' : 'address_not_allowed', address)
      }
    assert.equal(outcome(key({ addresses: ['192.0.2.7'] }), { address: '10.0.0.1' }), 'address_not_allowed')
  })

  it('lets a rate be used up at once and fills it evenly', () => {
    const { clock, outcome } = gate()
    const slow = key({ rate: { requests: 3, perMs: 60_000 } })
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => outcome(slow)),
      ['in', 'in', 'in', 'rate_limited 20', 'rate_limited 20'],
    )
    clock.now += 19_000
    assert.equal(outcome(slow), 'rate_limited 1')
    clock.now += 1_000
    assert.equal(outcome(slow), 'in')
    assert.equal(outcome(slow), 'rate_limited 20')
    clock.now += 3_600_000
    assert.deepEqual(
      [1, 2, 3, 4].map(() => outcome(slow)),
      ['in', 'in', 'in', 'rate_limited 20'],
    )
  })

  it('counts each key by itself, whatever becomes of its rules', () => {
    const { outcome } = gate()
    assert.equal(outcome(key({ rate: { requests: 1, perMs: 1000 } }, 'a')), 'in')
    assert.equal(outcome(key({ rate: { requests: 1, perMs: 1000 } }, 'b')), 'in')
    assert.equal(outcome(key({ rate: { requests: 1, perMs: 1000 } }, 'a')), 'rate_limited 1')
    assert.equal(outcome(key({ rate: { requests: 100, perMs: 1000 } }, 'a')), 'rate_limited 1')
    assert.equal(outcome(key({}, 'a')), 'in')
  })

  it('goes on when the clock steps back', () => {
    const { clock, outcome } = gate()
    const one = key({ rate: { requests: 1, perMs: 1000 } })
    assert.equal(outcome(one), 'in')
    clock.now -= 86_400_000
    assert.equal(outcome(one), 'rate_limited 1')
    clock.now += 1000
    assert.equal(outcome(one), 'in')
  })
})

describe('admission to pages of a site', () => {
  const page = (host: string, port = ':8443') => ({ ...HERE, origin: `https://${host}${port}` })
  const siteKey = key({ websites: [], localhost: false }, 'site')
  const others = [
    'blog.sites.example',
    'sites.example',
    'evil-shop.sites.example',
    'shop.sites.example.evil.example',
    'preview-3-shop.sites.example',
    'preview-1-blog.sites.example',
    'preview-01-shop.sites.example',
    'x.preview-1-shop.sites.example',
    'localhost',
  ]

  it('is all that the key of the site has, by whichever of its hosts and versions', () => {
    const { outcome } = gate()
    const hosts = ['shop.sites.example', 'shop.example.com', 'preview-1-shop.sites.example']
    for (const host of [...hosts, 'Preview-2-SHOP.sites.example'])
      assert.equal(outcome(siteKey, page(host)), 'in', host)
    for (const host of others) assert.equal(outcome(siteKey, page(host)), 'website_not_allowed', host)
    for (const host of hosts) assert.equal(outcome(siteKey, page(host, '')), 'website_not_allowed', host)
    const http = { ...HERE, origin: 'http://shop.sites.example:8443' }
    for (const facts of [HERE, { ...HERE, origin: 'null' }, http])
      assert.equal(outcome(siteKey, facts), 'website_not_allowed')
    const referred = { ...HERE, referer: 'https://shop.sites.example:8443/list.html' }
    assert.equal(outcome(siteKey, referred), 'in')
  })

  it('is nothing to a key with the same rules that is not published', () => {
    const { outcome } = gate()
    const same = key({ websites: [], localhost: false }, 'other')
    assert.equal(outcome(same, page('shop.sites.example')), 'website_not_allowed')
  })

  it('goes for previews of a site where a key or its app names the site', () => {
    const site = { websites: ['https://shop.sites.example:8443'], localhost: false }
    const { outcome } = gate(appOf(site))
    const preview = page('preview-1-shop.sites.example')
    assert.deepEqual([outcome(key(site), preview), outcome(key({}), preview, 'shop')], ['in', 'in'])
    for (const host of others) assert.equal(outcome(key(site), page(host)), 'website_not_allowed', host)
    const elsewhere = key({ websites: ['example.com'] })
    assert.equal(outcome(elsewhere, preview), 'website_not_allowed')
  })

  it('knows previews whose names were cut', () => {
    const { outcome } = gate()
    const long = key({ websites: [`https://${LONG}.sites.example:8443`] })
    assert.equal(outcome(long, page(previewHost(LONG, 2, 'sites.example'))), 'in')
    const other = page(previewHost(`${LONG}b`, 2, 'sites.example'))
    assert.equal(outcome(long, other), 'website_not_allowed')
  })
})

describe('admission to an app', () => {
  it('holds every key to what the app says beside the rules of the key', () => {
    const { outcome } = gate(
      appOf({ addresses: ['10.0.0.0/8'], websites: ['example.com'], localhost: false }),
    )
    const page = { origin: 'https://example.com' }
    const web = key({ addresses: ['10.1.0.0/16', '192.0.2.0/24'] })
    for (const principal of [web, key({})]) {
      assert.equal(outcome(principal, { address: '192.0.2.7', ...page }, 'shop'), 'address_not_allowed')
      assert.equal(outcome(principal, { address: '10.1.2.3' }, 'shop'), 'website_not_allowed')
      const local = { address: '10.1.2.3', origin: 'http://localhost:5173' }
      assert.equal(outcome(principal, local, 'shop'), 'website_not_allowed')
      assert.equal(outcome(principal, { address: '10.1.2.3', ...page }, 'shop'), 'in')
      assert.equal(outcome(principal, { address: '192.0.2.7' }, 'blog'), 'in')
    }
    assert.equal(outcome(web, { address: '10.2.0.1', ...page }, 'shop'), 'address_not_allowed')
  })

  it('lets no key in where the settings can not be read, whatever they say', () => {
    const { outcome } = gate(appOf({}, { damage: "rate can't be read" }))
    assert.equal(outcome(key({}), HERE, 'shop'), 'app_not_allowed')
  })

  it('says nothing of an app that the key may not reach', () => {
    const closed = { addresses: [], rate: { requests: 1, perMs: 60_000 } }
    const { outcome } = gate(
      appOf(closed, { owner: 'somebody', damage: 'x' }),
      appOf(closed, { slug: 'blog' }),
    )
    for (let i = 0; i < 3; i++) {
      assert.equal(outcome(key({}), HERE, 'shop'), 'in')
      assert.equal(outcome(key({ apps: ['shop'] }), HERE, 'blog'), 'in')
    }
  })

  it('has one rate for all keys, behind that of each, and for each app its own', () => {
    const rate = { requests: 2, perMs: 60_000 }
    const { outcome, clock } = gate(appOf({ rate }), appOf({ rate }, { id: 'b', slug: 'blog' }))
    const slow = key({ rate: { requests: 1, perMs: 60_000 } }, 'slow')
    assert.deepEqual([outcome(slow, HERE, 'shop'), outcome(slow, HERE, 'shop')], ['in', 'rate_limited 60'])
    // What the key's own rate refuses uses up nothing of the app's.
    assert.equal(outcome(key({}, 'one'), HERE, 'shop'), 'in')
    assert.equal(outcome(key({}, 'two'), HERE, 'shop'), 'rate_limited 30')
    assert.equal(outcome(key({}, 'two'), HERE, 'blog'), 'in')
    assert.equal(outcome(key({}, 'two'), HERE), 'in')
    clock.now += 30_000
    assert.equal(outcome(key({}, 'two'), HERE, 'shop'), 'in')
  })
})
