import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { hashApiKey } from '../../src/credentials/api-key.ts'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import { Client } from '../server/client.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

const HERE = '127.0.0.1'
const THERE = '127.0.0.2'
const SECRET = 'a-secret-made-elsewhere-for-settings'
const OPEN = {
  addresses: 'all',
  websites: 'all',
  localhost: true,
  rate: 'none',
  documentBytes: null,
  keyDefaults: {},
}
const THINGS = '/apps/todo/collections/things'
const TOO_LARGE = 'a document of this app may have at most 100 bytes, as its settings say'

describe('settings of an app', () => {
  let dashboard: Dashboard
  let owner: AccountRecord
  let session: Credential
  let id: string
  const clients = new Map<string, Client>()

  before(async () => {
    dashboard = await Dashboard.start()
    const { accounts, server } = dashboard
    owner = await dashboard.account('ada@example.org')
    session = await dashboard.session(owner)
    await accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    const key = { owner: owner.id, name: 'web', hash: hashApiKey(SECRET), rules: UNLIMITED }
    id = (await accounts.createKey(key, 'test')).id
    for (const localAddress of [HERE, THERE])
      clients.set(localAddress, new Client({ port: server.port, ca: server.ca, localAddress }))
  })
  after(async () => {
    for (const client of clients.values()) client.close()
    await dashboard.close()
  })

  const patch = (json: unknown, as = session) => dashboard.send('PATCH', '/apps/todo/settings', as, { json })

  async function set(json: unknown): Promise<void> {
    const { status, text } = await patch({ ...OPEN, ...(json as object) })
    assert.equal(status, 200, text)
  }

  interface ByKey {
    readonly path?: string
    readonly method?: string
    readonly body?: string
    readonly from?: string
    readonly headers?: Readonly<Record<string, string>>
  }

  /** The status and code of what a key's request gets. */
  async function byKey({ path = THINGS, method = 'GET', body, from = HERE, headers = {} }: ByKey) {
    const all = { 'X-Service-API-Key': SECRET, ...headers }
    const { status, text } = await clients
      .get(from)!
      .send(method, path, { headers: all, ...(body !== undefined && { body }) })
    const { code, message } = status < 300 ? {} : JSON.parse(text)
    return { status, code, message }
  }

  const trial = async (json: unknown) =>
    (await dashboard.send('POST', `/apps/todo/keys/${id}/trial`, session, { json })).json

  it('shut out addresses and websites for every key and its tokens, as a trial tells, and no session', async () => {
    const made = await clients.get(HERE)!.send('POST', `/create-token/${SECRET}`)
    const token = { 'X-Service-API-Key': `token:${JSON.parse(made.text).id_result}` }
    await set({ addresses: [HERE], websites: ['www.example.com'], localhost: false })
    const page = { Origin: 'https://www.example.com' }
    const refused: readonly (readonly [ByKey, string])[] = [
      [{ from: THERE, headers: page }, 'address_not_allowed'],
      [{}, 'website_not_allowed'],
      [{ headers: { Origin: 'https://evil.example.com' } }, 'website_not_allowed'],
      [{ headers: { Referer: 'http://localhost:5173/' } }, 'website_not_allowed'],
    ]
    for (const [request, code] of refused)
      for (const by of [{}, token])
        for (const path of [THINGS, `${THINGS}/1`, '/apps/todo/collections/', '/apps/%74odo/nothing']) {
          const headers = { ...request.headers, ...by }
          const real = await byKey({ ...request, path, headers })
          assert.deepEqual([real.status, real.code], [403, code], path)
        }
    assert.equal((await byKey({ headers: { ...page, ...token } })).status, 200)
    // Of no app.
    for (const path of ['/', '/apps']) assert.equal((await byKey({ path, from: THERE })).status, 200)
    const { isAdmitted, code, message } = await trial({ method: 'GET', address: THERE })
    const real = await byKey({ from: THERE })
    assert.deepEqual([isAdmitted, code, message], [false, real.code, real.message])
    assert.match(message, /^this app may not be used from this address$/)
    const origin = page.Origin
    assert.equal(
      (await trial({ method: 'GET', collection: 'things', address: HERE, origin })).isAdmitted,
      true,
    )
    assert.equal((await dashboard.send('GET', THINGS, session)).status, 200)
  })

  it('bound the rate of all keys together, and use up nothing for a trial', async () => {
    await dashboard.accounts.createKey(
      { owner: owner.id, name: 'second', hash: hashApiKey(`${SECRET}-2`), rules: UNLIMITED },
      'test',
    )
    await set({ rate: '2/min' })
    const second = { 'X-Service-API-Key': `${SECRET}-2` }
    assert.equal((await trial({ method: 'GET' })).isAdmitted, true)
    assert.equal((await byKey({})).status, 200)
    // Through another thread the second key may be known a moment later.
    assert.equal((await byKey({ headers: second })).status, 200)
    for (const headers of [{}, second]) {
      const { status, code, message } = await byKey({ headers })
      assert.deepEqual([status, code], [429, 'rate_limited'])
      assert.match(message, /^this app is used more often than its rate allows/)
    }
    assert.equal((await byKey({ path: '/apps' })).status, 200)
    assert.equal((await dashboard.send('GET', THINGS, session)).status, 200)
  })

  it('bound documents however they are written, and by whom, and say whose limit it is', async () => {
    await set({ documentBytes: 100 })
    const fits = (n: number) => `{"_id":${n},"text":"${'x'.repeat(80)}"}`
    const long = '{"text":"é'.padEnd(70, 'x')
    assert.equal((await byKey({ method: 'POST', body: fits(1) })).status, 201)
    const many = Array.from({ length: 500 }, (_, n) => fits(n % 100))
    const ndjson = { 'Content-Type': 'application/x-ndjson' }
    const refused: readonly (readonly [ByKey, string])[] = [
      // With the _id that it gets it has 106 bytes.
      [{ method: 'POST', body: `${long}"}` }, TOO_LARGE],
      [
        { method: 'POST', body: `[${fits(1)},${fits(1)},${fits(1000000)}]` },
        `the document at index 2: ${TOO_LARGE}`,
      ],
      [
        { method: 'POST', body: `${many.join('\n')}\n{"a":"${'x'.repeat(99)}"}`, headers: ndjson },
        `line 501: ${TOO_LARGE}`,
      ],
      [{ method: 'POST', body: `{"a":"${'x'.repeat(50_000)}"}` }, TOO_LARGE],
      [{ method: 'PUT', path: `${THINGS}/1`, body: `{"$set":{"more":"${'x'.repeat(20)}"}}` }, TOO_LARGE],
      [{ method: 'PUT', path: `${THINGS}/new`, body: `{"text":"${'x'.repeat(90)}"}` }, TOO_LARGE],
      [{ method: 'PUT', path: `${THINGS}?q={}`, body: `{"$set":{"more":"${'x'.repeat(20)}"}}` }, TOO_LARGE],
      [
        {
          method: 'PUT',
          path: `${THINGS}?q={"a":1}&u=true`,
          body: `{"$set":{"more":"${'x'.repeat(90)}"}}`,
        },
        TOO_LARGE,
      ],
    ]
    for (const [request, message] of refused) {
      const { status, code, message: told } = await byKey(request)
      assert.deepEqual([status, code, told], [400, 'document_too_large', message])
      const { method = 'POST', path = THINGS, body, headers } = request
      const bySession = await dashboard.send(method, path, session, {
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && { body }),
      })
      assert.deepEqual([bySession.status, bySession.json.message], [400, message])
    }
    const preview = await dashboard.send('POST', '/apps/todo/update-preview/things?q={}', session, {
      json: { $set: { more: 'x'.repeat(20) } },
    })
    assert.equal(preview.json.message, TOO_LARGE)
    const file = { body: `${fits(7)}\n{"a":"${'x'.repeat(99)}"}`, headers: ndjson }
    const importing = (query: string) =>
      dashboard.send('POST', `${THINGS}/import?format=ndjson${query}`, session, file)
    assert.equal((await importing('')).json.message, `line 2: ${TOO_LARGE}`)
    const skipping = await importing('&skip-bad=true')
    assert.deepEqual(skipping.json.errors, [{ line: 2, code: 'document_too_large', message: TOO_LARGE }])
    assert.equal((await byKey({ path: `${THINGS}?c=true` })).status, 200)
  })

  it('give a new key the rules that it comes without, and a wider one where it says so', async () => {
    await set({ keyDefaults: { permission: 'read', rate: '5/s', expires: '30d', collections: ['things'] } })
    const make = (name: string, rules?: unknown) =>
      dashboard.send('POST', '/apps/todo/keys', session, {
        json: { name, ...(rules !== undefined && { rules }) },
      })
    const { json: narrow } = await make('narrow')
    assert.deepEqual(
      [narrow.permission, narrow.rate, narrow.apps, narrow.collections],
      ['read', '5/s', ['todo'], ['things']],
    )
    const days = (Date.parse(narrow.expires) - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30, narrow.expires)
    const { json: wide } = await make('wide', { permission: 'full', expires: 'never' })
    assert.deepEqual([wide.permission, wide.expires, wide.rate], ['full', 'never', '5/s'])
    const summary = await dashboard.send('POST', '/apps/todo/keys/summary', session, { json: {} })
    assert.match(
      summary.json.sentence,
      /^May read documents in the collection things of the app todo .* 5 times a second/,
    )
  })

  it('are told as they are set, with what bounds every key in words', async () => {
    await set({})
    const get = () => dashboard.send('GET', '/apps/todo/settings', session)
    const told = { ...OPEN, sentence: null, serverDocumentBytes: 1_048_576, address: HERE, isOutside: false }
    assert.deepEqual((await get()).json, told)
    const { json } = await patch({ rate: '5/s' })
    assert.deepEqual(json, {
      ...told,
      rate: '5/s',
      sentence: 'All keys of this app are used at most 5 times a second together.',
    })
    assert.deepEqual((await get()).json, json)
    const addresses = ['192.0.2.0/24']
    const asked = await dashboard.send('POST', '/apps/todo/settings/summary', session, {
      json: { addresses },
    })
    assert.deepEqual(asked.json, {
      ...json,
      addresses,
      isOutside: true,
      sentence:
        'All keys of this app work only from the address 192.0.2.0/24 and are used at most 5 times a second together.',
    })
    assert.deepEqual((await get()).json, json)
    const { json: trail } = await dashboard.send('GET', '/apps/todo/audit?l=1', session)
    const { action, details, address } = trail[0]
    assert.deepEqual([action, details, address], ['app.settings', { rate: '5/s' }, HERE])
  })

  it('ask an owner for the password where they open more, and not where they shut more out', async () => {
    const left = await dashboard.session(owner, { ageMs: 11 * 60_000 })
    const outcomes: readonly (readonly [unknown, number])[] = [
      [{ addresses: ['10.0.0.0/8', '127.0.0.0/8'] }, 200],
      [{ addresses: ['127.0.0.0/8'], websites: ['a.example', 'b.example'] }, 200],
      [{ addresses: ['127.0.0.0/8', '192.0.2.0/24'] }, 403],
      [{ addresses: 'all' }, 403],
      [{ websites: ['b.example'], localhost: false, rate: '5/min' }, 200],
      [{ localhost: true }, 403],
      [{ rate: '10/min' }, 403],
      [{ rate: '1/s' }, 403],
      [{ rate: 'none' }, 403],
      [{ rate: '4/min', documentBytes: null, keyDefaults: {} }, 200],
    ]
    await set({})
    for (const [json, status] of outcomes) {
      const answer = await patch(json, left)
      assert.deepEqual(
        [answer.status, answer.json.code],
        [status, status === 403 ? 'password_required' : undefined],
      )
    }
    for (const json of [
      { rates: '5/s' },
      { documentBytes: 1.5 },
      { addresses: 'none' },
      { keyDefaults: { a: {} } },
    ])
      assert.equal((await patch(json)).json.code, 'invalid_request', JSON.stringify(json))
    assert.equal((await patch({ documentBytes: 0 })).json.code, 'invalid_rule')
  })

  it('that can not be read let no key in, and are mended by whoever owns the app', async () => {
    await set({})
    const { folder } = dashboard.server
    const control = new DatabaseSync(`${folder}/control.sqlite`)
    control.exec(
      `UPDATE apps SET settings = '{"rate":true}'; UPDATE directory_version SET version = version + 1`,
    )
    control.close()
    // Any change that the server makes has it read what was changed behind it.
    await dashboard.send('POST', '/apps', session, { json: { slug: 'other' } })
    const { status, code } = await byKey({})
    assert.deepEqual([status, code], [403, 'app_not_allowed'])
    assert.deepEqual([(await trial({ method: 'GET' })).code], [code])
    assert.equal((await dashboard.send('GET', THINGS, session)).status, 200)
    const { json } = await dashboard.send('GET', '/apps/todo/settings', session)
    assert.equal(json.damaged, "rate can't be read")
    assert.match(json.sentence, /^No key of this app works/)
    const made = await dashboard.send('POST', '/apps/todo/keys', session, { json: { name: 'none' } })
    assert.deepEqual([made.status, made.json.code], [400, 'invalid_rule'])
    assert.equal((await patch({ addresses: 'all' })).json.code, 'invalid_rule')
    assert.equal((await patch({ rate: 'none' })).status, 200)
    assert.equal((await byKey({})).status, 200)
  })
})
