import assert from 'node:assert/strict'
import { rmSync, truncateSync, unlinkSync } from 'node:fs'
import { request } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createSitePages } from '../../src/site-pages/create-site-pages.ts'
import type { SiteRecord } from '../../src/storage/directory.ts'
import {
  type SendOptions,
  startTestServer,
  type TestAnswer,
  type TestServer,
} from '../http/start-test-server.ts'
import { directoryWith, SiteFolder, siteRecord } from './site-folder.ts'

const SCRIPT = `export const answer = 42 // ${'x'.repeat(4000)}`
/** Longer than what is kept in memory; each byte says where it is. */
const LONG = Uint8Array.from({ length: 1_200_000 }, (_, at) => (at * 7 + (at >> 8)) % 251)
const VIDEO = Uint8Array.from({ length: 3000 }, (_, at) => at % 251)
const TAG = /^"[\w-]{22}"$/
const PAGE = { Accept: 'text/html,*/*;q=0.8' }

const folder = new SiteFolder()
const lines: string[] = []
let sites: SiteRecord[]
let server: TestServer

function deploy(slug: string, contents: Parameters<SiteFolder['write']>[1]): SiteRecord {
  const manifests = new Map([[1, folder.write(`app${slug}`, contents)]])
  return siteRecord({ slug, manifests })
}

before(async () => {
  const settings = {
    fallback: '/index.html',
    immutable: ['/assets/*'],
    redirects: [{ from: '/old/*', to: '/new/*' }],
    headers: [
      { for: '/*', set: { 'X-Frame-Options': 'DENY', 'Access-Control-Allow-Origin': 'https://a.example' } },
      { for: '/feed', set: { 'Content-Type': 'application/rss+xml', 'Cache-Control': 'max-age=60' } },
    ],
  }
  sites = [
    deploy('todo', {
      'index.html': '<h1>é</h1>',
      'app.js': SCRIPT,
      'app.3f9a1c2b.js': 'hashed',
      'assets/logo.svg': '<svg/>',
      'empty.txt': '',
      'long.bin': LONG,
      'video.mp4': VIDEO,
    }),
    deploy('spa', {
      'index.html': 'shell',
      feed: 'rss',
      'assets/a.js': 'a',
      'sheaf.json': JSON.stringify(settings),
    }),
    deploy('lost', { 'index.html': 'lost', 'cut.html': 'cut', 'large.bin': LONG }),
    deploy('own', { '404.html': 'not here' }),
    siteRecord({ slug: 'nothing', manifests: new Map([[1, '0'.repeat(64)]]) }),
  ]
  const directory = directoryWith(sites)
  server = await startTestServer({
    lines,
    limits: { urlBytes: 10_000 },
    findSite: createSitePages({
      files: folder.files,
      names: { domain: 'localhost', ownHosts: new Set(['localhost']) },
      directory: () => directory,
      countRequest: () => {},
      apiUrl: () => 'https://localhost',
      compression: true,
      cacheBytes: 1024 * 1024,
    }),
  })
})

after(async () => {
  await server.close()
  rmSync(folder.dataDir, { recursive: true })
})

function get(
  slug: string,
  path: string,
  headers: SendOptions['headers'] = {},
  method = 'GET',
): Promise<TestAnswer> {
  return server.send(method, path, { headers: { Host: `${slug}.localhost`, ...headers } })
}

/** An answer's bytes, as they came. */
function bytesOf(path: string, headers: Readonly<Record<string, string>>): Promise<Buffer> {
  const { port } = server
  return new Promise((resolve, reject) => {
    const asked = { ...{ host: 'localhost', servername: 'localhost', port, path }, rejectUnauthorized: false }
    request(
      { ...asked, headers: { Host: 'todo.localhost', Connection: 'close', ...headers } },
      async (answer) => resolve(Buffer.concat(await answer.toArray())),
    )
      .on('error', reject)
      .end()
  })
}

describe('a file that is gone from the disk, or cut', () => {
  it('is not available, and told to the log alone', async () => {
    const { files } = folder
    const hashes = await files.readManifest('applost', sites[2]!.manifests.get(1)!)
    unlinkSync(files.pathOf('applost', hashes.files.get('index.html')!.hash))
    truncateSync(files.pathOf('applost', hashes.files.get('cut.html')!.hash), 1)
    truncateSync(files.pathOf('applost', hashes.files.get('large.bin')!.hash), 1_100_000)
    const faults = server.faults.length
    for (const path of ['/', '/cut', '/large.bin']) {
      const answer = await get('lost', path, PAGE)
      assert.equal(answer.status, 503, path)
      assert.match(answer.text, /^<!doctype html>/)
      assert.doesNotMatch(answer.text, /sheaf|applost|ENOENT|files/i)
      assert.equal(answer.headers['retry-after'], '5')
    }
    assert.equal((await get('nothing', '/')).status, 503)
    assert.equal(server.faults.length, faults + 4)
  })
})

describe('an address that can not be read', () => {
  it('is refused, as a page to people and as a line to programs', async () => {
    for (const path of ['/%', '/%zz', '/%ff', '/a/%c0%ae']) {
      const line = await get('todo', path)
      assert.equal(line.status, 400, path)
      assert.deepEqual(
        [line.text, line.headers['content-type']],
        [
          'Bad request. The address, or how it was asked for, can not be read.\n',
          'text/plain; charset=utf-8',
        ],
      )
      const page = await get('todo', path, PAGE)
      assert.match(page.text, /<title>Bad request<\/title>/)
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    }
    const tooLong = await get('todo', `/${'a'.repeat(20_000)}`)
    assert.equal(tooLong.status, 400)
    assert.equal(tooLong.headers['cache-control'], 'no-store')
  })

  it('or not be found has a page of its own, where the site has none', async () => {
    const without = await get('todo', '/nowhere', PAGE)
    assert.deepEqual([without.status, without.headers['cache-control']], [404, 'no-store'])
    assert.match(without.text, /<h1>Not found<\/h1>/)
    const own = await get('own', '/nowhere', { 'If-None-Match': '*' })
    assert.deepEqual([own.status, own.text, own.headers.etag], [404, 'not here', undefined])
    assert.equal(own.headers['cache-control'], 'public, no-cache')
  })
})

describe('a range of a file', () => {
  it('that the file has not is refused with its length', async () => {
    const { status, headers } = await get('todo', '/video.mp4', { Range: 'bytes=3000-' })
    assert.deepEqual([status, headers['content-range']], [416, 'bytes */3000'])
    assert.equal((await get('todo', '/empty.txt', { Range: 'bytes=0-' })).status, 416)
  })

  it('is sent where the file is still the same, and else the whole of it', async () => {
    const { headers } = await get('todo', '/video.mp4', {}, 'HEAD')
    assert.deepEqual([headers['accept-ranges'], headers['content-length']], ['bytes', '3000'])
    const tag = headers.etag!
    for (const [condition, status] of [
      [tag, 206],
      [`W/${tag}`, 200],
      ['"other"', 200],
      [tag.replace(/"$/, '-br"'), 200],
      ['Thu, 01 Jan 2026 00:00:00 GMT', 200],
    ] as const) {
      const part = await get('todo', '/video.mp4', { Range: 'bytes=0-0', 'If-Range': condition })
      assert.equal(part.status, status, condition)
    }
    assert.equal((await get('todo', '/video.mp4', { Range: 'bytes=0-0', 'If-None-Match': tag })).status, 304)
    assert.equal((await get('todo', '/video.mp4', { Range: 'bytes=0-0' }, 'HEAD')).status, 200)
  })

  it('is of its bytes as they are, also for those who take it compressed', async () => {
    const part = await get('todo', '/app.js', { Range: 'bytes=0-5', 'Accept-Encoding': 'br, gzip' })
    assert.deepEqual([part.status, part.text, part.headers['content-encoding']], [206, 'export', undefined])
    assert.equal(part.headers['content-range'], `bytes 0-5/${SCRIPT.length}`)
  })

  it('and the whole of a long one are the bytes that were deployed', async () => {
    assert.deepEqual(new Uint8Array(await bytesOf('/long.bin', {})), LONG)
    for (const [first, last] of [
      [0, 0],
      [262_143, 262_144],
      [262_144, 786_431],
      [999_999, 1_199_999],
    ] as const) {
      const part = await bytesOf('/long.bin', { Range: `bytes=${first}-${last}` })
      assert.deepEqual(new Uint8Array(part), LONG.subarray(first, last + 1), `${first}-${last}`)
    }
    const { headers } = await get('todo', '/long.bin', { 'Accept-Encoding': 'gzip' }, 'HEAD')
    assert.deepEqual([headers['content-length'], headers['content-encoding']], ['1200000', undefined])
    const unchanged = await get('todo', '/long.bin', { 'If-None-Match': headers.etag })
    assert.deepEqual([unchanged.status, unchanged.headers['content-length']], [304, undefined])
  })
})

describe('a file', () => {
  it('comes in the coding that its client likes best of those that it is kept in', async () => {
    for (const [accepted, coding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['zstd', undefined],
      ['br;q=0, gzip;q=0', undefined],
      ['identity, gzip;q=0.5', undefined],
    ] as const) {
      const { headers } = await get('todo', '/app.js', { 'Accept-Encoding': accepted }, 'HEAD')
      assert.deepEqual([headers['content-encoding'], headers.vary], [coding, 'Accept-Encoding'], accepted)
    }
    const br = await bytesOf('/app.js', { 'Accept-Encoding': 'br' })
    assert.equal(brotliDecompressSync(br).toString(), SCRIPT)
    assert.equal(gunzipSync(await bytesOf('/app.js', { 'Accept-Encoding': 'gzip' })).toString(), SCRIPT)
    assert.equal((await bytesOf('/app.js', {})).toString(), SCRIPT)
  })

  it('has a tag that says what it is, in each coding another', async () => {
    const plain = await get('todo', '/app.js')
    const br = await get('todo', '/app.js', { 'Accept-Encoding': 'br' }, 'HEAD')
    assert.match(plain.headers.etag!, TAG)
    assert.equal(br.headers.etag, plain.headers.etag!.replace(/"$/, '-br"'))
    for (const tag of [plain.headers.etag, br.headers.etag, `W/${plain.headers.etag}`, '*']) {
      const { status, text, headers } = await get('todo', '/app.js', { 'If-None-Match': tag })
      assert.deepEqual([status, text, headers['cache-control']], [304, '', 'public, no-cache'])
    }
    assert.equal((await get('todo', '/app.js', { 'If-None-Match': '"other"' })).status, 200)
  })

  it('is kept for ever where its name has a hash or its site says so, and else asked for again', async () => {
    for (const [slug, path, caching] of [
      ['todo', '/', 'public, no-cache'],
      ['todo', '/app.js', 'public, no-cache'],
      ['todo', '/app.3f9a1c2b.js', 'public, max-age=31536000, immutable'],
      ['todo', '/assets/logo.svg', 'public, no-cache'],
      ['spa', '/assets/a.js', 'public, max-age=31536000, immutable'],
      ['preview-1-todo', '/app.3f9a1c2b.js', 'private, no-cache'],
      ['preview-1-spa', '/feed', 'private, no-cache'],
    ] as const)
      assert.equal((await get(slug, path)).headers['cache-control'], caching, slug + path)
  })

  it('has its type, and is never taken for another', async () => {
    const page = await get('todo', '/')
    assert.deepEqual([page.text, page.headers['content-type']], ['<h1>é</h1>', 'text/html; charset=utf-8'])
    assert.equal(page.headers['x-content-type-options'], 'nosniff')
    const empty = await get('todo', '/empty.txt')
    assert.deepEqual([empty.status, empty.text, empty.headers['content-length']], [200, '', '0'])
  })

  it('has the headers that its site sets, and that site alone', async () => {
    const feed = await get('spa', '/feed')
    assert.deepEqual(
      ['x-frame-options', 'access-control-allow-origin', 'content-type', 'cache-control'].map(
        (name) => feed.headers[name],
      ),
      ['DENY', 'https://a.example', 'application/rss+xml', 'max-age=60'],
    )
    assert.equal((await get('todo', '/')).headers['x-frame-options'], undefined)
  })

  it('of a page that routes by itself is at all its addresses, for those who want a page', async () => {
    const shell = await get('spa', '/users/1', PAGE)
    assert.deepEqual([shell.status, shell.text], [200, 'shell'])
    assert.equal((await get('spa', '/users/1')).status, 404)
    const moved = await get('spa', '/old/a%20b?c=1', PAGE)
    assert.deepEqual([moved.status, moved.headers.location], [301, '/new/a%20b?c=1'])
  })

  it('is told to the log with the slug of its app', async () => {
    lines.length = 0
    await get('todo', '/app.js')
    await get('other', '/app.js')
    await server.send('GET', '/validate_key')
    const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    assert.deepEqual(
      told.map(({ site, status }) => [site, status]),
      [
        ['todo', 200],
        ['', 404],
        [undefined, 200],
      ],
    )
  })
})
