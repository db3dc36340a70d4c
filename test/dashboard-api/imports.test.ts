import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { eventuallyEqual } from '../server/eventually-equal.ts'
import { type Credential, Dashboard, type DashboardAnswer } from './start-dashboard.ts'

const TYPES = { ndjson: 'application/x-ndjson', json: 'application/json', csv: 'text/csv' }

describe('an import', () => {
  let dashboard: Dashboard
  let session: Credential
  const send = (path: string, body: string, format: keyof typeof TYPES): Promise<DashboardAnswer> =>
    dashboard.send('POST', `/apps/todo/collections/${path}`, session, {
      body,
      headers: { 'Content-Type': TYPES[format] },
    })
  const load = (collection: string, query: string, body: string, format: keyof typeof TYPES = 'ndjson') =>
    send(`${collection}/import?${query}`, body, format)
  const read = async (collection: string): Promise<string> =>
    (await dashboard.send('GET', `/apps/todo/collections/${collection}`, session)).text

  before(async () => {
    dashboard = await Dashboard.start()
    const owner = await dashboard.account('owner@example.org')
    await dashboard.accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    session = await dashboard.session(owner)
  })
  after(() => dashboard.close())

  it('that is asked for wrongly is refused before its file is read', async () => {
    const cases: [query: string, code: string][] = [
      ['format=xml', 'invalid_parameter'],
      ['on-conflict=merge', 'invalid_parameter'],
      ['skip-bad=perhaps', 'invalid_parameter'],
      ['format=csv&types=[]', 'invalid_parameter'],
      ['format=csv&types={"a":"date"}', 'invalid_parameter'],
      ['format=csv&delimiter=x', 'invalid_parameter'],
      ['format=csv&ejson=true', 'invalid_parameter'],
      ['format=json&types={}', 'invalid_parameter'],
      ['format=json&format=csv', 'duplicate_parameter'],
      ['chek=true', 'invalid_parameter'],
    ]
    for (const [query, code] of cases) {
      const { status, json } = await load('wrong', query, '{}')
      assert.deepEqual([status, json.code], [400, code], query)
    }
    assert.match((await load('wrong', 'chek=true', '{}')).json.message, /"chek"; did you mean check\?$/)
    const preview = await send('wrong/import-preview?check=true', '{}', 'json')
    assert.match(preview.json.message, /"check"; those here are format, ejson, types, delimiter$/)
    assert.equal((await load('%24wrong', '', '{}')).json.code, 'invalid_name')
    const form = await dashboard.send('POST', '/apps/todo/collections/wrong/import', session, {
      body: '{}',
      headers: { 'Content-Type': 'text/plain' },
    })
    assert.equal(form.status, 415)
    assert.equal(await read('wrong'), '[]')
  })

  it('saves nothing where one line is bad, and names it', async () => {
    const bad = await load('all', '', '{"_id":1}\n{"_id":2,"n":1e999}\n{"_id":3}\n')
    assert.equal(bad.status, 400)
    assert.deepEqual(bad.json, {
      code: 'number_out_of_range',
      message: 'line 2: 1e999 is too large for a number',
    })
    const twice = await load('all', '', '{"_id":1}\n\n{"_id":1}')
    assert.deepEqual([twice.status, twice.json.code], [409, 'document_exists'])
    assert.match(twice.json.message, /^line 3: /)
    const element = await load('all', '', '[{"_id":1},\n{"_id":1.0}]', 'json')
    assert.match(element.json.message, /^line 2: the document at index 1: /)
    assert.equal(await read('all'), '[]')
  })

  it('is exact: digits, order of keys, placeholders as they are', async () => {
    const documents = [
      '{"_id":"a","n":750727362669608961,"d":1.10,"10":1,"2":2,"__proto__":{"x":1}}',
      '{"_id":1e0,"t":"Service.ServerValue.TIMESTAMP"}',
    ]
    const { status, json } = await load('exact', '', documents.join('\n'))
    assert.equal(status, 200)
    assert.deepEqual(json, { created: 2, replaced: 0, skipped: 0, bad: 0, documents: 2, errors: [] })
    assert.equal(await read('exact'), `[${documents.join()}]`)
  })

  it('fails, skips or replaces where an _id exists', async () => {
    await load('there', '', '{"_id":1,"v":1}\n{"_id":2,"v":1}')
    const file = '{"_id":2,"v":2}\n{"_id":3,"v":2}'
    assert.match((await load('there', '', file)).json.message, /^line 1: .*skip or to replace .*on-conflict/)
    const skipped = await load('there', 'on-conflict=skip', file)
    assert.deepEqual(skipped.json, { created: 1, replaced: 0, skipped: 1, bad: 0, documents: 2, errors: [] })
    assert.equal(await read('there'), '[{"_id":1,"v":1},{"_id":2,"v":1},{"_id":3,"v":2}]')
    const replaced = await load('there', 'on-conflict=replace', file)
    assert.deepEqual([replaced.json.created, replaced.json.replaced], [0, 2])
    assert.equal(await read('there'), '[{"_id":1,"v":1},{"_id":2,"v":2},{"_id":3,"v":2}]')
  })

  it('leaves out what is bad where that is asked for, and tells of each by its line', async () => {
    const file = '{"_id":1}\nnonsense\n{"_id":1}\n{"_id":true}\n{"_id":2}\n'
    const { status, json } = await load('bad', 'skip-bad=true', file)
    assert.equal(status, 200)
    assert.deepEqual([json.created, json.bad, json.documents], [2, 3, 5])
    assert.deepEqual(
      json.errors.map(({ line, code }: { line: number; code: string }) => [line, code]),
      [
        [2, 'invalid_json'],
        [3, 'document_exists'],
        [4, 'invalid_id'],
      ],
    )
    assert.equal(await read('bad'), '[{"_id":1},{"_id":2}]')
  })

  it('that only checks tells of all that is bad, and saves nothing', async () => {
    const { json } = await load('checked', 'check=true', 'x\n{"_id":1}\ny\n')
    assert.deepEqual([json.created, json.bad, json.documents], [0, 2, 3])
    assert.deepEqual(
      json.errors.map(({ line }: { line: number }) => line),
      [1, 3],
    )
    assert.equal(await read('checked'), '[]')
  })

  it('of CSV makes a field of each column', async () => {
    const csv = '_id,zip,n,ok,note\r\n1,00701,1.50,true,"a ""b"", c"\r\n2,10001,,false,=1+1\r\n'
    const { json } = await load('csv', 'types={"zip":"text"}', csv, 'csv')
    assert.equal(json.created, 2)
    assert.equal(
      await read('csv'),
      '[{"_id":1,"zip":"00701","n":1.50,"ok":true,"note":"a \\"b\\", c"},' +
        '{"_id":2,"zip":"10001","ok":false,"note":"=1+1"}]',
    )
  })

  it('whose first line is bad is answered, however much comes behind it', async () => {
    const { status, json } = await load('early', '', `{"a":\n${'{"a":1}\n'.repeat(1_000_000)}`)
    assert.deepEqual([status, json.code], [400, 'invalid_json'])
    assert.match(json.message, /^line 1: /)
    assert.equal(await read('early'), '[]')
  })

  /** An import of a file of which nothing has been sent, and the server waits for it. */
  const begin = async (path: string, credential: Credential, length: number): Promise<TLSSocket> => {
    const socket = await dashboard.server.client.connect()
    const head = [
      `POST /_/api/apps/${path}/import HTTP/1.1`,
      `Host: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nCookie: ${credential.Cookie}`,
      `Content-Type: application/x-ndjson\r\nContent-Length: ${length}\r\nExpect: 100-continue`,
    ]
    const begun = once(socket, 'data')
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    assert.match(String((await begun)[0]), /^HTTP\/1\.1 100 Continue/)
    return socket
  }

  it('is one of two of an account, which keep nobody else waiting, and no preview', async () => {
    const other = await dashboard.account('other@example.org')
    const others = await dashboard.session(other)
    const app = (await dashboard.accounts.listApps()).find(({ slug }) => slug === 'todo')!
    await dashboard.accounts.setShare({ app, account: other.id, role: 'editor' }, 'test')
    const slow = [
      await begin('todo/collections/a', session, 9),
      await begin('todo/collections/b', session, 9),
    ]
    const third = await load('third', '', '{}')
    assert.deepEqual([third.status, third.json.code], [429, 'rate_limited'])
    assert.match(third.json.message, /wait until one of them has ended/)
    assert.equal((await send('third/import-preview', '{}', 'ndjson')).status, 200)
    const theirs = await dashboard.send('POST', '/apps/todo/collections/theirs/import', others, {
      body: '{}',
      headers: { 'Content-Type': TYPES.ndjson },
    })
    assert.equal(theirs.status, 200)
    for (const socket of slow) socket.destroy()
    const again = async (): Promise<number> => (await load('third', '', '{}')).status
    await eventuallyEqual(again, 200, { withinMs: 10_000 })
  })

  it('is discarded where the share that allows it ends, or its app is deleted, in the middle', async () => {
    const { accounts } = dashboard
    const bob = await dashboard.account('bob@example.org')
    const bobs = await dashboard.session(bob)
    const made = await dashboard.send('POST', '/apps', session, { json: { slug: 'shared' } })
    assert.equal(made.status, 201)
    const app = (await accounts.listApps()).find(({ slug }) => slug === 'shared')!
    const importing = async (credential: Credential, meanwhile: () => Promise<unknown>): Promise<string> => {
      const file = '{"a":1}\n{"a":2}\n'
      const socket = await begin('shared/collections/c', credential, file.length)
      const answered = once(socket, 'data')
      socket.write(file.slice(0, 8))
      await meanwhile()
      socket.write(file.slice(8))
      const [answer] = await answered
      socket.destroy()
      return String(answer)
    }
    await accounts.setShare({ app, account: bob.id, role: 'editor' }, 'test')
    const asViewer = await importing(bobs, () =>
      accounts.setShare({ app, account: bob.id, role: 'viewer' }, 'test'),
    )
    assert.match(asViewer, /^HTTP\/1\.1 403 [\s\S]*"permission_denied"/)
    await accounts.setShare({ app, account: bob.id, role: 'editor' }, 'test')
    const asNobody = await importing(bobs, () =>
      accounts.setShare({ app, account: bob.id, role: null }, 'test'),
    )
    assert.match(asNobody, /^HTTP\/1\.1 404 [\s\S]*"app_not_found"/)
    const list = await dashboard.send('GET', '/apps/shared/collections/c', session)
    assert.equal(list.text, '[]')
    assert.match(
      await importing(session, () => accounts.deleteApp(app, 'test')),
      /^HTTP\/1\.1 404 [\s\S]*"app_not_found"/,
    )
  })

  it("whose client leaves in the middle is gone at once, and in nobody's way", async () => {
    const socket = await begin('todo/collections/left', session, 1_000_000)
    const lines = (of: string): string =>
      Array.from({ length: 4000 }, (_, n) => `{"_id":${n},"of":"${of}"}\n`).join('')
    await new Promise((resolve) => socket.write(lines('nobody'), resolve))
    socket.destroy()
    // As long as what was begun is not gone, another one is refused.
    const again = async (): Promise<number> => (await load('left', 'on-conflict=replace', lines('me'))).status
    await eventuallyEqual(again, 200, { withinMs: 10_000 })
    const left = await dashboard.send('GET', '/apps/todo/collections/left?c=true&q={"of":"nobody"}', session)
    assert.equal(left.text, '0')
  })

  it('of which two come at once into one collection is one of them, whole', async () => {
    const file = (name: string) =>
      Array.from({ length: 3000 }, (_, n) => `{"_id":${n},"of":"${name}"}`).join('\n')
    const both = await Promise.all(['a', 'b'].map((name) => load('twice', '', file(name))))
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
    const winner = both[0]!.status === 200 ? 'a' : 'b'
    const { text } = await dashboard.send(
      'GET',
      `/apps/todo/collections/twice?c=true&q={"of":"${winner}"}`,
      session,
    )
    assert.equal(text, '3000')
    assert.equal((await dashboard.send('GET', '/apps/todo/collections/twice?c=true', session)).text, '3000')
  })

  it('of what was exported is the same, byte for byte, in natural order', async () => {
    const documents = [
      '{"_id":"z","n":750727362669608961,"d":1.10,"e":-0.0,"f":1E+2,"10":1,"2":2}',
      '{"_id":"Service.ServerValue.UUID","t":"Service.ServerValue.TIMESTAMP"}',
      '{"_id":1,"":{"$oid":"x"},"__proto__":[{"a.b":null}],"u":"\\r\\n\u2028😀é"}',
      '{"_id":"1"}',
    ]
    await load('out', '', documents.join('\n'))
    const exported = async (collection: string, format: string): Promise<string> =>
      (await dashboard.send('GET', `/apps/todo/collections/${collection}/export?format=${format}`, session))
        .text
    for (const format of ['ndjson', 'json'] as const) {
      const file = await exported('out', format)
      await load(`again-${format}`, '', file, format)
      assert.equal(await exported(`again-${format}`, format), file)
      assert.equal(await exported(`again-${format}`, 'ndjson'), `${documents.join('\n')}\n`)
    }
  })

  it('stands aside where a document is called like it', async () => {
    const at = '/apps/todo/collections/named/import'
    assert.equal((await dashboard.send('PUT', at, session, { json: { a: 1 } })).status, 201)
    assert.equal((await dashboard.send('GET', at, session)).text, '{"_id":"import","a":1}')
  })

  it('is previewed without being saved', async () => {
    const { status, json } = await send('seen/import-preview', 'zip;n\n007;1.50\n', 'csv')
    assert.equal(status, 200)
    assert.deepEqual(json, {
      format: 'csv',
      delimiter: ';',
      columns: [
        { name: 'zip', type: 'auto', guessed: 'text' },
        { name: 'n', type: 'auto', guessed: 'number' },
      ],
      documents: ['{"zip":"007","n":1.50}'],
      errors: [],
      isCut: false,
    })
    assert.equal((await send('seen/import-preview', 'x'.repeat(256 * 1024 + 1), 'csv')).status, 413)
    assert.equal(await read('seen'), '[]')
  })
})
