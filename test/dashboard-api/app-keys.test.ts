import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventuallyEqual } from '../server/eventually-equal.ts'
import { type Credential, Dashboard } from './start-dashboard.ts'

const THINGS = '/apps/todo/collections/things'
const GIVEN = 'a-secret-that-was-made-elsewhere-1843'

describe('the keys of an app that an account changes', () => {
  let dashboard: Dashboard
  let session: Credential
  const secrets: string[] = [GIVEN]

  before(async () => {
    dashboard = await Dashboard.start()
    session = await dashboard.session(await dashboard.account('ada@example.org'))
    for (const slug of ['todo', 'other']) await change('POST', '/apps', { slug })
  })
  after(() => dashboard.close())

  async function change(method: string, path: string, json?: unknown) {
    const { status, text, json: answer } = await dashboard.send(method, path, session, { json })
    assert.ok(status < 300, text)
    if (answer?.key !== undefined) secrets.push(answer.key)
    return answer
  }

  const listed = async (): Promise<{ id: string; oldKeysUntil: string[] }[]> =>
    (await dashboard.send('GET', '/apps/todo/keys', session)).json

  /** What the API answers to a key or a token; bad ones that come often are refused with 429. */
  async function statusOf(secret: string, path = THINGS): Promise<number> {
    const headers = { 'X-Service-API-Key': secret }
    const { status } = await dashboard.server.client.send('GET', path, { headers })
    return status === 429 ? 401 : status
  }

  const becomes = (secret: string, status: number, path?: string) =>
    eventuallyEqual(() => statusOf(secret, path), status)

  async function tokenOf(key: string): Promise<string> {
    const { text } = await dashboard.server.client.send('POST', `/create-token/${key}`)
    const token = `token:${JSON.parse(text).id_result}`
    secrets.push(token.slice('token:'.length))
    return token
  }

  it('have the old secret beside the new one for the overlap, and are gone when they are revoked', async () => {
    const { id, key: first } = await change('POST', '/apps/todo/keys', { name: 'web' })
    await becomes(first, 200)
    const { key: second } = await change('POST', `/apps/todo/keys/${id}/rotation`, { overlap: '1h' })
    await Promise.all([becomes(second, 200), becomes(first, 200)])
    assert.equal((await listed())[0]!.oldKeysUntil.length, 1)
    const { key: third } = await change('POST', `/apps/todo/keys/${id}/rotation`, { overlap: '0' })
    await Promise.all([becomes(third, 200), becomes(second, 401), becomes(first, 401)])
    assert.deepEqual((await listed())[0]!.oldKeysUntil, [])
    await change('PATCH', `/apps/todo/keys/${id}`, { rules: { collections: ['others'] } })
    await becomes(third, 403)
    await change('DELETE', `/apps/todo/keys/${id}`)
    await becomes(third, 401)
    assert.deepEqual(await listed(), [])
  })

  it('are taken in with the secret that they have, which no answer tells', async () => {
    const made = await dashboard.send('POST', '/apps/todo/keys', session, {
      json: { name: 'old', secret: GIVEN },
    })
    assert.equal(made.status, 201)
    await becomes(GIVEN, 200)
    assert.ok(!(made.text + JSON.stringify(await listed())).includes(GIVEN))
  })

  it('lose all their tokens at once with those of the app, in every app that they open', async () => {
    const wide = await change('POST', '/apps/todo/keys', { name: 'wide', rules: { apps: 'all' } })
    const other = await change('POST', '/apps/other/keys', { name: 'other' })
    const otherThings = '/apps/other/collections/things'
    for (const { key } of [wide, other]) await becomes(key, 200, otherThings)
    const token = await tokenOf(GIVEN)
    const wideToken = await tokenOf(wide.key)
    const otherToken = await tokenOf(other.key)
    await becomes(token, 200)
    await becomes(wideToken, 200, otherThings)
    assert.deepEqual(await change('DELETE', '/apps/todo/tokens'), { keys: 2 })
    await becomes(token, 401)
    await becomes(wideToken, 401, otherThings)
    assert.equal(await statusOf(otherToken, otherThings), 200)
    await becomes(await tokenOf(GIVEN), 200)
    await change('DELETE', `/apps/todo/keys/${wide.id}/tokens`)
  })

  it('have a line in the audit trail for each change, with account and address and no secret', async () => {
    await change('DELETE', '/apps/todo')
    await change('POST', '/deleted-apps/todo/restoration')
    const { json: lines, text } = await dashboard.send('GET', '/apps/todo/audit', session)
    assert.deepEqual(lines.map(({ action }: { action: string }) => action).reverse(), [
      'app.create',
      ...['key.create', 'key.rotate', 'key.rotate', 'key.update', 'key.revoke'],
      ...['key.create', 'key.create', 'app.end-tokens', 'key.end-tokens'],
      ...['app.delete', 'app.restore'],
    ])
    for (const { actor, address } of lines)
      assert.deepEqual([actor, address], ['ada@example.org', '127.0.0.1'])
    assert.equal(secrets.length, 10)
    for (const secret of secrets) assert.ok(!text.includes(secret))
    assert.deepEqual(lines[3].details, { keys: 2 })
  })
})
