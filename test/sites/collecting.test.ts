import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../../src/domain/limits.ts'
import { SiteFiles } from '../../src/sites/site-files.ts'
import { sitesToCollect } from '../../src/sites/to-collect.ts'
import { holdSiteFiles, makeTemporaryFolder } from '../../src/storage/sqlite/files/temporary-folder.ts'
import { SqliteSites } from '../../src/storage/sqlite/sqlite-sites.ts'
import { sha256 } from './deploy-bodies.ts'

describe('files of a site that no version names', () => {
  let dataDir = ''
  let files = new SiteFiles('')
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sheaf-collecting-'))
    files = new SiteFiles(dataDir)
    for (const app of ['A', 'B']) {
      mkdirSync(dirname(files.pathOf(app, sha256(''))), { recursive: true })
      writeFileSync(files.pathOf(app, sha256('')), '')
    }
  })
  after(() => rmSync(dataDir, { recursive: true }))

  const sitesWith = (kept: Readonly<Record<string, readonly string[]>>, failures: unknown[] = []) =>
    new SqliteSites({
      dataDir,
      limits: DEFAULT_LIMITS,
      keptOf: async (app) => kept[app] ?? [],
      onFailure: (error) => failures.push(error),
    })
  /** What comes next for an app waits for what was begun. */
  const turnOf = (sites: SqliteSites, app: string) =>
    assert.rejects(sites.receive({ app, body: join(dataDir, 'none'), kind: 'zip' }, async () => {}))

  it('stay while a backup is made, and go after it', async () => {
    const backup = makeTemporaryFolder(dataDir)
    holdSiteFiles(backup)
    const held = sitesWith({})
    held.collect('A')
    await held.close()
    assert.ok(existsSync(files.pathOf('A', sha256(''))))
    assert.deepEqual(sitesToCollect(dataDir), ['A'])
    backup.remove()
    const free = sitesWith({})
    free.collectLeft()
    await turnOf(free, 'A')
    assert.equal(existsSync(files.filesOf('A')), false)
    await free.close()
  })

  it('stay where a kept manifest can not be read, which is told with the app', async () => {
    const failures: Error[] = []
    const sites = sitesWith({ B: [sha256('no manifest')] }, failures)
    sites.collect('B')
    await turnOf(sites, 'B')
    assert.match(
      failures[0]!.message,
      /app B stay, for the manifest [0-9a-f]{64} .*deploy that version again/,
    )
    assert.ok(existsSync(files.pathOf('B', sha256(''))))
    await sites.close()
  })
})
