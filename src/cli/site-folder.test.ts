import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { contentOf, readSiteFolder } from './site-folder.ts'

/** SHA-256 of nothing, and of `abc` (FIPS 180-4, appendix B). */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

function folder(t: TestContext, files: Readonly<Record<string, string | Buffer>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'sheaf-site-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return path
}

const read = (path: string) => readSiteFolder(path, () => undefined)

describe('a folder that is deployed', () => {
  it('has no link in it that is followed, whatever it leads to', async (t) => {
    for (const [target, type] of [
      ['/etc/passwd', 'file'],
      ['index.html', 'file'],
      ['..', 'dir'],
      ['gone', 'file'],
    ] as const) {
      const path = folder(t, { 'index.html': 'abc' })
      mkdirSync(join(path, 'sub'))
      symlinkSync(target, join(path, 'sub/link'), type)
      await assert.rejects(read(path), { code: 'invalid_deploy', message: /^"sub\/link" is a symbolic link/ })
    }
  })

  it('is refused with the path that no site can have', async (t) => {
    for (const name of [
      'a\\b',
      'line\nbreak',
      'turned\u202egnp.exe',
      '_sheaf/config.json',
      Array(5).fill('x'.repeat(250)).join('/'),
    ]) {
      const path = folder(t, { [name]: '' })
      await assert.rejects(read(path), { code: 'invalid_deploy' }, JSON.stringify(name))
    }
  })

  it('is told of where it can not be read', async (t) => {
    await assert.rejects(read(join(folder(t), 'none')), { code: 'input_failed', message: /ENOENT/ })
  })

  it('leaves out what is hidden, without looking into it, and says so', async (t) => {
    const path = folder(t, {
      'index.html': 'abc',
      '.env': 'SECRET',
      '.git/config': '',
      'a/.DS_Store': '',
      'a/Thumbs.db': '',
      '.well-known/security.txt': '',
      '__MACOSX/a': '',
    })
    symlinkSync('/etc', join(path, '.git/link'))
    const { files, leftOut } = await read(path)
    assert.deepEqual(
      files.map((file) => file.path),
      ['.well-known/security.txt', 'index.html'],
    )
    assert.deepEqual(leftOut.toSorted(), ['.env', '.git', '__MACOSX', 'a/.DS_Store', 'a/Thumbs.db'])
  })

  it('is known by the hashes of its files, long ones too, and sent as it was', async (t) => {
    const long = Buffer.alloc(3 * 1024 * 1024, 'abc')
    const path = folder(t, { 'a/é.txt': 'abc', empty: '', long })
    let bytes = 0
    const { files } = await readSiteFolder(path, (read) => {
      bytes += read
    })
    assert.equal(bytes, long.length + 3)
    assert.deepEqual(
      files.map(({ path, hash, bytes }) => [path, hash, bytes]),
      [
        ['a/é.txt', ABC, 3],
        ['empty', EMPTY, 0],
        ['long', files[2]!.hash, long.length],
      ],
    )
    assert.deepEqual(await buffer(contentOf(files[2]!)), long)
    for (const name of ['a/é.txt', 'long']) {
      appendFileSync(join(path, name), 'x')
      const file = files.find((each) => each.path === name)!
      await assert.rejects(buffer(contentOf(file)), { code: 'input_failed', message: /changed meanwhile/ })
    }
  })
})
