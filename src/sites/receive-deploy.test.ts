import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileStream, sha256, type ZipEntry, zipOf } from '../../test/sites/deploy-bodies.ts'
import { type ReceiveCommand, receiveDeploy } from './receive-deploy.ts'
import { SiteFiles } from './site-files.ts'

const LIMITS = { siteFiles: 50, siteFileBytes: 3_000_000, siteBytes: 5_000_000 }
const PAGE = `<!doctype html>${'<p>a line of a page</p>'.repeat(200)}`

describe('what is deployed and can not be taken', () => {
  let dataDir = ''
  let files = new SiteFiles('')
  let count = 0
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sheaf-receive-'))
    files = new SiteFiles(dataDir)
  })
  after(() => rmSync(dataDir, { recursive: true }))

  /** Nothing of it is where the files of the site would be. */
  const refused = async (content: Buffer, kind: ReceiveCommand['kind'], code: string, message: RegExp) => {
    const folder = join(dataDir, String(++count))
    const body = `${folder}.body`
    mkdirSync(folder)
    writeFileSync(body, content)
    const received = receiveDeploy(
      files,
      { app: 'A', body, kind, limits: LIMITS },
      { folder, own: () => {}, roomBytes: 4_000_000 },
    )
    await assert.rejects(received, { code, message })
    assert.equal(existsSync(files.filesOf('A')), false)
  }
  const TEXT = { 'index.html': 'text' }
  const first = (change: object) => (list: object[]) => [{ ...list[0], ...change }, ...list.slice(1)]

  const streams: Readonly<Record<string, [body: Buffer, code: string, words: RegExp]>> = {
    'nothing at all': [Buffer.alloc(0), 'invalid_deploy', /no line/],
    'no list': [Buffer.from('{"files":7}\n'), 'invalid_deploy', /files/],
    'no files': [Buffer.from('{ "files": [ ] }\n'), 'invalid_deploy', /no files to deploy; to take/],
    'only what stays out': [fileStream({ '.env': 'a' }), 'invalid_deploy', /no files .* but for those/],
    'a list that is not closed': [Buffer.from('{"files":[\n'), 'invalid_deploy', /first line/],
    'a comma before nothing': [
      Buffer.from(`${fileStream({ a: '' }).toString().trim().slice(0, -2)},]}\n`),
      'invalid_deploy',
      /first line/,
    ],
    'something behind its list': [Buffer.from('{"files":[]}{}\n'), 'invalid_deploy', /first line/],
    'lists in its list': [Buffer.from(`{"files":[${'['.repeat(300_000)}\n`), 'invalid_deploy', /first line/],
    'lists in an entry': [Buffer.from('{"files":[{"path":[["a"]]}]}\n'), 'invalid_deploy', /first line/],
    'an entry without an end': [
      Buffer.from(`{"files":[{"path":"${'a'.repeat(10_000)}"}]}\n`),
      'invalid_deploy',
      /first line/,
    ],
    'empty entries': [
      Buffer.from(`{"files":[${'{},'.repeat(100_000)}{}]}\n`),
      'invalid_deploy',
      /files\[0\] should be/,
    ],
    'no JSON': [Buffer.from('\xff\n', 'latin1'), 'invalid_deploy', /JSON/],
    'less than it says': [fileStream(TEXT).subarray(0, -1), 'invalid_deploy', /4 bytes follow it, and 3 do/],
    'more than it says': [Buffer.concat([fileStream(TEXT), Buffer.from('x')]), 'invalid_deploy', /and 5 do/],
    'another hash': [
      fileStream(TEXT, { change: first({ hash: sha256('other') }) }),
      'invalid_deploy',
      /not what/,
    ],
    'no hash': [
      fileStream(TEXT, { change: first({ hash: '../../etc/passwd' }) }),
      'invalid_deploy',
      /files\[0\]/,
    ],
    'a length below 0': [fileStream(TEXT, { change: first({ bytes: -1 }) }), 'invalid_deploy', /files\[0\]/],
    'a hash that another app has': [
      fileStream({ 'a.html': PAGE }, { there: ['a.html'] }),
      'files_missing',
      /not sent/,
    ],
    'two lengths of one file': [
      fileStream({ 'a.txt': 'b', 'b.txt': 'b' }, { change: (list) => [list[0], { ...list[1], bytes: 2 }] }),
      'invalid_deploy',
      /has 1 bytes, and not 2/,
    ],
    'a file twice': [
      fileStream(TEXT, { change: ([one]) => [one, { ...one, sent: false }] }),
      'invalid_deploy',
      /twice/,
    ],
    'a name in two cases': [
      fileStream({ 'A.html': 'a', 'a.html': 'b' }),
      'invalid_deploy',
      /upper and lower/,
    ],
    'a way up': [fileStream({ '../up.html': 'a' }), 'invalid_deploy', /\.\./],
    'a hidden way up': [fileStream({ '.git/../../up.html': 'a' }), 'invalid_deploy', /\.\./],
    'a turned name': [
      fileStream({ 'a\u202etxt.html': 'a' }),
      'invalid_deploy',
      /a\\u\{202e\}txt.html.*direction/,
    ],
    'a name of the server': [fileStream({ '_sheaf/config.json': '{}' }), 'invalid_deploy', /_sheaf/],
    'a bad sheaf.json': [fileStream({ 'sheaf.json': '{"fall":1}' }), 'invalid_deploy', /sheaf\.json: "fall"/],
    'too many files': [
      fileStream(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`${index}.txt`, 'a']))),
      'deploy_too_large',
      /50 files/,
    ],
    'a file that is too long': [
      fileStream({ a: Buffer.alloc(3_000_001) }),
      'deploy_too_large',
      /3000000 bytes/,
    ],
    'more than the disk has room for': [
      fileStream({ a: Buffer.alloc(2_100_000), b: Buffer.alloc(2_100_000, 1) }),
      'store_unavailable',
      /take 4200000 bytes, and the disk of the server has room for 4000000/,
    ],
    'too much in all': [
      fileStream({ a: Buffer.alloc(2_600_000), b: Buffer.alloc(2_600_000, 1) }),
      'deploy_too_large',
      /5000000 bytes/,
    ],
  }
  for (const [what, [body, code, words]] of Object.entries(streams))
    it(`has ${what}`, () => refused(body, 'files', code, words))

  const entry = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, content: 'text', ...more })
  const good = zipOf([entry('index.html'), entry('b.html', { content: PAGE })])
  const zips: Readonly<Record<string, [body: Buffer, words: RegExp]>> = {
    'no zip file': [Buffer.from('PK, not'), /no whole zip/],
    'nothing of one': [Buffer.alloc(0), /no whole zip/],
    'the half of one': [good.subarray(0, good.length / 2), /no whole zip/],
    'one without its end': [good.subarray(0, -10), /no whole zip/],
    'one whose middle is gone': [
      Buffer.concat([good.subarray(0, 20), Buffer.alloc(60), good.subarray(80)]),
      /damaged/,
    ],
    'a way up': [zipOf([entry('../up.html')]), /part that is \. or \.\./],
    'a way up inside': [zipOf([entry('a/../../up.html')]), /part that is/],
    'an absolute name': [zipOf([entry('/etc/passwd')]), /absolute/],
    'a drive': [zipOf([entry('C:/a.html')]), /absolute/],
    'a backslash': [zipOf([entry('a\\b.html')]), /"a\\\\b.html" has a backslash.* deploy the folder/],
    'a name that is no name': [
      zipOf([entry('\u202e'.repeat(20_000))]),
      /^the file "(?:\\u\{202e\}){200}…" has/,
    ],
    'nothing in it': [zipOf([]), /no files to deploy/],
    'nothing but what stays out': [zipOf([entry('.env')]), /no files to deploy/],
    'a NUL': [zipOf([entry('a\0.html')]), /control/],
    'a newline': [zipOf([entry('a\n.html')]), /control/],
    'a turned name': [zipOf([entry('a\u202e.html')]), /direction/],
    'a long name': [zipOf([entry('a'.repeat(256))]), /255/],
    'a folder with a bad name': [zipOf([entry('a\n/', { mode: 0o040755 }), entry('b.html')]), /control/],
    'a symbolic link': [zipOf([entry('index.html'), entry('link', { mode: 0o120777 })]), /symbolic link/],
    'a device': [zipOf([entry('null', { mode: 0o020666 })]), /neither/],
    'an encrypted file': [zipOf([entry('a.html', { flags: 0x801 })]), /encrypted/],
    'a name twice': [zipOf([entry('a.html'), entry('a.html')]), /twice/],
    'a name in two cases': [zipOf([entry('É.html'), entry('e\u0301.html')]), /upper and lower/],
    'another sum': [zipOf([entry('index.html'), entry('b.html', { crc: 7 })]), /b\.html.*damaged/],
    'another length': [zipOf([entry('b.html', { bytes: 3 })]), /damaged/],
    'a bomb': [zipOf([entry('a.txt', { bytes: 64 * 1024 * 1024 + 1 })]), /200 times.* deploy the folder/],
    'a long comment': [zipOf([entry('a.txt', { comment: 'a'.repeat(5000) })]), /more than 4096 bytes/],
    'its server names under a folder': [zipOf([entry('dist/_sheaf/config.json')]), /_sheaf/],
  }
  for (const [what, [body, words]] of Object.entries(zips))
    it(`is a zip file with ${what}`, () => refused(body, 'zip', 'invalid_deploy', words))

  it('takes more room than there is once it is unpacked', () =>
    refused(
      zipOf([1, 2].map((fill) => entry(`${fill}`, { content: Buffer.alloc(2_100_000, fill) }))),
      'zip',
      'store_unavailable',
      /take 4200000 bytes/,
    ))

  it('has 100,000 empty files', async () => {
    const list = Array.from({ length: 100_000 }, (_, at) => ({
      path: `${at}`,
      hash: sha256(''),
      bytes: 0,
      sent: false,
    }))
    await refused(
      Buffer.from(`${JSON.stringify({ files: list.slice(0, 1000) })}\n`),
      'files',
      'deploy_too_large',
      /50 files/,
    )
    await refused(Buffer.from(`${JSON.stringify({ files: list })}\n`), 'files', 'invalid_deploy', /no line/)
    const most = list.slice(0, 65_535).map(({ path: name }) => ({ name }))
    await refused(zipOf(most), 'zip', 'deploy_too_large', /50 files/)
  })
})
