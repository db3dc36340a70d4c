import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { manifestText } from './manifest.ts'
import { SiteFiles } from './site-files.ts'
import { NO_SITE_SETTINGS } from './site-settings.ts'

const APP = '01JABCDEFGHJKMNPQRSTVWXYZ0'
const HASH = 'ab'.repeat(32)

describe('files of a site', () => {
  let folder = ''
  let files = new SiteFiles('')
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sheaf-site-files-'))
    files = new SiteFiles(folder)
  })
  after(() => rmSync(folder, { recursive: true }))

  it('are nowhere for what is no id or no hash', () => {
    for (const app of ['', '..', 'a/b', 'a.b', 'a'.repeat(65)])
      assert.throws(() => files.pathOf(app, HASH), { code: 'internal' })
    for (const hash of ['', '..', `${'ab'.repeat(31)}/.`, 'AB'.repeat(32), `${HASH}\n`])
      assert.throws(() => files.pathOf(APP, hash), { code: 'internal' })
  })

  it('have their encoded forms beside them', () => {
    const path = join(folder, 'sites', APP, 'files', 'ab', HASH)
    assert.equal(files.pathOf(APP, HASH), path)
    assert.equal(files.pathOf(APP, HASH, 'br'), `${path}.br`)
    assert.equal(files.pathOf(APP, HASH, 'gzip'), `${path}.gz`)
  })

  it('have no manifest where it is gone, or is not what its name says', async () => {
    const manifest = { files: new Map(), settings: NO_SITE_SETTINGS }
    const text = manifestText(manifest)
    const hash = createHash('sha256').update(text).digest('hex')
    await assert.rejects(files.readManifest(APP, hash), { code: 'store_unavailable' })
    mkdirSync(dirname(files.pathOf(APP, hash)), { recursive: true })
    writeFileSync(files.pathOf(APP, hash), `${text} `)
    await assert.rejects(files.readManifest(APP, hash), { code: 'store_unavailable' })
    writeFileSync(files.pathOf(APP, hash), text)
    assert.deepEqual(await files.readManifest(APP, hash), manifest)
  })
})
