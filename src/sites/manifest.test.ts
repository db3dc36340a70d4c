import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manifestText, readManifest, type SiteFile } from './manifest.ts'
import { NO_SITE_SETTINGS } from './site-settings.ts'

const FILE: SiteFile = { hash: 'a'.repeat(64), bytes: 12, encoded: { br: 5 } }

describe('a manifest', () => {
  it('is nothing where its text is damaged', () => {
    const texts = [
      '',
      'null',
      '[]',
      '{}',
      '{"format":2,"files":[]}',
      '{"format":1,"files":{}}',
      '{"format":1,"files":[["a","../../etc/passwd",1,0,0]]}',
      `{"format":1,"files":[["a","${'a'.repeat(64)}",-1,0,0]]}`,
      `{"format":1,"files":[["a","${'a'.repeat(64)}",1]]}`,
      `{"format":1,"files":[[1,"${'a'.repeat(64)}",1,0,0]]}`,
    ]
    assert.deepEqual(
      texts.filter((text) => readManifest(text) !== undefined),
      [],
    )
  })

  it('is read as it was written, also with names that objects have', () => {
    const manifest = {
      files: new Map([
        ['__proto__', FILE],
        ['index.html', { ...FILE, encoded: { br: 5, gzip: 6 } }],
      ]),
      settings: { ...NO_SITE_SETTINGS, fallback: '/index.html' },
    }
    assert.deepEqual(readManifest(manifestText(manifest)), manifest)
  })

  it('has the same text for the same files, in whatever order they came', () => {
    const settings = NO_SITE_SETTINGS
    const one = new Map([
      ['a', FILE],
      ['b', FILE],
    ])
    const other = new Map([...one].reverse())
    assert.equal(manifestText({ files: one, settings }), manifestText({ files: other, settings }))
  })
})
