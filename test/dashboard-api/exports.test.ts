import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { type Credential, Dashboard, type DashboardAnswer } from './start-dashboard.ts'

const NDJSON = { 'Content-Type': 'application/x-ndjson' }
/** Longer than what fits between a server and a client that doesn't read. */
const LONG = 24 * 1024 * 1024
const HOSTILE = [
  '{"_id":9007199254740993,"n":1.10,"tiny":1e-400,"minus":-0,"e":1E+2}',
  '{"_id":"keys","10":1,"2":2,"__proto__":{"constructor":1},"":"empty","a.b":{"$c":[]}}',
  '{"_id":"text","t":"\u2028\u2029 \\u0001 \\" \\\\ / é 😀","p":"Service.ServerValue.TIMESTAMP"}',
  '{"_id":"nested","deep":[[[{"a":null}]],1.0,true]}',
]

describe('an export', () => {
  let dashboard: Dashboard
  let session: Credential
  const at = (path: string): string => `/apps/todo/collections/${path}`
  const get = (path: string, credential = session): Promise<DashboardAnswer> =>
    dashboard.send('GET', path, credential)
  const load = async (collection: string, body: string): Promise<void> => {
    const { status, text } = await dashboard.send('POST', at(`${collection}/import`), session, {
      body,
      headers: NDJSON,
    })
    assert.equal(status, 200, text)
  }
  const loadLong = (collection: string): Promise<void> => {
    const text = 'x'.repeat(64 * 1024)
    const lines = Array.from({ length: LONG / text.length }, (_, i) => `{"_id":${i},"text":"${text}"}\n`)
    return load(collection, lines.join(''))
  }
  /** A connection that has asked for an export and reads nothing yet. */
  const asking = async (path: string) => {
    const socket = await dashboard.server.newClient().connect()
    socket.pause()
    socket.write(
      `GET /_/api${path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nCookie: ${session.Cookie}\r\n` +
        'Connection: close\r\n\r\n',
    )
    return socket
  }

  before(async () => {
    dashboard = await Dashboard.start()
    const owner = await dashboard.account('owner@example.org')
    await dashboard.accounts.createApp({ slug: 'todo', owner: owner.id }, 'test')
    session = await dashboard.session(owner)
  })
  after(() => dashboard.close())

  it('that is asked for wrongly is refused before it begins', async () => {
    const cases: [query: string, code: string][] = [
      ['format=', 'invalid_parameter'],
      ['format=xml', 'invalid_parameter'],
      ['format=json&format=csv', 'duplicate_parameter'],
      ['format=json&columns=["a"]', 'invalid_parameter'],
      ['format=ndjson&guard=true', 'invalid_parameter'],
      ['format=csv&guard=perhaps', 'invalid_parameter'],
      ['format=csv&columns=a', 'invalid_parameter'],
      ['format=csv&columns=[]', 'invalid_parameter'],
      ['format=csv&columns=[1]', 'invalid_parameter'],
      ['format=csv&columns=["a","a"]', 'invalid_parameter'],
      ['format=ndjson&q={', 'invalid_query'],
      ['format=ndjson&s=1', 'invalid_parameter'],
      ['format=ndjson&f=1', 'invalid_parameter'],
      ['format=csv&gaurd=true', 'invalid_parameter'],
    ]
    for (const [query, code] of cases) {
      const { status, json } = await get(at(`things/export?${encodeURI(query)}`))
      assert.deepEqual([status, json.code], [400, code], query)
    }
    assert.equal((await get('/apps/other/export')).json.code, 'app_not_found')
    assert.equal((await get(at('%24x/export?format=csv'))).json.code, 'invalid_name')
  })

  it('of more fields than CSV has columns, or of longer names, has to be told which', async () => {
    const documents = (count: number, fields: number, length: number): string =>
      Array.from({ length: count }, (_, at) => {
        const names = Array.from({ length: fields }, (_, n) => `${n}`.padEnd(length, `.${at}`))
        return `${JSON.stringify(Object.fromEntries(names.map((name, n) => [name, n])))}\n`
      }).join('')
    // An _id comes to them.
    await load('wide', documents(1, 10_000, 1))
    await load('long-names', documents(11, 1, 1_000_000))
    for (const collection of ['wide', 'long-names']) {
      const { status, json } = await get(at(`${collection}/export?format=csv`))
      assert.deepEqual([status, json.code], [400, 'invalid_parameter'], collection)
    }
    const { text } = await get(at('wide/export?format=csv&columns=["7"]'))
    assert.equal(text, '7\r\n7\r\n')
  })

  it('is no document that is called export', async () => {
    await load('named', '{"_id":"export","a":1}\n')
    assert.equal((await get(at('named/export'))).text, '{"_id":"export","a":1}')
    assert.equal((await get(at('named/export?format=ndjson'))).text, '{"_id":"export","a":1}\n')
  })

  it('comes as a file of its name and kind', async () => {
    await load(encodeURIComponent('a"b é'), '{"_id":1}\n{"_id":"=2"}\n')
    const path = at(`${encodeURIComponent('a"b é')}/export?format=`)
    const shown = async (query: string) => {
      const { text, headers } = await get(`${path}${query}`)
      return [text, headers['content-type'], headers['content-disposition'], headers['cache-control']]
    }
    const name = (ending: string): string =>
      `attachment; filename="todo-a_22b _.${ending}"; filename*=UTF-8''todo-a%2522b%20%C3%A9.${ending}`
    assert.deepEqual(await shown('ndjson'), [
      '{"_id":1}\n{"_id":"=2"}\n',
      'application/x-ndjson',
      name('ndjson'),
      'no-store',
    ])
    assert.deepEqual(await shown('json'), [
      '[{"_id":1},\n{"_id":"=2"}]\n',
      'application/json',
      name('json'),
      'no-store',
    ])
    assert.deepEqual(await shown('csv'), [
      '_id\r\n1\r\n=2\r\n',
      'text/csv; charset=utf-8; header=present',
      name('csv'),
      'no-store',
    ])
    assert.equal((await get(`${path}csv&guard=true`)).text, "_id\r\n1\r\n'=2\r\n")
    assert.equal((await get(at('none/export?format=json'))).text, '[]\n')
    assert.equal((await get(at('none/export?format=csv'))).text, '')
    assert.equal((await get(at('none/export?format=csv&columns=["a"]'))).text, 'a\r\n')
  })

  it('is of a query in its order, of which CSV has the columns that are asked for, or all', async () => {
    await load('some', '{"_id":1,"n":2}\n{"_id":2,"n":1,"o":"x"}\n{"_id":3}\n')
    const query = 'q={"n":{"$gt":0}}&s={"n":1}'
    assert.equal((await get(at(`some/export?format=csv&${query}`))).text, '_id,n,o\r\n2,1,x\r\n1,2,\r\n')
    assert.equal(
      (await get(at(`some/export?format=csv&${query}&columns=["n","none"]`))).text,
      'n,none\r\n1,\r\n2,\r\n',
    )
    assert.equal(
      (await get(at(`some/export?format=ndjson&${query}&f={"o":1}`))).text,
      '{"_id":2,"o":"x"}\n{"_id":1}\n',
    )
  })

  it('is equal byte for byte when it was imported elsewhere, whatever it holds', async () => {
    const file = `${HOSTILE.join('\n')}\n`
    await load('hostile', file)
    const first = await get(at('hostile/export?format=ndjson'))
    assert.equal(first.text, file)
    await load('again', first.text)
    assert.equal((await get(at('again/export?format=ndjson'))).text, file)
  })

  it('holds nobody up while its client reads nothing, and is whole in the end', async () => {
    await loadLong('long')
    const socket = await asking(at('long/export?format=ndjson'))
    for (let i = 0; i < 5; i++) {
      await load('meanwhile', `{"_id":${i}}\n`)
      assert.equal((await get(at('meanwhile'))).json.length, i + 1)
    }
    const text = await textUntilClose(socket)
    assert.equal(text.match(/"_id":/g)?.length, LONG / (64 * 1024))
    assert.ok(text.endsWith('\r\n0\r\n\r\n'))
  })

  it('breaks off where its collection is dropped, so that nobody takes a part for the whole', async () => {
    await loadLong('dropped')
    const socket = await asking(at('dropped/export?format=json'))
    await once(
      socket.once('readable', () => undefined),
      'readable',
    )
    assert.equal((await dashboard.send('DELETE', at('dropped?drop=true'), session)).status, 200)
    const text = await textUntilClose(socket)
    assert.match(text, /^HTTP\/1\.1 200 /)
    assert.ok(!text.endsWith('0\r\n\r\n'))
    await dashboard.server.logged('the collection was removed with its documents while it was read')
  })

  it('ends with a client that leaves', async () => {
    const from = dashboard.server.log.length
    const socket = await asking(at('long/export?format=csv'))
    await once(
      socket.once('readable', () => undefined),
      'readable',
    )
    socket.destroy()
    assert.equal((await get(at('long?c=true'))).text, '384')
    assert.equal(dashboard.server.log.slice(from), '')
  })

  it('of an app is a zip, in which no collection leads elsewhere or is lost behind another', async () => {
    const owner = await dashboard.accounts.findAccount({ email: 'owner@example.org' })
    await dashboard.accounts.createApp({ slug: 'zipped', owner: owner!.id }, 'test')
    const names = ['..\\..\\evil', 'Notes', 'contents', 'notes', 'é']
    for (const name of names) {
      const path = `/apps/zipped/collections/${encodeURIComponent(name)}`
      const answer = await dashboard.send('POST', path, session, { json: { _id: name, n: 1 } })
      assert.equal(answer.status, 201, answer.text)
    }
    const { headers, bytes } = await download('/apps/zipped/export')
    assert.equal(headers['content-type'], 'application/zip')
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="zipped.zip"; filename*=UTF-8''zipped.zip`,
    )
    const files = await unzipped(bytes)
    assert.deepEqual(
      [...files.keys()],
      [
        'contents.json',
        '%2E.%5C..%5Cevil.ndjson',
        'Notes.ndjson',
        'contents~2.ndjson',
        'notes~2.ndjson',
        'é.ndjson',
      ],
    )
    const { app, collections } = JSON.parse(files.get('contents.json')!)
    assert.equal(app, 'zipped')
    for (const { collection, file } of collections)
      assert.equal(files.get(file), `${JSON.stringify({ _id: collection, n: 1 })}\n`)
  })

  async function download(path: string) {
    const client = dashboard.server.newClient()
    const socket = await client.connect()
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(
      `GET /_/api${path} HTTP/1.0\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n` +
        `Accept-Encoding: gzip, br\r\nCookie: ${session.Cookie}\r\n\r\n`,
    )
    await once(socket, 'end')
    const all = Buffer.concat(chunks)
    const end = all.indexOf('\r\n\r\n')
    const headers = Object.fromEntries(
      all
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    )
    return { headers, bytes: all.subarray(end + 4) } as {
      headers: Record<string, string | undefined>
      bytes: Buffer
    }
  }
})

async function textUntilClose(socket: TLSSocket): Promise<string> {
  const closed = once(socket, 'close')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.resume()
  await closed
  return text
}

/** The texts of a zip's files by their names, in their order. */
async function unzipped(bytes: Buffer): Promise<Map<string, string>> {
  const zip = (await promisify(
    fromBuffer as (bytes: Buffer, options: object, done: (error: Error | null, zip: ZipFile) => void) => void,
  )(bytes, { lazyEntries: true })) as ZipFile
  const files = new Map<string, string>()
  const ended = once(zip, 'end')
  zip.on('entry', (entry: Entry) => {
    zip.openReadStream(entry, async (error, stream) => {
      assert.equal(error, null)
      files.set(entry.fileName, Buffer.concat(await stream.toArray()).toString())
      zip.readEntry()
    })
  })
  zip.readEntry()
  await ended
  return files
}
