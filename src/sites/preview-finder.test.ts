import assert from 'node:assert/strict'
import { it } from 'node:test'
import { previewHost } from '../domain/site-hosts.ts'
import type { SiteRecord } from '../storage/directory.ts'
import { PreviewFinder } from './preview-finder.ts'

const DOMAIN = 'sites.example'

class CountedSites extends Map<string, SiteRecord> {
  looks = 0
  override values(): MapIterator<SiteRecord> {
    this.looks += 1
    return super.values()
  }
}

it('the site of a preview is found without a look at every site for each name that is asked for', () => {
  const slugs = Array.from({ length: 50 }, (_, n) => `${'a'.repeat(58)}${n + 10}`)
  const sites = new CountedSites(
    slugs.map((slug) => [
      slug,
      { app: slug, slug, live: 1, manifests: new Map([[1, '']]), key: null, domains: [] },
    ]),
  )
  const previews = new PreviewFinder()
  const find = (host: string) => previews.find(sites, { label: host.split('.')[0]!, domain: DOMAIN })
  for (const slug of slugs) assert.equal(find(previewHost(slug, 1, DOMAIN))?.site.slug, slug)
  for (let n = 0; n < 50; n += 1)
    assert.equal(find(previewHost(`${'a'.repeat(60)}${n}`, 1, DOMAIN)), undefined)
  assert.equal(find(previewHost(slugs[0]!, 2, DOMAIN)), undefined)
  assert.equal(sites.looks, 1)
})
