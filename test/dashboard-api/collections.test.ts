import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Credential, Dashboard, type DashboardAnswer } from './start-dashboard.ts'

const HOSTILE = ['', '.', '..', '$x', 'a/b', 'a\nb', '\r5', '\u0000', 'x'.repeat(129), '\ud800']

describe('the collections of an app', () => {
  let dashboard: Dashboard
  let owner: Credential
  let viewer: Credential
  let editorElsewhere: Credential
  const send = (method: string, path: string, json?: object, as = owner): Promise<DashboardAnswer> =>
    dashboard.send(method, `/apps/todo${path}`, as, json === undefined ? {} : { json })
  const save = (collection: string, json: unknown) =>
    send('POST', `/collections/${collection}`, json as object)
  const list = async (collection: string) => (await send('GET', `/collections/${collection}`)).json
  const statuses = async (...answers: Promise<DashboardAnswer>[]) =>
    (await Promise.all(answers)).map(({ status, json }) => [status, json?.code])

  before(async () => {
    dashboard = await Dashboard.start({ SHEAF_AUTO_INDEX: 'off' })
    const { accounts } = dashboard
    const [ada, bob, eve] = await Promise.all(
      ['ada', 'bob', 'eve'].map((name) => dashboard.account(`${name}@example.org`)),
    )
    const app = await accounts.createApp({ slug: 'todo', owner: ada!.id }, 'test')
    const other = await accounts.createApp({ slug: 'other', owner: ada!.id }, 'test')
    await accounts.setShare({ app, account: bob!.id, role: 'viewer' }, 'test')
    await accounts.setShare({ app: other, account: eve!.id, role: 'editor' }, 'test')
    owner = await dashboard.session(ada!)
    viewer = await dashboard.session(bob!)
    editorElsewhere = await dashboard.session(eve!)
  })
  after(() => dashboard.close())

  it('are not renamed to what is no name, nor by a name that is none', async () => {
    await save('names', [{ _id: 1 }])
    for (const name of HOSTILE) {
      const { status, json } = await send('POST', '/collections/names/rename', { name })
      assert.deepEqual([status, json.code], [400, 'invalid_name'], JSON.stringify(name))
    }
    assert.deepEqual(
      await statuses(
        send('POST', '/collections/names/rename', {}),
        send('POST', '/collections/names/rename', { name: 7 }),
        send('POST', '/collections/names/rename', { name: 'b', more: 1 }),
        send('POST', '/collections/%0d5/drop'),
        send('POST', '/collections/names/rename', { name: 'names' }),
        send('DELETE', '/bin/x'),
        send('POST', '/bin/1e3/restore', {}),
      ),
      [
        [400, 'invalid_request'],
        [400, 'invalid_request'],
        [400, 'invalid_request'],
        [400, 'invalid_name'],
        [409, 'collection_exists'],
        [404, 'collection_not_found'],
        [404, 'collection_not_found'],
      ],
    )
    assert.deepEqual(await list('names'), [{ _id: 1 }])
  })

  it('are renamed, emptied, dropped and restored, each with a line in the audit trail', async () => {
    await save('tasks', [{ _id: 1 }, { _id: 2 }])
    const renamed = await send('POST', '/collections/tasks/rename', { name: 'Straße 7' })
    assert.deepEqual([renamed.status, renamed.json], [200, { name: 'Straße 7', documents: 2 }])
    const path = `/collections/${encodeURIComponent('Straße 7')}`
    const emptied = (await send('POST', `${path}/empty`)).json
    const { id, droppedAt, restorableUntil, ...told } = emptied
    assert.deepEqual(told, { name: 'Straße 7', documents: 2, reason: 'empty', by: 'ada@example.org' })
    assert.equal(Date.parse(restorableUntil) - Date.parse(droppedAt), 7 * 24 * 60 * 60 * 1000)
    assert.deepEqual((await send('POST', `${path}/empty`)).json, null)
    const dropped = (await send('POST', `${path}/drop`)).json
    assert.deepEqual((await send('GET', '/bin')).json, [dropped, emptied])
    assert.deepEqual(
      (await send('GET', '/bin', undefined, viewer)).json,
      [dropped, emptied].map((entry) => ({ ...entry, by: null })),
    )
    assert.deepEqual((await send('POST', `/bin/${id}/restore`, { as: 'tasks' })).json, {
      name: 'tasks',
      documents: 2,
    })
    assert.deepEqual(await list('tasks'), [{ _id: 1 }, { _id: 2 }])
    assert.equal((await send('DELETE', `/bin/${dropped.id}`)).status, 204)
    assert.deepEqual((await send('GET', '/bin')).json, [])
    const audit = (await send('GET', '/audit?action=collection&l=9')).json as Record<string, unknown>[]
    assert.deepEqual(
      audit.map(({ action, subject, details }) => [action, subject, details]),
      [
        ['collection.remove', 'Straße 7', { documents: 0, binId: dropped.id }],
        ['collection.restore', 'Straße 7', { documents: 2, binId: id, name: 'tasks' }],
        ['collection.drop', 'Straße 7', { documents: 0, binId: dropped.id }],
        ['collection.empty', 'Straße 7', { documents: 2, binId: id }],
        ['collection.rename', 'tasks', { documents: 2, name: 'Straße 7' }],
      ],
    )
  })

  it('are left alone where somebody means some of their documents, or says more than is asked for', async () => {
    await save('whole', [{ _id: 1 }, { _id: 2 }])
    const { id } = (await send('POST', '/collections/whole/empty')).json
    await save('whole', [{ _id: 3 }])
    const query = `?q=${encodeURIComponent('{"_id":3}')}`
    for (const [method, path, json] of [
      ['POST', '/collections/whole/empty', undefined],
      ['POST', '/collections/whole/drop', undefined],
      ['POST', '/collections/whole/rename', { name: 'part' }],
      ['GET', '/bin', undefined],
      ['POST', `/bin/${id}/restore`, { as: 'part' }],
      ['DELETE', `/bin/${id}`, undefined],
    ] as const)
      assert.deepEqual(await statuses(send(method, path + query, json)), [[400, 'invalid_parameter']], path)
    for (const [method, path] of [
      ['POST', '/collections/whole/empty'],
      ['POST', '/collections/whole/drop'],
      ['DELETE', `/bin/${id}`],
    ] as const)
      for (const json of [{ q: { _id: 3 } }, [3]])
        assert.deepEqual(await statuses(send(method, path, json)), [[400, 'invalid_request']], path)
    assert.deepEqual(await list('whole'), [{ _id: 3 }])
    assert.equal((await send('POST', '/collections/whole/drop', {})).status, 200)
    assert.equal((await send('DELETE', `/bin/${id}`)).status, 204)
  })

  it('are nothing to who reads alone, or has a part in another app', async () => {
    await save('mine', [{ _id: 1 }])
    const { id } = (await send('POST', '/collections/mine/drop')).json
    await save('mine', [{ _id: 2 }])
    for (const [who, status, code] of [
      [viewer, 403, 'permission_denied'],
      [editorElsewhere, 404, 'app_not_found'],
      [{ Cookie: '__Host-sheaf-session=ended' }, 401, 'invalid_credentials'],
    ] as const)
      assert.deepEqual(
        await statuses(
          send('POST', '/collections/mine/rename', { name: 'b' }, who),
          send('POST', '/collections/mine/empty', undefined, who),
          send('POST', '/collections/mine/drop', undefined, who),
          send('POST', `/bin/${id}/restore`, {}, who),
          send('DELETE', `/bin/${id}`, undefined, who),
        ),
        Array.from({ length: 5 }, () => [status, code]),
      )
    assert.deepEqual(await list('mine'), [{ _id: 2 }])
  })

  it('are dropped at once by the API, past the bin', async () => {
    await save('gone', [{ _id: 1 }])
    const before = (await send('GET', '/bin')).json
    assert.equal((await send('DELETE', '/collections/gone?drop=true')).status, 200)
    assert.deepEqual((await send('GET', '/bin')).json, before)
  })

  it('keep documents that are called as what is done to collections', async () => {
    for (const name of ['rename', 'empty', 'drop']) {
      assert.equal((await send('PUT', `/collections/words/${name}`, { n: 1 })).status, 201)
      assert.deepEqual((await send('GET', `/collections/words/${name}`)).json, { _id: name, n: 1 })
    }
    assert.equal((await list('words')).length, 3)
  })
})
