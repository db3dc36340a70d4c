import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { previewHost } from '../domain/site-hosts.ts'
import { siteHostsOf } from '../sites/site-hosts-of.ts'
import type { Directory, SiteRecord } from '../storage/directory.ts'
import { SiteFinder } from './find-site.ts'

const LONG = 'a'.repeat(60)
const OWN = 'db.sites.example'

function directory(sites: readonly SiteRecord[]): Directory {
  return {
    apps: new Map(),
    keysByHash: new Map(),
    keysById: new Map(),
    sites: new Map(sites.map((each) => [each.slug, each])),
    tokenSecrets: [],
    damages: [],
  }
}

function site(slug: string, versions: number[], more: Partial<SiteRecord> = {}): SiteRecord {
  const manifests = new Map(versions.map((version) => [version, '']))
  return { app: slug, slug, live: versions.at(-1) ?? null, manifests, key: null, domains: [], ...more }
}

const SITES = directory([
  site('todo', [2, 5], { domains: ['shop.example.org', OWN] }),
  site(LONG, [1]),
  site('empty', []),
])

/** What is found, in words: a slug and a version, `nothing`, or `own`. */
function finder(domain: string | undefined): SiteFinder<string> {
  return new SiteFinder({ domain, ownHosts: new Set([OWN]) }, ({ site: found, version }) =>
    found === undefined ? 'nothing' : `${found.slug} ${version}`,
  )
}

describe('what a host is for', () => {
  it('is known of every host of a site, whatever the app', () => {
    const find = finder('sites.example')
    for (const host of siteHostsOf(SITES, 'sites.example'))
      assert.equal(/^(?:todo|a+) [125]$/.test(find.find(SITES, host) ?? ''), host !== OWN, host)
    assert.equal(find.find(SITES, 'preview-2-todo.sites.example:443'), 'todo 2')
    assert.equal(find.find(SITES, previewHost(LONG, 1, 'sites.example')), `${LONG} 1`)
  })

  it('is nothing below the domain, and the server itself elsewhere', () => {
    const find = finder('sites.example')
    for (const label of ['empty', 'x.todo', 'preview-3-todo', 'preview-02-todo', `preview-1-${LONG}`, ''])
      assert.equal(find.find(SITES, `${label}.sites.example`), 'nothing', label)
    for (const host of ['', 'sites.example', 'todo.localhost', 'todo.sites.example.org', 'example.org', OWN])
      assert.equal(find.find(SITES, host), undefined, host)
  })

  it('is a domain of a site alone where there is no domain for all', () => {
    const find = finder(undefined)
    assert.equal(find.find(SITES, 'shop.example.org'), 'todo 5')
    for (const host of ['todo.undefined', 'undefined', 'todo.localhost', OWN])
      assert.equal(find.find(SITES, host), undefined, host)
  })

  it('of two apps whose slugs are cut to the same is the older one’s', () => {
    // Slugs of this beginning, tried in turn until SHA-256 begins alike, would be such; two of the same slug are as good.
    const older = site(LONG, [1], { app: 'A', slug: LONG })
    const younger = site(LONG, [1], { app: 'B', slug: LONG })
    const both = {
      ...SITES,
      sites: new Map([
        ['b', younger],
        ['a', older],
      ]),
    }
    const find = new SiteFinder({ domain: 'sites.example', ownHosts: new Set() }, (found) => found.site?.app)
    assert.equal(find.find(both, previewHost(LONG, 1, 'sites.example')), 'A')
  })

  it('follows apps and sites as they change', () => {
    const find = finder('sites.example')
    assert.equal(find.find(SITES, 'todo.sites.example'), 'todo 5')
    assert.equal(find.find(SITES, 'todo.sites.example'), 'todo 5')
    assert.equal(find.find(directory([site('todo', [5, 6])]), 'todo.sites.example'), 'todo 6')
    assert.equal(find.find(directory([]), 'todo.sites.example'), 'nothing')
    assert.equal(find.find(directory([]), 'shop.example.org'), undefined)
  })
})
