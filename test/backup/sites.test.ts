import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { SiteFiles } from '../../src/sites/site-files.ts'
import { makeBackup } from '../../src/storage/sqlite/backup/make-backup.ts'
import { restoreFolder } from '../../src/storage/sqlite/backup/restore-folder.ts'
import { areSiteFilesHeld } from '../../src/storage/sqlite/files/temporary-folder.ts'
import { sha256 } from '../sites/deploy-bodies.ts'
import {
  dataFolder,
  deployTo,
  fillApp,
  LIMITS,
  NOW,
  partOf,
  siteOf,
  temporary,
  unzipped,
  zipped,
} from './backup-folder.ts'

const LONG = Buffer.alloc(1_200_000, 'long')
const PAGES = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.txt`, `page ${at}`]))
const HASHES = [sha256('page 7'), sha256(LONG)]

let dataDir = ''
const ids: Record<string, string> = {}
const warnings: Error[] = []
process.on('warning', (warning) => warnings.push(warning))
before(async (t) => {
  dataDir = await dataFolder(t as TestContext, async (accounts, folder) => {
    for (const slug of ['hurt', 'sound']) {
      const app = await accounts.createApp({ slug, owner: null }, 'test')
      ids[slug] = app.id
      fillApp(folder, app.id, [{ name: 'notes', documents: [[1, '{"_id":1}']] }])
      await deployTo({ accounts, dataDir: folder, app }, { ...PAGES, 'long.bin': LONG })
    }
  })
})

describe('files of a site that are not what their names say', () => {
  const damage = (hash: string) => {
    const path = new SiteFiles(dataDir).pathOf(ids.hurt!, hash)
    const bytes = readFileSync(path)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(path, bytes)
  }
  const made = (path: string) => makeBackup({ dataDir, path, hasSecrets: true, version: '0.1.0', now: NOW })
  const restored = async (t: TestContext, source: string) => {
    const folder = join(temporary(t), 'restored')
    const { documents, damagedSites } = await restoreFolder({ source, dataDir: folder, limits: LIMITS })
    assert.deepEqual({ documents, damagedSites }, { documents: 2, damagedSites: ['hurt'] })
    assert.deepEqual(siteOf(folder, ids.sound!), siteOf(dataDir, ids.sound!))
    const others = siteOf(dataDir, ids.hurt!).filter(([name]) => !HASHES.includes(name))
    assert.deepEqual(siteOf(folder, ids.hurt!), others)
  }

  it('are held while a backup is made, and skipped by a restore of one that has them', async (t) => {
    const path = join(temporary(t), 'backup.zip')
    const making = made(path)
    assert.ok(areSiteFilesHeld(dataDir))
    assert.deepEqual((await making).damagedSites, [])
    assert.equal(areSiteFilesHeld(dataDir), false)
    const parts = await unzipped(path)
    const name = `sites/${ids.hurt}`
    const site = Buffer.from(parts.get(name)!)
    for (const content of ['page 7', LONG]) site[site.indexOf(content)]! ^= 1
    parts.set(name, site)
    const manifest = JSON.parse(String(parts.get('manifest.json')))
    manifest.parts = manifest.parts.map((part: { name: string }) => partOf(part.name, parts.get(part.name)!))
    parts.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
    await zipped(path, parts)
    await restored(t, path)
  })

  it('are left out of a backup, which says so with the app', async (t) => {
    for (const hash of HASHES) damage(hash)
    const path = join(temporary(t), 'backup.zip')
    assert.deepEqual((await made(path)).damagedSites, ['hurt'])
    await restored(t, path)
    assert.deepEqual(warnings, [])
  })
})
