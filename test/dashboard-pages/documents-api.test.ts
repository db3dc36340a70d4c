import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import { ApiError } from '../../dashboard/src/api.ts'
import {
  askDocuments,
  deleteDocument,
  documentsPath,
  readDocument,
  saveDocument,
} from '../../dashboard/src/data/documents-api.ts'
import { type Credential, Dashboard } from '../dashboard-api/start-dashboard.ts'

const ADDRESS = { slug: 'notes', collection: 'a b?ü' }
/** As JSON texts. */
const IDS = [
  '7',
  '"7"',
  '"."',
  '".."',
  '"a/b?#%"',
  String.raw`"\n\u200b\""`,
  '9007199254740993',
  '-1.50',
  '"7.0"',
]

describe('a document of the API for pages', () => {
  let dashboard: Dashboard
  let credential: Credential
  before(async () => {
    dashboard = await Dashboard.start()
    const account = await dashboard.account('ada@example.org')
    await dashboard.accounts.createApp({ slug: 'notes', owner: account.id }, 'test')
    credential = await dashboard.session(account)
    // What a browser does with the address of a page.
    mock.method(globalThis, 'fetch', async (path: string, { method, headers, body }: RequestInit) => {
      const { pathname, search } = new URL(path, 'https://localhost/')
      const sent = { headers: headers as Record<string, string>, ...(body && { body: String(body) }) }
      const answer = await dashboard.send(method!, pathname.replace('/_/api', '') + search, credential, sent)
      return new Response(answer.text, { status: answer.status, headers: answer.headers as HeadersInit })
    })
  })
  after(async () => {
    mock.restoreAll()
    await dashboard.close()
  })

  it('is read, saved and deleted by its exact id, whatever others are called', async () => {
    for (const id of IDS) await saveDocument(ADDRESS, `{"_id":${id},"n":1.10}`, 'isNew')
    for (const id of IDS) {
      const read = (await readDocument(ADDRESS, id))!
      assert.equal(JSON.stringify(JSON.parse(read.text)._id), JSON.stringify(JSON.parse(id)))
      const saved = await saveDocument(ADDRESS, `{"_id":${id},"n":2.0}`, { ifMatch: read.etag })
      assert.match(saved.text, /"n":2\.0\}$/)
      await assert.rejects(saveDocument(ADDRESS, saved.text, { ifMatch: read.etag }), {
        code: 'precondition_failed',
      })
      assert.equal(await deleteDocument(ADDRESS, { id, etag: read.etag }), false)
      await assert.rejects(saveDocument(ADDRESS, saved.text, 'isNew'), ApiError)
    }
    for (const [index, id] of IDS.entries()) {
      const { etag } = (await readDocument(ADDRESS, id))!
      assert.equal(await deleteDocument(ADDRESS, { id, etag }), true, id)
      assert.equal(await deleteDocument(ADDRESS, { id, etag }), false, id)
      for (const other of IDS.slice(index + 1)) assert.ok(await readDocument(ADDRESS, other), other)
    }
  })

  it('comes with every digit, and what is refused in the server’s words', async () => {
    const path = documentsPath({ ...ADDRESS, collection: 'exact' })
    const body = '[{"_id":"a","n":1.10},{"_id":"b","n":9007199254740993}]'
    assert.equal((await askDocuments(path, { method: 'POST', body })).status, 201)
    const found = await askDocuments(path, { parameters: { q: '{"n":{"$gt":2}}', s: undefined } })
    assert.equal(found.text, '[{"_id":"b","n":9007199254740993}]')
    await assert.rejects(
      askDocuments(path, { parameters: { q: '{"n":{"$like":2}}' } }),
      (error: ApiError) => {
        assert.deepEqual([error.code, error.status], ['unknown_operator', 400])
        return true
      },
    )
  })
})
