import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { after, before, describe, it, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { DASHBOARD_HEADERS } from '../../src/http/response/dashboard-headers.ts'
import { ROOT } from '../docs/page.ts'
import { type ServerProcess, startServer } from '../server/start-server.ts'

const BUILD = new URL('../../dashboard/dist/', import.meta.url)
const SCRIPT = readdirSync(new URL('assets/', BUILD)).find((name) => /^index-.*\.js$/.test(name))!
const HOSTILE = [
  'nothing.js',
  '',
  '..%2f..%2fpackage.json',
  '../index.html',
  '../../package.json',
  '..\\..\\package.json',
  '%2e%2e/%2e%2e/package.json',
  `./${SCRIPT}`,
  `${SCRIPT}/`,
  `${SCRIPT}.br`,
  `${SCRIPT}%00`,
  `/${SCRIPT}`,
  '__proto__',
  'constructor',
  'x'.repeat(4000),
]

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

describe('what is under /_ beside the interface', () => {
  let server: ServerProcess

  before(async () => {
    server = await startServer()
  })
  after(() => server.dispose())

  /** The bytes as they came. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> =>
    new Promise((resolve, reject) => {
      const { port, ca } = server
      const sent = httpsRequest({ host: '127.0.0.1', port, ca, path, method, headers }, async (answer) => {
        const bytes = Buffer.concat(await answer.toArray())
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes })
      })
      sent.on('error', reject)
      sent.end()
    })

  it('is 404 and no page where a file has any name but one that was built', async () => {
    for (const name of HOSTILE) {
      const { status, headers, bytes } = await get(`/_/assets/${name}`)
      assert.equal(status, 404, name)
      assert.equal(headers['content-type'], 'application/json', name)
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(JSON.parse(bytes.toString()).code, 'unknown_path')
    }
  })

  it('is the one page at any other address, whoever leads there', async () => {
    const html = readFileSync(new URL('index.html', BUILD))
    const foreign = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', Cookie: 'x=y' }
    for (const path of [
      '/_',
      '/_/',
      '/_/anything',
      '/_/apps/todo/data?q={}',
      '/_/apix',
      '/_/assets',
      '/_//x',
    ])
      for (const headers of [{}, foreign]) {
        const got = await get(path, headers)
        assert.equal(got.status, 200, path)
        assert.equal(got.headers['content-type'], 'text/html; charset=utf-8')
        assert.equal(got.headers['cache-control'], 'no-cache')
        assert.deepEqual(got.bytes, html)
      }
    const api = await get('/_/api/anything')
    assert.deepEqual([api.status, api.headers['content-type']], [404, 'application/json'])
  })

  it('takes GET and HEAD and nothing else', async () => {
    for (const path of ['/_/', `/_/assets/${SCRIPT}`])
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const { status, headers } = await get(path, {}, method)
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], `${method} ${path}`)
      }
    for (const path of ['/_/', `/_/assets/${SCRIPT}`]) {
      const [got, head] = [await get(path), await get(path, {}, 'HEAD')]
      const common = ({ headers }: Got) => ({ ...headers, date: '', 'x-request-id': '' })
      assert.deepEqual(common(head), common(got))
      assert.equal(head.bytes.length, 0)
    }
  })

  it('comes in the coding that a client takes, the same in each', async () => {
    const plain = readFileSync(new URL(`assets/${SCRIPT}`, BUILD))
    const same = (bytes: Buffer): Buffer => bytes
    for (const [accepted, coding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0.5, gzip', 'gzip', gunzipSync],
      ['zstd, gzip;q=0.1', 'gzip', gunzipSync],
      ['zstd', undefined, same],
      ['br;q=0, gzip;q=0', undefined, same],
      ['*', 'br', brotliDecompressSync],
      ['', undefined, same],
    ] as const) {
      const { status, headers, bytes } = await get(`/_/assets/${SCRIPT}`, { 'Accept-Encoding': accepted })
      assert.equal(status, 200)
      assert.equal(headers['content-encoding'], coding, accepted)
      assert.equal(headers['content-length'], String(bytes.length))
      assert.equal(headers.vary, 'Accept-Encoding')
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.deepEqual(decode(bytes), plain)
    }
  })

  it('is not sent again to whoever has it', async () => {
    for (const path of ['/_/', '/_/apps', `/_/assets/${SCRIPT}`])
      for (const accepted of ['br', 'identity']) {
        const first = await get(path, { 'Accept-Encoding': accepted })
        const tag = String(first.headers.etag)
        const again = await get(path, { 'Accept-Encoding': accepted, 'If-None-Match': tag })
        assert.deepEqual([again.status, again.bytes.length], [304, 0])
        assert.equal(again.headers.etag, tag)
        assert.equal(again.headers['cache-control'], first.headers['cache-control'])
        assert.equal(again.headers.vary, 'Accept-Encoding')
      }
    assert.equal((await get('/_/', { 'If-None-Match': '"another"' })).status, 200)
  })

  it('carries the policy on every answer', async () => {
    for (const path of ['/_', '/_/', '/_/x', `/_/assets/${SCRIPT}`, '/_/assets/nothing.js', '/_/api/x'])
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { headers } = await get(path, {}, method)
        for (let at = 0; at < DASHBOARD_HEADERS.length; at += 2)
          assert.equal(headers[DASHBOARD_HEADERS[at]!.toLowerCase()], DASHBOARD_HEADERS[at + 1], path)
        assert.equal(headers['x-content-type-options'], 'nosniff')
      }
  })

  it('holds no script and no style in the page itself', () => {
    const html = readFileSync(new URL('index.html', BUILD), 'utf8')
    assert.doesNotMatch(html, /<style|\son\w+=|\sstyle=|javascript:/i)
    for (const [, attributes, inside] of html.matchAll(/<script([^>]*)>([^<]*)/g)) {
      assert.match(attributes!, /\ssrc="\/_\/assets\/[\w.-]+"/)
      assert.equal(inside, '')
    }
  })
})

describe('several threads that serve HTTP', () => {
  it('serve the same pages', async () => {
    const server = await startServer({ env: { SHEAF_HTTP_THREADS: '2' } })
    try {
      const clients = Array.from({ length: 8 }, () => server.newClient(1))
      const answers = await Promise.all(clients.map((client) => client.send('GET', `/_/assets/${SCRIPT}`)))
      assert.deepEqual(
        [...new Set(answers.map(({ status, headers }) => `${status} ${headers.etag}`))].length,
        1,
      )
      for (const client of clients) client.close()
    } finally {
      await server.dispose()
    }
  })
})

test('a packed release carries the built files', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  for (const path of ['dashboard/dist/index.html.br', `dashboard/dist/assets/${SCRIPT}`, 'src/main.ts'])
    assert.ok(paths.includes(path), path)
  assert.deepEqual(
    paths.filter((path) => /\.test\.ts$|^test\/|node_modules/.test(path)),
    [],
  )
})
