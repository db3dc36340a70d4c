import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { createSitePages } from '../../src/site-pages/create-site-pages.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../http/start-test-server.ts'
import { directoryWith, SiteFolder, siteRecord } from './site-folder.ts'

const PAGE = { Accept: 'text/html,*/*;q=0.8' }
const POLICY = "default-src 'none'"

const folder = new SiteFolder()
let server: TestServer

before(async () => {
  const settings = {
    fallback: '/index.html',
    immutable: ['/*'],
    headers: [
      { for: '/*', set: { 'Content-Security-Policy': POLICY } },
      { for: '/js/*', set: { 'Cache-Control': 'max-age=60', 'Content-Type': 'text/x-script' } },
    ],
  }
  const plain = folder.write('appplain', { 'index.html': 'page' })
  const strict = folder.write('appstrict', {
    'index.html': 'page',
    '404.html': 'not here',
    'js/app.js': 'app',
    'sheaf.json': JSON.stringify(settings),
  })
  const directory = directoryWith([
    siteRecord({ slug: 'plain', manifests: new Map([[1, plain]]) }),
    siteRecord({ slug: 'strict', manifests: new Map([[1, strict]]) }),
  ])
  server = await startTestServer({
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
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  return server.send('GET', path, { headers: { Host: `${slug}.localhost`, ...headers } })
}

function headersOf({ headers }: TestAnswer): unknown[] {
  return ['content-type', 'cache-control', 'content-security-policy'].map((name) => headers[name])
}

describe('an address longer than that of any file', () => {
  it('is not found, also where others show the fallback, and whatever it is made of', async () => {
    for (const path of [`/${'a'.repeat(1026)}`, `/${'.'.repeat(9000)}/`, `/a${'%CC%95%D6%B0'.repeat(800)}`])
      assert.equal((await get('strict', path, PAGE)).status, 404, path.slice(0, 20))
    assert.equal((await get('strict', `/${'a'.repeat(1024)}/`, PAGE)).text, 'page')
  })
})

describe('what is shown instead of a file that is missing', () => {
  it('has its own type and is asked for again, and has the other headers of the address', async () => {
    for (const [headers, status, text] of [
      [{}, 404, 'not here'],
      [PAGE, 200, 'page'],
    ] as const) {
      const answer = await get('strict', '/js/gone', headers)
      assert.deepEqual([answer.status, answer.text], [status, text])
      assert.deepEqual(headersOf(answer), ['text/html; charset=utf-8', 'public, no-cache', POLICY])
    }
    assert.deepEqual(headersOf(await get('strict', '/js/app.js')), ['text/x-script', 'max-age=60', POLICY])
  })
})

describe('the tag of a file', () => {
  it('is another one where its site sets other headers, so that no browser keeps those of before', async () => {
    const [plain, strict] = [await get('plain', '/'), await get('strict', '/')]
    assert.match(strict.headers.etag!, /^"[\w-]{22}"$/)
    for (const [slug, { headers }, status] of [
      ['plain', strict, 200],
      ['strict', plain, 200],
      ['strict', strict, 304],
    ] as const)
      assert.equal((await get(slug, '/', { 'If-None-Match': headers.etag! })).status, status, slug)
  })
})
