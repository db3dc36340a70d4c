import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { type Credential, cookieOf, Dashboard, PASSWORD, type Sent } from './start-dashboard.ts'

const EMAIL = 'ada@example.org'
const DAY_MS = 24 * 60 * 60 * 1000
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

describe('the way in for accounts', () => {
  let dashboard: Dashboard
  let ada: AccountRecord
  const signIn = (more: object = {}, sent: Sent = {}) =>
    dashboard.send('POST', '/session', {}, { json: { email: EMAIL, password: PASSWORD, ...more }, ...sent })

  before(async () => {
    dashboard = await Dashboard.start()
    ada = await dashboard.account(EMAIL)
  })
  after(() => dashboard.close())

  it('signs in by e-mail and password, keeps the secret in a cookie of this host alone, and signs out', async () => {
    const answer = await signIn()
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json.account, { ...ada, createdAt: new Date(ada.createdAt).toISOString() })
    assert.match(
      String(answer.headers['set-cookie']),
      /^__Host-sheaf-session=[\w-]{43}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    const cookie = cookieOf(answer)
    const secret = cookie.Cookie!.split('=')[1]!
    assert.ok(!answer.text.includes(secret))
    const open = await dashboard.send('GET', '/session', cookie)
    assert.equal(open.json.account.email, EMAIL)
    const out = await dashboard.send('DELETE', '/session', cookie)
    assert.equal(out.status, 204)
    assert.match(String(out.headers['set-cookie']), /^__Host-sheaf-session=; Max-Age=0; /)
    assert.equal((await dashboard.send('GET', '/session', cookie)).json.code, 'invalid_credentials')
  })

  it('lets in nobody by an API key, an ended session, or no credential, and no session at documents', async () => {
    const ended = await dashboard.session(ada, { ageMs: 8 * DAY_MS })
    const credentials: [Credential, string][] = [
      [{}, 'missing_credentials'],
      [ended, 'invalid_credentials'],
      [{ 'X-Service-API-Key': dashboard.server.apiKey }, 'missing_credentials'],
      [{ Authorization: `Bearer ${dashboard.server.apiKey}` }, 'invalid_credentials'],
      [{ Authorization: 'Bearer' }, 'invalid_credentials'],
      [{ ...(await dashboard.session(ada)), Authorization: 'Bearer shfa_none' }, 'invalid_credentials'],
      [{ Cookie: '__Host-sheaf-session=' }, 'invalid_credentials'],
      [{ Cookie: `sheaf-session=${'a'.repeat(43)}` }, 'missing_credentials'],
    ]
    for (const [credential, code] of credentials) {
      const { status, json } = await dashboard.send('GET', '/session', credential)
      assert.deepEqual([status, json.code], [401, code], JSON.stringify(credential))
    }
    const session = await dashboard.session(ada)
    const atDocuments = await dashboard.server.newClient().send('GET', '/apps', {
      headers: { ...session, 'X-Service-API-Key': '' },
    })
    assert.equal(atDocuments.status, 401)
  })

  it('lets an account write documents on conditions, as a key does', async () => {
    const session = await dashboard.session(ada)
    assert.equal((await dashboard.send('POST', '/apps', session, { json: { slug: 'drafts' } })).status, 201)
    const path = '/apps/drafts/collections/c/x'
    const put = (n: number, headers: Record<string, string>) =>
      dashboard.send('PUT', path, session, { json: { n }, headers })
    const made = await put(1, { 'If-None-Match': '*' })
    assert.deepEqual([made.status, made.headers['content-location']], [201, 'x'])
    const { etag } = (await dashboard.send('GET', path, session)).headers
    assert.equal(etag, made.headers.etag)
    const changed = await put(2, { 'If-Match': String(etag) })
    assert.equal(changed.status, 200)
    const late = await put(3, { 'If-Match': String(etag) })
    assert.deepEqual(
      [late.status, late.json.code, late.headers.etag],
      [412, 'precondition_failed', changed.headers.etag],
    )
  })

  it('deletes one document by its exact id where it is as it was read', async () => {
    const session = await dashboard.session(ada)
    const viewer = await dashboard.account('vic@example.org')
    assert.equal((await dashboard.send('POST', '/apps', session, { json: { slug: 'exact' } })).status, 201)
    await dashboard.accounts.setShare({ app: 'exact', account: viewer.id, role: 'viewer' }, 'test')
    const path = '/apps/exact/collections/c'
    const saved = await dashboard.send('POST', path, session, {
      body: '{"_id":"."}',
      headers: { 'Content-Type': 'application/json' },
    })
    const remove = (id: string, headers = {}, by = session) =>
      dashboard.send('DELETE', `${path}?id=${encodeURIComponent(id)}`, by, { headers })
    const refused = [
      [await remove('"."', {}, await dashboard.session(viewer)), 403, 'permission_denied'],
      [await remove('"."', { 'If-Match': '"0000000000000000000000"' }), 412, 'precondition_failed'],
      [await remove('"."', { 'If-None-Match': '*' }), 412, 'precondition_failed'],
      [await remove('.'), 400, 'invalid_json'],
      [await remove('[]'), 400, 'invalid_id'],
      [await remove('7'), 404, 'document_not_found'],
      [await dashboard.send('DELETE', `${path}?id=7&q=%7B%7D`, session), 400, 'invalid_parameter'],
      [await dashboard.send('DELETE', path, session), 400, 'missing_query'],
    ] as const
    for (const [answer, status, code] of refused)
      assert.deepEqual([answer.status, answer.json.code], [status, code])
    const tag = { 'If-Match': String(saved.headers.etag) }
    const deleted = await remove('"."', tag)
    assert.deepEqual([deleted.status, deleted.text], [200, '{"_id":"."}'])
    assert.equal((await remove('"."', tag)).status, 404)
  })

  it('takes no cookie for its own that a sibling host could set', async () => {
    const [own, eves] = [
      await dashboard.session(ada),
      await dashboard.session(await dashboard.account('eve@example.org')),
    ]
    // Each is a name without the prefix to a browser, which may send it first.
    for (const space of ['\u00a0', '\u0085', '"', '=']) {
      const cookies = `${space}${eves.Cookie}; ${own.Cookie}`
      const bytes = Buffer.from(
        `GET /_/api/session HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookies}\r\nConnection: close\r\n\r\n`,
        'latin1',
      )
      const answer = await dashboard.server.client.raw(bytes)
      assert.match(answer, /"email":"ada@/, JSON.stringify(space))
    }
    const usual = await dashboard.send('GET', '/session', { Cookie: `a=b; \t${own.Cookie} ;c=d` })
    assert.equal(usual.json.account.email, EMAIL)
  })

  it('refuses what a page of another origin can send', async () => {
    const session = await dashboard.session(ada)
    const host = `127.0.0.1:${dashboard.server.port}`
    const tried: [method: string, headers: Record<string, string>, status: number][] = [
      ['DELETE', { 'Sec-Fetch-Site': 'same-site' }, 403],
      ['DELETE', { 'Sec-Fetch-Site': 'cross-site' }, 403],
      ['DELETE', { 'Sec-Fetch-Site': 'none' }, 403],
      ['GET', { 'Sec-Fetch-Site': 'cross-site' }, 403],
      ['GET', { 'Sec-Fetch-Site': 'same-site' }, 403],
      ['GET', { 'Sec-Fetch-Site': 'none' }, 200],
      ['DELETE', { 'Sec-Fetch-Site': '' }, 403],
    ]
    for (const [method, headers, status] of tried) {
      const answer = await dashboard.send(method, '/session', session, { headers })
      assert.equal(answer.status, status, `${method} ${JSON.stringify(headers)}`)
    }
    const old = (origin?: string) => {
      const headers: Record<string, string> = { ...session, ...(origin !== undefined && { Origin: origin }) }
      return dashboard.server.client.send('DELETE', '/_/api/session', { headers })
    }
    for (const origin of [
      undefined,
      'null',
      'https://evil.example.org',
      `http://${host}`,
      'https://127.0.0.1',
    ])
      assert.equal((await old(origin)).status, 403, `${origin}`)
    assert.equal((await dashboard.send('GET', '/session', session)).status, 200)
    assert.equal((await old(`https://${host}`)).status, 204)
  })

  it('takes JSON that is called so, and no form', async () => {
    const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
    for (const type of [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
    ]) {
      const headers = type === undefined ? {} : { 'Content-Type': type }
      const answer = await dashboard.send('POST', '/session', {}, { body, headers })
      assert.deepEqual([answer.status, answer.json.code], [415, 'unsupported_media_type'], `${type}`)
    }
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' }
    assert.equal((await dashboard.send('POST', '/session', {}, { body, headers })).status, 200)
    // Also where nothing is asked for that a body would say.
    const session = await dashboard.session(ada)
    for (const [method, path] of [
      ['POST', '/account/totp'],
      ['DELETE', '/session'],
    ] as const) {
      const form = { body: 'a=b', headers: { 'Content-Type': 'text/plain' } }
      assert.equal((await dashboard.send(method, path, session, form)).status, 415, `${method} ${path}`)
    }
    assert.equal((await dashboard.send('GET', '/session', session)).status, 200)
  })

  it('says what is wrong with a body', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const bodies = ['', '[]', 'null', '{', '"x"', '{"email":7}', '\ud800', `{"email":"${EMAIL}"}`]
    for (const body of [...bodies, JSON.stringify({ email: EMAIL, password: PASSWORD, isOperator: true })]) {
      const { status, json } = await dashboard.send('POST', '/session', {}, { body, headers })
      assert.equal(status, 400, body)
      assert.match(json.code, /^invalid_(json|request)$/)
    }
    // It could not be cloned on its way to the thread of accounts, or not be read there.
    for (const levels of [2, 1000, 12_000, 40_000]) {
      const body = `{"name":"ci","rules":{"apps":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}`
      const { status, json } = await dashboard.send('POST', '/apps/demo/keys', {}, { body, headers })
      assert.deepEqual([status, json.code], [400, 'invalid_request'], `${levels}`)
    }
    const long = await signIn({ password: 'x'.repeat(1_000_000) })
    assert.deepEqual([long.status, long.json.code], [413, 'body_too_large'])
    assert.equal((await signIn({ password: 'x'.repeat(200_000) })).json.code, 'invalid_credentials')
  })

  it('has its headers on every answer, and none that would let other origins read it', async () => {
    const session = await dashboard.session(ada)
    const headers = { Origin: 'https://evil.example.org' }
    for (const [method, path, status] of [
      ['GET', '/session', 200],
      ['GET', '/anything', 404],
      ['PATCH', '/session', 405],
      ['OPTIONS', '/session', 405],
      ['GET', '/%ff', 400],
    ] as const) {
      const answer = await dashboard.send(method, path, session, { headers })
      assert.equal(answer.status, status, `${method} ${path}`)
      assert.equal(answer.headers['content-type'], 'application/json')
      for (const [name, value] of Object.entries(HEADERS)) assert.equal(answer.headers[name], value, name)
      assert.ok(!Object.keys(answer.headers).some((name) => name.startsWith('access-control-')))
    }
  })
})
