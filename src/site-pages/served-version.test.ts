import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FileList } from '../sites/file-list.ts'
import { readSiteSettings } from '../sites/site-settings.ts'
import { type RequestedPath, requestedPath } from './requested-path.ts'
import { ServedVersion, type Target } from './served-version.ts'

function version(paths: readonly string[], settings: object = {}): ServedVersion {
  const files = new FileList()
  for (const path of paths) files.add(path, { hash: 'ab'.repeat(32), bytes: path.length, encoded: {} })
  return new ServedVersion({ files, settings: readSiteSettings(JSON.stringify(settings)) })
}

/** Names stand for files: each has as many bytes as its name. */
function at(site: ServedVersion, path: string, { query = '', isForPage = true } = {}): string {
  return describeTarget(site.find(pathOf(path), { query, isForPage }))
}

function pathOf(path: string): RequestedPath {
  return requestedPath(path.split('/').slice(1).map(decodeURIComponent))!
}

function describeTarget(target: Target): string {
  switch (target.kind) {
    case 'nothing':
      return 'nothing'
    case 'redirect':
      return `${target.status} ${target.location}`
    case 'file':
      return `${target.status} of ${target.file.bytes}, ${target.file.type.split(';')[0]}`
    default:
      return target satisfies never
  }
}

const HTML = (path: string, status = 200): string => `${status} of ${path.length}, text/html`

describe('a path of a site', () => {
  it('leads to nothing above or beside its folders, however it is written', () => {
    const site = version(['index.html', 'a/b.html', 'etc/passwd'])
    for (const path of [
      '/../etc/passwd',
      '/a/../index.html',
      '/./index.html',
      '//index.html',
      '//etc/passwd',
      '/a//b.html',
      '/a%2Fb.html',
      '/a%2fb',
      '/a%5Cb.html',
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/etc/passwd',
      '/etc%00/passwd',
      '/index.html%00',
      '/index.html%0d%0aX-A:%20b',
      '/INDEX.html',
      '/constructor',
      '/__proto__',
      '/etc/passwd/',
    ])
      assert.equal(at(site, path), 'nothing', path)
  })

  it('never shows the settings', () => {
    const site = version(['sheaf.json', 'a/sheaf.json', 'sheaf.json.html'])
    assert.equal(at(site, '/a/sheaf.json'), `200 of 12, application/json`)
    assert.equal(at(site, '/sheaf.json'), HTML('sheaf.json.html'))
    assert.equal(at(version(['sheaf.json'], { notFound: '/sheaf.json' }), '/x'), 'nothing')
  })

  it('is a file, a page without its ending, or the index of a folder, in this order', () => {
    const site = version([
      'index.html',
      'about.html',
      'about/index.html',
      'docs/index.html',
      'only.html',
      'a.b',
    ])
    assert.equal(at(site, '/'), HTML('index.html'))
    assert.equal(at(site, '/index.html'), HTML('index.html'))
    assert.equal(at(site, '/index'), HTML('index.html'))
    assert.equal(at(site, '/about'), HTML('about.html'))
    assert.equal(at(site, '/about.html'), HTML('about.html'))
    assert.equal(at(site, '/about/'), HTML('about/index.html'))
    assert.equal(at(site, '/docs'), '308 /docs/')
    assert.equal(at(site, '/docs', { query: 'a=1&b=%20' }), '308 /docs/?a=1&b=%20')
    assert.equal(at(site, '/docs/'), HTML('docs/index.html'))
    assert.equal(at(site, '/docs/index'), HTML('docs/index.html'))
    assert.equal(at(site, '/only/'), '308 /only')
    assert.equal(at(site, '/a.b'), '200 of 3, application/octet-stream')
    assert.equal(at(site, '/a.b/'), 'nothing')
  })

  it('has its ending where clean addresses are off', () => {
    const site = version(['about.html', 'docs/index.html'], { cleanAddresses: false })
    assert.equal(at(site, '/about'), 'nothing')
    assert.equal(at(site, '/about/'), 'nothing')
    assert.equal(at(site, '/about.html'), HTML('about.html'))
    assert.equal(at(site, '/docs'), '308 /docs/')
  })

  it('is the same with its marks behind its letters, as a Mac writes them, and in front', () => {
    const site = version(['cafe\u0301/index.html', 'b\u00fccher.html'])
    for (const path of ['/caf%C3%A9/', '/cafe%CC%81/'])
      assert.equal(at(site, path), HTML('cafe\u0301/index.html'))
    assert.equal(at(site, '/bu%CC%88cher'), HTML('b\u00fccher.html'))
    assert.equal(at(site, '/cafe%CC%81'), '308 /caf%C3%A9/')
  })

  it('that is not there shows the fallback to people, where it names no file, else the page for that', () => {
    const site = version(['index.html', '404.html', 'a.js'], { fallback: '/index.html' })
    assert.equal(at(site, '/users/1'), HTML('index.html'))
    assert.equal(at(site, '/users/'), HTML('index.html'))
    assert.equal(at(site, '/users/1', { isForPage: false }), HTML('404.html', 404))
    assert.equal(at(site, '/b.js'), HTML('404.html', 404))
    assert.equal(at(version(['a.html'], { fallback: '/index.html' }), '/users/1'), 'nothing')
    assert.equal(at(version(['gone.html'], { notFound: '/gone.html' }), '/x'), HTML('gone.html', 404))
  })
})

describe('a redirect', () => {
  const redirects = [
    { from: '/old', to: '/new?x=1' },
    { from: '/blog/*', to: '/posts/*', status: 302 },
    { from: '/blog/first', to: '/never' },
    { from: '/away/*', to: 'https://example.org/a/*', status: 307 },
    { from: '/hash', to: '/page#part' },
    { from: '/app/*', to: '/app/start' },
    { from: '/all*', to: '/*', status: 308 },
  ]
  const site = version(['old', 'app/start', 'index.html'], { redirects })

  it('comes before a file, the first that fits, with the query that was asked for', () => {
    assert.equal(at(site, '/old', { query: 'y=2' }), '301 /new?x=1')
    assert.equal(at(site, '/blog/first', { query: 'y=2' }), '302 /posts/first?y=2')
    assert.equal(at(site, '/hash', { query: 'y=2' }), '301 /page?y=2#part')
    assert.equal(at(site, '/blog'), 'nothing')
  })

  it('leads to no other host than it names, and breaks no header', () => {
    assert.equal(at(site, '/away/x%0d%0ay'), '307 https://example.org/a/x%0D%0Ay')
    assert.equal(at(site, '/all//evil.example'), '308 /evil.example')
    assert.equal(at(site, '/all///evil.example/'), '308 /evil.example/')
    assert.equal(at(site, '/all%5C%5Cevil.example'), 'nothing')
    assert.equal(at(site, '/blog/a%3Fb%23c'), '302 /posts/a%3Fb%23c')
    assert.equal(at(site, '/blog/x', { query: '\u00e9' }), '302 /posts/x?%C3%A9')
  })

  it('to one page of all that are below a folder leaves that page where it is', () => {
    assert.equal(at(site, '/app/other'), '301 /app/start')
    assert.equal(at(site, '/app/start'), '200 of 9, application/octet-stream')
  })
})

describe('headers', () => {
  it('are those of all rules that fit the path, of one name the last', () => {
    const site = version(['a'], {
      headers: [
        { for: '/*', set: { 'X-A': '1', 'X-B': '1' } },
        { for: '/a/*', set: { 'x-a': '2' } },
        { for: '/b', set: { 'X-C': '3' } },
      ],
    })
    const headersOf = (path: string): object => Object.fromEntries(site.headersFor(pathOf(path)) ?? [])
    assert.deepEqual(headersOf('/'), { 'x-a': '1', 'x-b': '1' })
    assert.deepEqual(headersOf('/a/x'), { 'x-a': '2', 'x-b': '1' })
    assert.deepEqual(headersOf('/b'), { 'x-a': '1', 'x-b': '1', 'x-c': '3' })
    assert.equal(version(['a']).headersFor(pathOf('/a')), undefined)
  })
})
