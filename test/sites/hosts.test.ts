import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { createSitePages } from '../../src/site-pages/create-site-pages.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../http/start-test-server.ts'
import { directoryWith, SiteFolder, siteRecord } from './site-folder.ts'

const LONG = 'a'.repeat(63)
const CUT = `preview-1-${'a'.repeat(44)}-7d3e74a0`

/** What a host and a path get; each is told by what nothing else answers. */
type Kind = 'api' | 'dashboard' | 'probe' | 'nothing of the API' | 'page' | 'config' | 'nothing of a site'

const PATHS: readonly { readonly path: string; readonly own: Kind; readonly site: Kind }[] = [
  { path: '/', own: 'api', site: 'page' },
  { path: '/index.html', own: 'nothing of the API', site: 'page' },
  { path: '/_', own: 'dashboard', site: 'nothing of a site' },
  { path: '/_/', own: 'dashboard', site: 'nothing of a site' },
  { path: '/_/apps/demo', own: 'dashboard', site: 'nothing of a site' },
  { path: '/_/api/session', own: 'dashboard', site: 'nothing of a site' },
  { path: '/_/api/apps/demo/deploys', own: 'dashboard', site: 'nothing of a site' },
  { path: '/_/assets/index.js', own: 'dashboard', site: 'nothing of a site' },
  { path: '/_/health/live', own: 'probe', site: 'nothing of a site' },
  { path: '/_/health/ready', own: 'probe', site: 'nothing of a site' },
  { path: '/apps', own: 'api', site: 'nothing of a site' },
  { path: '/apps/demo/collections', own: 'api', site: 'nothing of a site' },
  { path: '/validate_key', own: 'api', site: 'nothing of a site' },
  { path: '/_sheaf/config.json', own: 'nothing of the API', site: 'config' },
  { path: '/_sheaf/other', own: 'nothing of the API', site: 'nothing of a site' },
  { path: '/%5F/api/session', own: 'nothing of the API', site: 'nothing of a site' },
  { path: '/apps%2Fdemo/collections', own: 'nothing of the API', site: 'nothing of a site' },
]

/** The server's own: nothing of sites is there. */
const OWN = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost:1',
  'localhost:',
  '127.0.0.1',
  '[::1]:8443',
  'db.localhost',
  'DB.LocalHost.:443',
  'todo.example',
  'todo.localhost.example',
  'xlocalhost',
  'todo-localhost',
  'todo%2elocalhost',
  'todo.localhost..',
]
/** Of a site: its live version, a preview, a domain of its own, in every form that means the same. */
const SITES = [
  'todo.localhost',
  'TODO.localhost',
  'Todo.LocalHost.',
  'todo.localhost:1',
  'todo.localhost.:8443',
  'todo.localhost:',
  'preview-1-todo.localhost',
  'preview-2-todo.localhost',
  `${LONG}.localhost`,
  `${CUT}.localhost`,
  'shop.example.org',
  'Shop.Example.ORG.:443',
  'xn--bcher-kva.example',
]
/** Below the sites' domain, and of none: these show nothing, and never what is the server's own. */
const UNKNOWN = [
  'other.localhost',
  'api.localhost',
  'demo.localhost',
  'www.localhost',
  'xn--a.localhost',
  'a.todo.localhost',
  'todo.localhost.localhost',
  '.localhost',
  '..localhost',
  'localhost.localhost',
  'preview-3-todo.localhost',
  'preview-0-todo.localhost',
  'preview-01-todo.localhost',
  'preview-1-other.localhost',
  'preview-1-.localhost',
  `preview-1-${'a'.repeat(53)}.localhost`,
  `preview-1-${'a'.repeat(44)}-00000000.localhost`,
  'offline.localhost',
  '%74odo.localhost',
  "to'do.localhost",
  '*.localhost',
  'constructor.localhost',
  '__proto__.localhost',
  `${'a.'.repeat(5000)}localhost`,
]

const folder = new SiteFolder()
let server: TestServer
/** Whether whoever has the sites has had all requests of the day. */
let isUsedUp = false

before(async () => {
  const manifests = (app: string): Map<number, string> =>
    new Map([1, 2].map((version) => [version, folder.write(app, { 'index.html': `page ${app} ${version}` })]))
  const domains = ['shop.example.org', 'xn--bcher-kva.example']
  const key = { id: 'K1', secret: 'publishable' }
  const sites = [
    siteRecord({ slug: 'todo', manifests: manifests('apptodo'), domains, key }),
    siteRecord({ slug: LONG, manifests: manifests(`app${LONG.slice(3)}`), app: `app${LONG.slice(3)}` }),
    siteRecord({ slug: 'offline', manifests: manifests('appoffline'), live: null }),
    siteRecord({ slug: 'db', manifests: manifests('appdb') }),
    siteRecord({ slug: 'www', manifests: manifests('appwww') }),
    siteRecord({ slug: 'xn--a', manifests: manifests('appxna') }),
  ]
  const directory = directoryWith(sites)
  server = await startTestServer({
    dashboard: async () => ({ status: 200, body: '"dashboard"' }),
    findSite: createSitePages({
      files: folder.files,
      names: { domain: 'localhost', ownHosts: new Set(['localhost', 'db.localhost']) },
      directory: () => directory,
      countRequest: (owner) => {
        if (!isUsedUp) return
        assert.equal(owner, null)
        throw new AppError('daily_quota_exceeded', 'told to no visitor', { retryAfterSeconds: 60 })
      },
      apiUrl: () => 'https://localhost:8443',
      compression: true,
      cacheBytes: 1024 * 1024,
    }),
  })
})

after(async () => {
  await server.close()
  rmSync(folder.dataDir, { recursive: true })
})

function kindOf({ status, text, headers, json }: TestAnswer): Kind | string {
  if (headers['content-type'] === 'text/plain; charset=utf-8' && status === 404) return 'nothing of a site'
  if (/^page \w+ [12]$/.test(text)) return 'page'
  if (text === '"dashboard"') return 'dashboard'
  if (text === '{"status":"ok"}') return 'probe'
  const { url, code } = (json ?? {}) as Readonly<Record<string, unknown>>
  if (url === 'https://localhost:8443') return 'config'
  if (code === 'unknown_path') return 'nothing of the API'
  return status === 200 && json !== undefined ? 'api' : `${status} ${text}`
}

async function table(hosts: readonly string[], expected: 'own' | 'site' | 'nothing'): Promise<void> {
  const wrong: string[] = []
  for (const host of hosts)
    for (const { path, own, site } of PATHS) {
      const kind = expected === 'own' ? own : expected === 'site' ? site : 'nothing of a site'
      const got = kindOf(await server.send('GET', path, { headers: { Host: host } }))
      if (got !== kind) wrong.push(`${host.slice(0, 80)}${path}: ${got}, not ${kind}`)
    }
  assert.deepEqual(wrong, [])
}

describe('a host', () => {
  it('below the domain of sites that is none of theirs shows nothing, whatever the path', () =>
    table(UNKNOWN, 'nothing'))

  it('of a site shows its files, and nothing of the API or the dashboard', () => table(SITES, 'site'))

  it('of the server itself shows nothing of sites, also where a slug would make it', () => table(OWN, 'own'))

  it('of a site whose owner has used up the day says so to visitors, and when to come again', async (t) => {
    isUsedUp = true
    t.after(() => {
      isUsedUp = false
    })
    const { status, text, headers } = await server.send('GET', '/', { headers: { Host: 'todo.localhost' } })
    assert.deepEqual([status, headers['retry-after']], [429, '60'])
    assert.equal(
      text,
      'Too many requests. This site was asked for as often as it may be for now. Try again later.\n',
    )
    const api = await server.send('GET', '/_/health/live', { headers: { Host: 'localhost' } })
    assert.equal(api.status, 200)
  })

  it('of a site takes no method that changes anything, no preflight, and allows no other origin', async () => {
    const headers = { Host: 'todo.localhost', Origin: 'https://evil.example' }
    const preflight = { ...headers, 'Access-Control-Request-Method': 'GET' }
    for (const [method, path, sent] of [
      ['POST', `/create-token/${server.keys.full}`, headers],
      ['POST', '/_/api/session', headers],
      ['PUT', '/index.html', headers],
      ['DELETE', '/apps/demo', headers],
      ['PATCH', '/', headers],
      ['TRACE', '/', headers],
      ['OPTIONS', '/apps/demo/collections', preflight],
    ] as const) {
      const answer = await server.send(method, path, {
        headers: sent,
        ...(method === 'POST' && { body: '{}' }),
      })
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'], method)
    }
    const page = await server.send('GET', '/', { headers })
    const names = Object.keys(page.headers).filter((name) => name.startsWith('access-control-'))
    assert.deepEqual([page.status, names], [200, []])
    assert.equal(page.headers['content-security-policy'], undefined)
  })

  it('that a target in absolute form names counts, whatever Host says', async () => {
    const raw = (target: string, host: string): Promise<string> =>
      server.raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    assert.match(await raw('https://todo.localhost/', 'localhost'), /\r\n\r\npage apptodo 2$/)
    assert.match(await raw('https://todo.localhost', 'localhost'), /\r\n\r\npage apptodo 2$/)
    assert.match(await raw('HTTPS://TODO.localhost:1/_/api/session', 'localhost'), /^HTTP\/1\.1 404 /)
    assert.match(await raw('https://localhost/_/health/live', 'todo.localhost'), /\{"status":"ok"\}$/)
    assert.match(await raw('https://other.localhost/_/health/live', 'localhost'), /^HTTP\/1\.1 404 /)
    for (const target of ['https://ada@todo.localhost/', 'https://todo.localhost@localhost/_/'])
      assert.match(await raw(target, 'localhost'), /^HTTP\/1\.1 400 .*user information/s)
  })

  it('that is missing, stands twice or is none is refused for every path', async () => {
    const refused = async (request: string): Promise<void> => {
      for (const path of ['/', '/_/api/session', '/_sheaf/config.json'])
        assert.match(await server.raw(request.replace('PATH', path)), /^HTTP\/1\.1 400 /, request)
    }
    await refused('GET PATH HTTP/1.1\r\nConnection: close\r\n\r\n')
    await refused('GET PATH HTTP/1.1\r\nHost: localhost\r\nHost: todo.localhost\r\n\r\n')
    for (const host of [
      'ada@todo.localhost',
      'todo.localhost/_',
      'todo localhost',
      'todo.localhost:x',
      '[todo]',
    ])
      await refused(`GET PATH HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  })

  it('that is empty or of HTTP/1.0 without one is the server itself', async () => {
    for (const request of [
      'GET /_/health/live HTTP/1.0\r\n\r\n',
      'GET /_/health/live HTTP/1.0\r\nHost:\r\n\r\n',
    ])
      assert.match(await server.raw(request), /\{"status":"ok"\}$/)
  })

  it('shows the preview of one version alone, and asks search engines to leave it out', async () => {
    for (const [host, text, robots] of [
      ['todo.localhost', 'page apptodo 2', undefined],
      ['preview-1-todo.localhost', 'page apptodo 1', 'noindex'],
      ['preview-2-todo.localhost', 'page apptodo 2', 'noindex'],
      ['preview-2-offline.localhost', 'page appoffline 2', 'noindex'],
    ] as const) {
      const answer = await server.send('GET', '/', { headers: { Host: host } })
      assert.deepEqual([answer.text, answer.headers['x-robots-tag']], [text, robots])
    }
  })

  it('gives the pages of a site what they ask the API with', async () => {
    for (const [host, app, key] of [
      ['todo.localhost', 'todo', 'publishable'],
      ['preview-1-todo.localhost', 'todo', 'publishable'],
      ['shop.example.org', 'todo', 'publishable'],
      [`${LONG}.localhost`, LONG, null],
    ] as const) {
      const { json, headers } = await server.send('GET', '/_sheaf/config.json', { headers: { Host: host } })
      assert.deepEqual(json, { url: 'https://localhost:8443', app, key })
      assert.equal(headers['cache-control'], 'no-cache')
    }
  })
})
