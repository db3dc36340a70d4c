import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_SITE_SETTINGS, readSiteSettings, requireNamedFiles } from './site-settings.ts'

function refused(json: unknown, message: RegExp): void {
  const text = typeof json === 'string' ? json : JSON.stringify(json)
  assert.throws(() => readSiteSettings(text), { code: 'invalid_deploy', message }, text.slice(0, 100))
}

const redirect = (to: unknown, from: unknown = '/a', status?: unknown): unknown => ({
  redirects: [{ from, to, ...(status !== undefined && { status }) }],
})
const headers = (set: unknown, pattern: unknown = '/*'): unknown => ({ headers: [{ for: pattern, set }] })

describe('sheaf.json', () => {
  it('is refused where it is no JSON, no object, or too long, with its name', () => {
    refused('', /^sheaf\.json: is no JSON: /)
    refused('{"a":}', /is no JSON/)
    refused('[]', /its text must be an object with some of fallback, notFound/)
    refused('null', /must be an object/)
    refused(`{"immutable":[${'"/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",'.repeat(2100)}"/a"]}`, /more than 65536/)
  })

  it('is refused with what it does not know, wherever that stands', () => {
    refused({ fallBack: '/index.html' }, /"fallBack" is no setting; there are fallback, /)
    refused('{"__proto__":{}}', /"__proto__" is no setting/)
    refused({ redirects: [{ from: '/a', to: '/b', force: true }] }, /"force" in redirects\[0\] is no setting/)
    refused({ headers: [{ for: '/a', set: {}, values: {} }] }, /"values" in headers\[0\]/)
  })

  it('names files by paths alone', () => {
    for (const path of ['index.html', '', '/', '/a/', '//a', '/\\a', '/a?b', '/a#b', '/*', '/a\n', 1, ['/a']])
      refused({ fallback: path }, /fallback takes the path of a file/)
    refused({ notFound: null }, /notFound takes the path/)
    refused({ cleanAddresses: 'yes' }, /cleanAddresses takes true or false/)
  })

  it('takes a * at the end of a pattern alone', () => {
    for (const pattern of [
      '/*.js',
      '/a/*/b',
      '*',
      '/**',
      'a',
      '//a/*',
      '/\\a',
      '/a\u0000',
      '/\ud800',
      null,
      {},
    ])
      refused({ immutable: [pattern] }, /immutable\[0\] takes a path/)
    refused({ immutable: '/a' }, /immutable takes a list/)
    refused({ immutable: Array(201).fill('/a') }, /at most 200/)
  })

  it('leads nowhere by an address that a browser reads as another', () => {
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://user:secret@example.org/',
      'evil.example',
      '',
      `/${'a'.repeat(2048)}`,
      7,
    ])
      refused(redirect(to), /redirects\[0\]\.to takes a path/)
  })

  it('puts what a * stood for behind a slash of a path, never into a host', () => {
    for (const to of ['https://example.org*', 'https://*/', '/new*', '/*/new', '/*?a=*', '/new?to=*'])
      refused(redirect(to, '/old/*'), /\.to takes a path/)
    refused(redirect('/new/*', '/old'), /has a \* that redirects\[0\]\.from lacks/)
    refused(redirect('/a', '/a'), /leads to where it comes from/)
    for (const status of [200, 300, 304, '301', 404])
      refused(redirect('/b', '/a', status), /status takes one of/)
    refused({ redirects: Array(1001).fill({ from: '/a', to: '/b' }) }, /at most 1000/)
  })

  it('sets no header that frames an answer, reaches beyond the site, or gives orders to a proxy', () => {
    for (const name of [
      'Set-Cookie',
      'content-length',
      'Transfer-Encoding',
      'ETag',
      'Clear-Site-Data',
      'Set-Cookie2',
      'Strict-Transport-Security',
      'Sec-A',
      'Server',
      'Location',
      'Status',
      'Age',
      'Vary',
      'WWW-Authenticate',
      'Proxy-Authenticate',
      'Alt-Svc',
      'X-Accel-Redirect',
      'x-accel-limit-rate',
      'X-Sendfile',
      'X-LIGHTTPD-send-file',
      'X-LiteSpeed-Location',
      'X-Content-Type-Options',
      'X-Request-Id',
      'Anything',
      '__proto__',
    ])
      refused(headers({ [name]: 'x' }), new RegExp(`"${name}" in headers\\[0\\]\\.set can't be set`))
    for (const name of ['', 'a b', 'a:', 'é', 'a\r\nb'])
      refused(headers({ [name]: 'x' }), /no name of a header/)
    for (const value of ['', ' a', 'a\r\nSet-Cookie: b', 'é', '\u0000', 1, null, ['a']])
      refused(headers({ 'X-A': value }), /takes a text of ASCII/)
    refused(
      '{"headers":[{"for":"/*","set":{"X-A":"1","x-a":"2"}}]}',
      /"x-a" stands in headers\[0\]\.set twice/,
    )
    for (const set of [null, [], 'X-A: 1']) refused(headers(set), /set takes an object/)
  })

  it('names no file that is not deployed with it, but for the page by default', () => {
    const isThere = (path: string): boolean => path === 'index.html'
    for (const [settings, message] of [
      [
        '{"fallback":"/app.html"}',
        /^sheaf\.json: fallback names "\/app\.html", which is not among the files/,
      ],
      ['{"notFound":"/gone.html"}', /notFound names "\/gone\.html"/],
    ] as const)
      assert.throws(() => requireNamedFiles(readSiteSettings(settings), isThere), {
        code: 'invalid_deploy',
        message,
      })
    for (const settings of ['{}', '{"fallback":"/index.html"}', '{"notFound":"/index.html"}'])
      requireNamedFiles(readSiteSettings(settings), isThere)
  })

  it('has a default for each setting, and each in one form', () => {
    assert.deepEqual(readSiteSettings('{}'), NO_SITE_SETTINGS)
    assert.deepEqual(
      readSiteSettings(
        '\ufeff{"fallback":"/index.html","cleanAddresses":false,"immutable":["/assets/*"],' +
          '"redirects":[{"from":"/old/*","to":"/new/*"},{"from":"/x","to":"https://EXAMPLE.org/ü","status":308}],' +
          '"headers":[{"for":"/*","set":{"X-Frame-Options":"DENY"}}]}',
      ),
      {
        fallback: '/index.html',
        notFound: '/404.html',
        cleanAddresses: false,
        immutable: ['/assets/*'],
        redirects: [
          { from: '/old/*', to: '/new/*', status: 301 },
          { from: '/x', to: 'https://example.org/%C3%BC', status: 308 },
        ],
        headers: [{ for: '/*', set: { 'x-frame-options': 'DENY' } }],
      },
    )
  })
})
