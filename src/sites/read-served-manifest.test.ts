import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manifestText, readManifest, type SiteFile } from './manifest.ts'
import { readServedManifest } from './read-served-manifest.ts'
import { NO_SITE_SETTINGS } from './site-settings.ts'

const HASH = 'a'.repeat(64)

function file(at: number): SiteFile {
  return {
    hash: at.toString(16).padStart(64, '0'),
    bytes: at,
    encoded: at % 2 === 0 ? {} : { br: at, gzip: 7 },
  }
}

describe('a manifest that is read to be served', () => {
  it('is nothing where its text is damaged', async () => {
    for (const text of [
      '',
      '{}',
      '{"format":2,"settings":{},"files":[]}',
      '{"format":1,"settings":{},"files":[[}',
      '{"format":1,"settings":{},"files":[["a","../../etc/passwd",1,0,0]]}',
      `{"format":1,"settings":{},"files":[["a","${HASH}",-1,0,0]]}`,
      `{"format":1,"settings":{},"files":[["a","${HASH}",1,0,0]]} `,
      `{"format":1,"settings":{},"files":["a","${HASH}",1,0,0]]}`,
    ])
      assert.equal(await readServedManifest(Buffer.from(text)), undefined, text)
  })

  it('has the files and settings of the whole, also of names that look like its own text, or are not composed', async () => {
    const odd = ['1],["a', ',"files":[', '__proto__', 'é.html', '\u{1f600}', '\uff61', ']}', 'index.html']
    // Some slices long.
    const names = [...odd, ...Array.from({ length: 3000 }, (_, at) => `a/${(at * 7919) % 3000}],["é.js`)]
    const files = new Map(names.map((name, at) => [name, file(at)]))
    const settings = {
      ...NO_SITE_SETTINGS,
      immutable: ['/,"files":['],
      headers: [{ for: '/*', set: { files: '[' } }],
    }
    const text = manifestText({ files, settings })
    const served = await readServedManifest(Buffer.from(text))
    assert.deepEqual(served?.settings, readManifest(text)?.settings)
    for (const [name, expected] of files) assert.deepEqual(served?.files.get(name), expected, name)
    for (const name of ['', 'a', 'a/', 'zz', 'index.htm', '\u{10ffff}'])
      assert.equal(served?.files.get(name), undefined, name)
  })

  it('finds files by their composed names, in whatever order these are then', async () => {
    const names = ['cafe\u0301', 'caff', 'cafz', 'a\u030a', 'b', 'z']
    const files = new Map(names.map((name, at) => [name, file(at)]))
    const served = await readServedManifest(Buffer.from(manifestText({ files, settings: NO_SITE_SETTINGS })))
    for (const [at, name] of names.entries())
      assert.equal(served?.files.get(name.normalize())?.bytes, at, name)
    assert.equal(served?.files.get('cafe\u0301'), undefined)
  })
})
