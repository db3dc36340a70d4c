import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { previewHost } from '../domain/site-hosts.ts'
import type { SiteRecord } from '../storage/directory.ts'
import { siteHostsOf } from './site-hosts-of.ts'

const LONG = 'a'.repeat(60)
const DIRECTORY = {
  sites: new Map([
    ['todo', site('todo', [2, 5], ['shop.example.org'])],
    [LONG, site(LONG, [1])],
    ['empty', site('empty', [])],
  ]),
}

function site(slug: string, versions: number[], domains: string[] = []): SiteRecord {
  const manifests = new Map(versions.map((version) => [version, '']))
  return { app: slug, slug, live: versions.at(-1) ?? null, manifests, key: null, domains }
}

describe('hosts of sites', () => {
  it('are those of sites, of kept versions and the domains that were verified', () => {
    const hosts = [
      'shop.example.org',
      'todo.sites.example',
      'preview-2-todo.sites.example',
      'preview-5-todo.sites.example',
      `${LONG}.sites.example`,
      previewHost(LONG, 1, 'sites.example'),
    ]
    assert.deepEqual([...siteHostsOf(DIRECTORY, 'sites.example')].sort(), hosts.toSorted())
  })

  it('are the verified domains alone where there is no domain for sites', () => {
    assert.deepEqual([...siteHostsOf(DIRECTORY, undefined)], ['shop.example.org'])
  })
})
