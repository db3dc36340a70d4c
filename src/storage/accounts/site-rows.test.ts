import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sitesFrom } from './site-rows.ts'

const APPS = new Map([['todo', { id: 'A1', slug: 'todo', owner: null, createdAt: 0 }]])
const MANIFEST = 'a'.repeat(64)

describe('sites of the directory', () => {
  it('are those of apps that are there', () => {
    const rows = { sites: [site('A1', 1n), site('A2', 1n)], deploys: [], domains: [] }
    assert.deepEqual([...sitesFrom(rows, APPS).keys()], ['todo'])
  })

  it('have the version that is live, its manifest, the key and the domains', () => {
    const sites = sitesFrom(
      {
        sites: [['A1', 2n, 'K1', 'secret']],
        deploys: [
          ['A1', 2n, MANIFEST],
          ['A1', 1n, MANIFEST],
        ],
        domains: [['A1', 'shop.example.org']],
      },
      APPS,
    )
    assert.deepEqual(sites.get('todo'), {
      app: 'A1',
      slug: 'todo',
      live: 2,
      manifests: new Map([
        [2, MANIFEST],
        [1, MANIFEST],
      ]),
      key: { id: 'K1', secret: 'secret' },
      domains: ['shop.example.org'],
    })
  })

  it('are not live where the row can not be read, or names a version that is gone', () => {
    for (const live of [-1n, 7n, 2n ** 62n]) {
      const rows = { sites: [site('A1', live)], deploys: [], domains: [] }
      assert.equal(sitesFrom(rows, APPS).get('todo')?.live, null)
    }
  })

  it('have no version whose manifest is no hash', () => {
    const deploys: [string, bigint, string][] = [['A1', 1n, '../../etc/passwd']]
    const sites = sitesFrom({ sites: [site('A1', 1n)], deploys, domains: [] }, APPS)
    assert.deepEqual([sites.get('todo')?.manifests.size, sites.get('todo')?.live], [0, null])
  })
})

function site(app: string, live: bigint): [string, bigint, null, null] {
  return [app, live, null, null]
}
