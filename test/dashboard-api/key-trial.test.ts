import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hashApiKey } from '../../src/credentials/api-key.ts'
import { type KeyRules, UNLIMITED } from '../../src/domain/key-rules.ts'
import { Client } from '../server/client.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

const HERE = '127.0.0.1'
const THERE = '127.0.0.2'
const SITE = 'https://www.example.com'

interface Trial {
  readonly method: string
  readonly collection?: string
  readonly address?: string
  readonly origin?: string
}

/** Each is tried with each key. */
const REQUESTS: readonly Trial[] = [
  { method: 'GET' },
  { method: 'GET', collection: 'things', address: THERE },
  { method: 'POST', collection: 'things', origin: SITE },
  { method: 'PUT', collection: 'others', origin: 'https://evil.example.org' },
  { method: 'DELETE', collection: 'things', origin: 'http://localhost:5173' },
]

/** With how many of these requests are let in, worked out by hand. */
const KEYS: readonly (readonly [rules: Partial<KeyRules>, admitted: readonly boolean[]])[] = [
  [{}, [true, true, true, true, true]],
  [{ permission: ['read'] }, [true, true, false, false, false]],
  [{ permission: ['create'] }, [false, false, true, false, false]],
  [{ collections: ['things'] }, [true, true, true, false, true]],
  [{ addresses: ['127.0.0.1/32'] }, [true, false, true, true, true]],
  [{ websites: ['https://*.example.com'] }, [false, false, true, false, true]],
  [{ websites: ['www.example.com'], localhost: false }, [false, false, true, false, false]],
  [{ expiresAt: 1 }, [false, false, false, false, false]],
]

const secretOf = (index: number): string => `a-secret-made-elsewhere-for-key-${index}`

describe('a trial of a key', () => {
  let dashboard: Dashboard
  let session: Credential
  let ids: readonly string[]
  const clients = new Map<string, Client>()

  before(async () => {
    dashboard = await Dashboard.start()
    const { accounts, server } = dashboard
    const owner = await dashboard.account('ada@example.org')
    session = await dashboard.session(owner)
    await accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    const keys = [...KEYS, [{ rate: { requests: 1, perMs: 60_000 } }] as const]
    const made = []
    for (const [index, [rules]] of keys.entries()) {
      const key = { owner: owner.id, name: String(index), hash: hashApiKey(secretOf(index)) }
      made.push((await accounts.createKey({ ...key, rules: { ...UNLIMITED, ...rules } }, 'test')).id)
    }
    ids = made
    for (const localAddress of [HERE, THERE])
      clients.set(localAddress, new Client({ port: server.port, ca: server.ca, localAddress }))
  })
  after(async () => {
    for (const client of clients.values()) client.close()
    await dashboard.close()
  })

  const attempt = (index: number, json: unknown) =>
    dashboard.send('POST', `/apps/todo/keys/${ids[index]}/trial`, session, { json })

  const send = (index: number, { method, collection, address = HERE, origin }: Trial) => {
    const inside = collection === undefined ? '' : `/${collection}`
    const query = method === 'PUT' || method === 'DELETE' ? '?q={}' : ''
    const body = { POST: '{"n":1}', PUT: '{"$set":{"n":2}}' }[method]
    const headers = { 'X-Service-API-Key': secretOf(index), ...(origin !== undefined && { Origin: origin }) }
    const path = `/apps/todo/collections${inside}${query}`
    return clients.get(address)!.send(method, path, { headers, ...(body !== undefined && { body }) })
  }

  it('of a method, an address or a field that there is not is refused', async () => {
    const wrong = [
      { method: 'PATCH', collection: 'things' },
      { method: 'POST' },
      { method: 'constructor', collection: 'things' },
      { method: 'GET', address: 'localhost' },
      { method: 'GET', website: SITE },
    ]
    for (const json of wrong) {
      const { status, json: answer } = await attempt(0, json)
      assert.deepEqual([status, answer.code], [400, 'invalid_request'], JSON.stringify(json))
    }
  })

  for (const [index, [rules, admitted]] of KEYS.entries())
    for (const [which, request] of REQUESTS.entries())
      it(`of ${JSON.stringify(request)} by a key with ${JSON.stringify(rules)} is as the request itself`, async () => {
        const { status, json: trial } = await attempt(index, { address: HERE, ...request })
        assert.equal(status, 200)
        const real = await send(index, request)
        assert.deepEqual([trial.isAdmitted, real.status < 300], [admitted[which], admitted[which]], real.text)
        if (trial.isAdmitted) {
          assert.deepEqual([trial.status, trial.code, trial.message], [200, null, null])
          return
        }
        const { code, message } = JSON.parse(real.text)
        assert.deepEqual([trial.status, trial.code, trial.message], [real.status, code, message])
      })

  it('uses up nothing of the rate, and is of the address that asks where none is given', async () => {
    const last = KEYS.length
    for (let i = 0; i < 3; i++) {
      const { json } = await attempt(last, { method: 'GET', collection: 'things' })
      assert.deepEqual([json.isAdmitted, json.address], [true, HERE])
    }
    assert.equal((await send(last, { method: 'GET' })).status, 200)
    assert.equal((await send(last, { method: 'GET' })).status, 429)
  })
})
