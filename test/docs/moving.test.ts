import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { cleanEnvironment, type Finished, finished } from '../cli/run-sheaf.ts'
import { type ServerProcess, startServer } from '../server/start-server.ts'
import { code, ROOT, readPage, tableRows } from './page.ts'

const SCRIPTS = join(ROOT, 'examples/moving')
const SAMPLES = join(SCRIPTS, 'samples')
const QUIET = { code: 0, stderr: '' }

/** A service that documents come from: answers the same sample, and remembers what it was asked. */
class Source {
  readonly asked: IncomingMessage[] = []
  readonly address: string
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(answers: (url: string) => string): Promise<Source> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const source = new Source(server)
    server.on('request', (incoming, outgoing) => {
      source.asked.push(incoming)
      incoming.resume().on('end', () => outgoing.end(answers(incoming.url!)))
    })
    return source
  }

  stop(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

/** Which of these are found by the operators that the page writes instead of MongoDB's. */
const NUMBERED = [
  { _id: 'one', a: 1 },
  { _id: 'two', a: 2 },
  { _id: 'both', a: [1, 2] },
  { _id: 'text', a: 'aXb' },
  { _id: 'null', a: null },
  { _id: 'missing' },
]
const FOUND_INSTEAD = new Map([
  ['{"a":{"$ne":1}}', ['two', 'text', 'null', 'missing']],
  ['{"a":{"$nin":[1,2]}}', ['text', 'null', 'missing']],
  ['{"a":{"$exists":true}}', ['one', 'two', 'both', 'text']],
  ['{"a":{"$exists":false}}', ['null', 'missing']],
  ['{"$or":[{"a":1},{"a":2}]}', ['one', 'two', 'both']],
  ['{"a":{"$all":[1,2]}}', ['both']],
  ['{"a":{"$regex":"x","$options":"i"}}', ['text']],
])

function sample(name: string): string {
  return readFileSync(join(SAMPLES, name), 'utf8')
}

describe('the scripts for moving here', () => {
  let server: ServerProcess
  let folder: string
  before(async () => {
    server = await startServer()
    folder = mkdtempSync(join(tmpdir(), 'sheaf-moving-'))
  })
  after(async () => {
    await server?.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  function run(
    script: string,
    args: readonly string[],
    input: string | Buffer = '',
    extra = {},
  ): Promise<Finished> {
    const env = {
      KEY: server.apiKey,
      URL: `https://localhost:${server.port}`,
      CA: join(server.folder, 'tls/cert.pem'),
      ...extra,
    }
    const words = [join(SCRIPTS, script), '--app', 'demo', ...args]
    const child = spawn(process.execPath, words, { env: cleanEnvironment(env), stdio: 'pipe' })
    child.stdin.end(input)
    return finished(child)
  }

  async function list(collection: string): Promise<string> {
    return (await server.client.send('GET', `/apps/demo/collections/${collection}`)).text
  }

  it('leave queries that find the same, as the page writes them', async () => {
    await server.client.send('POST', '/apps/demo/collections/numbered', { body: JSON.stringify(NUMBERED) })
    const rows = tableRows(readPage('docs/operations/moving-here.md'), 'instead of', 'write', 'note')
    assert.deepEqual(
      rows.map(([instead = '']) => code(instead)),
      [...FOUND_INSTEAD.keys()],
    )
    for (const [instead = '', write = ''] of rows) {
      const q = encodeURIComponent(code(write))
      const { text } = await server.client.send('GET', `/apps/demo/collections/numbered?q=${q}`)
      const ids = (JSON.parse(text) as { _id: string }[]).map(({ _id }) => _id)
      assert.deepEqual(ids, FOUND_INSTEAD.get(code(instead)), write)
    }
  })

  it('take what mongoexport writes, in every version of Extended JSON', async () => {
    for (const _ of ['the first time', 'again, which changes nothing']) {
      const result = await run('documents.ts', [join(SAMPLES, 'restaurants.json')])
      assert.deepEqual(result, { ...QUIET, stdout: 'restaurants: saved 3 documents.\n' })
      assert.equal(
        await list('restaurants'),
        '[{"_id":"55f14312c7447c3da7051b26","name":"Café Ω","rating":5.0,"visits":9007199254740993,' +
          '"opened":{"$date":"2012-09-18T20:02:24.386Z"},"tags":["tea","cake"]},' +
          '{"_id":"55f14312c7447c3da7051b27","name":"@ Thai","rating":5.5,' +
          '"opened":{"$date":"2012-11-20T20:02:24.000Z"},"owner":{"$oid":"55f14312c7447c3da7051aaa"}},' +
          '{"_id":3,"name":"Atthai","rating":null,"opened":{"$date":"2012-11-20T20:02:24.386Z"},' +
          '"price":{"$numberDecimal":"12.50"}}]',
      )
    }
  })

  it('keep dates as texts where that is asked for, from standard input', async () => {
    const input = '[{"_id":1,"at":{"$date":{"$numberLong":"0"}},"n":{"$numberDouble":"NaN"}}]'
    const result = await run('documents.ts', ['--dates', 'text', '--collection', 'dates', '-'], input)
    assert.deepEqual(result, { ...QUIET, stdout: 'dates: saved 1 documents.\n' })
    assert.equal(
      await list('dates'),
      '[{"_id":1,"at":"1970-01-01T00:00:00.000Z","n":{"$numberDouble":"NaN"}}]',
    )
  })

  it('take what flybase-export writes as it is', async () => {
    const result = await run('documents.ts', [join(SAMPLES, 'chat.json')])
    assert.deepEqual(result, { ...QUIET, stdout: 'chat: saved 2 documents.\n' })
    assert.equal(await list('chat'), sample('chat.json').trim())
  })

  it('take a file that is longer than one request may be', async () => {
    const file = join(folder, 'long.json')
    const text = 'é'.repeat(500)
    const lines = Array.from({ length: 20_001 }, (_, i) => JSON.stringify({ _id: i, text }))
    writeFileSync(file, lines.join('\n'))
    assert.equal((await run('documents.ts', [file])).stdout, 'long: saved 20001 documents.\n')
    const { text: count } = await server.client.send('GET', '/apps/demo/collections/long?c=true')
    assert.equal(count, '20001')
  })

  it('name each document that is refused, save the others, and end with 1', async () => {
    const input = '{"_id":1}\n{"_id":{"a":1}}\n{"_id":2,"$x":1}\n{"_id":3}\n'
    const { code, stdout, stderr } = await run('documents.ts', ['--collection', 'bad', '-'], input)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: 'bad: saved 2 documents.\n' })
    assert.match(stderr, /^document 2 is refused: .*invalid_id.*\ndocument 3 is refused: .*\ndocuments: 2 /)
    assert.equal(await list('bad'), '[{"_id":1},{"_id":3}]')
  })

  it('name each document that can not be read, save the others, and end with 1', async () => {
    const lines = [
      '{"_id":1}',
      '{"_id":"nul","a":"\\u0000"}',
      '{"_id":"half","a":"\\ud800"}',
      '{"_id":"twice","a":1,"a":2}',
      "{_id:'shell',d:ISODate('2020')}",
      '{"_id":"caf\xe9"}',
      '{"_id":"caf\xea"}',
      '{"_id":2}',
    ]
    const input = Buffer.from(lines.join('\n'), 'latin1')
    const { code, stdout, stderr } = await run('documents.ts', ['--collection', 'unread', '-'], input)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: 'unread: saved 2 documents.\n' })
    const told = stderr.trimEnd().split('\n')
    assert.deepEqual(
      told.map((line) =>
        /^document (\d) is refused: it can't be read: .*\{"?_id"?:["']([a-z]+)/.exec(line)?.slice(1),
      ),
      [['2', 'nul'], ['3', 'half'], ['4', 'twice'], ['5', 'shell'], ['6', 'caf'], ['7', 'caf'], undefined],
    )
    assert.match(told[4]!, /it is not UTF-8/)
    assert.equal(told[6], 'documents: 6 documents of unread were refused, and are not saved')
    assert.equal(await list('unread'), '[{"_id":1},{"_id":2}]')
  })

  it('save the other resources of a db.json, and refuse one that is not UTF-8 by its line', async () => {
    const file = join(folder, 'mixed.json')
    writeFileSync(file, '{"odd":[7,{"id":1,"_id":2},{"id":3}],"text":"x",\n"fine":[{"id":4}]}')
    const { code, stdout, stderr } = await run('json-server.ts', [file])
    assert.equal(code, 1)
    assert.equal(stdout, 'odd: saved 1 documents.\ntext: saved 0 documents.\nfine: saved 1 documents.\n')
    assert.match(
      stderr,
      /^document 1 is refused: it is no object: 7\ndocument 2 is refused: it has both id and _id;/,
    )
    assert.equal(await list('odd'), '[{"_id":3}]')
    writeFileSync(file, Buffer.from('{"odd":[\n{"id":"caf\xe9"}]}', 'latin1'))
    const refused = await run('json-server.ts', [file])
    assert.match(
      `${refused.code} ${refused.stderr}`,
      /^1 json-server: line 2 of .*mixed\.json can't be read: it is not UTF-8/,
    )
  })

  it('refuse a document without an _id, which a second run would double', async () => {
    const args = ['--collection', 'anonymous', '-']
    const refused = await run('documents.ts', args, '[{"a":1}]')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^documents: document 1 has no _id.*--new-ids/)
    assert.equal((await run('documents.ts', ['--new-ids', ...args], '[{"a":1}]')).code, 0)
    assert.match(
      await list('anonymous'),
      /^\[\{"_id":"[0-9A-Z]{26}","a":1\}\]$|^\[\{"a":1,"_id":"[0-9A-Z]{26}"\}\]$/,
    )
  })

  for (const [what, input, message] of [
    ['a file that was cut', '[{"_id":1},{"_id":2,"a"', /ends within a document/],
    ['an empty file', '\n', /there is nothing in it/],
    ['what is not made of objects', '{"_id":1} 7', /should hold JSON objects/],
  ] as const)
    it(`refuse ${what} in one line`, async () => {
      const { code, stderr } = await run('documents.ts', ['--collection', 'no', '-'], input)
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.equal(stderr.trimEnd().split('\n').length, 1)
    })

  it("take a file of json-server's, each resource into its collection", async () => {
    const { code, stdout } = await run('json-server.ts', [join(SAMPLES, 'db.json')])
    assert.deepEqual(
      { code, stdout },
      { code: 0, stdout: 'posts: saved 2 documents.\nprofile: saved 1 documents.\n' },
    )
    assert.equal(
      await list('posts'),
      '[{"_id":1,"title":"json-server","author":"typicode"},{"_id":"b7f2","title":"second","views":100}]',
    )
    assert.equal(await list('profile'), '[{"_id":"profile","name":"typicode"}]')
  })

  it('take a database of CouchDB, without revisions, and say which data stays behind', async () => {
    const source = await Source.start(() => sample('couchdb-all-docs.json'))
    const result = await run('couchdb.ts', [`${source.address.replace('//', '//ada:p%40ss@')}/films`])
    source.stop()
    assert.deepEqual(
      { code: result.code, stdout: result.stdout },
      { code: 0, stdout: 'films: saved 2 documents.\n' },
    )
    assert.match(result.stderr, /^couchdb: 1 documents have attachments/)
    assert.equal(source.asked[0]!.url, '/films/_all_docs?include_docs=true&limit=201')
    assert.equal(source.asked[0]!.headers.authorization, `Basic ${btoa('ada:p@ss')}`)
    assert.equal(
      await list('films'),
      '[{"_id":"alien","year":1979,"gross":1.10},' +
        '{"_id":"poster","_attachments":{"p.png":{"content_type":"image/png","length":5,"stub":true}}}]',
    )
  })

  it('go through a database of CouchDB page by page', async () => {
    const row = (id: string): string => `{"id":"${id}","doc":{"_id":"${id}","_rev":"1-a"}}`
    const ids = Array.from({ length: 203 }, (_, i) => `d${i + 1000}`)
    const source = await Source.start((url) => {
      const start = new URL(url, 'http://source').searchParams.get('startkey')
      const page = ids.filter((id) => start === null || id >= JSON.parse(start)).slice(0, 201)
      return `{"rows":[${page.map(row).join(',')}]}`
    })
    const { stdout } = await run('couchdb.ts', [`${source.address}/paged`])
    source.stop()
    assert.equal(stdout, 'paged: saved 203 documents.\n')
    assert.equal(await list('paged'), `[${ids.map((id) => `{"_id":"${id}"}`).join(',')}]`)
  })

  it('take a collection of PocketBase, as a superuser', async () => {
    const source = await Source.start((url) =>
      url.includes('auth-with-password') ? '{"token":"abc"}' : sample('pocketbase-records.json'),
    )
    const user = { POCKETBASE_EMAIL: 'ada@example.com', POCKETBASE_PASSWORD: 'secret' }
    const result = await run('pocketbase.ts', [source.address, 'books'], '', user)
    source.stop()
    assert.deepEqual(result, { ...QUIET, stdout: 'books: saved 2 documents.\n' })
    assert.equal(source.asked[1]!.headers.authorization, 'abc')
    assert.equal(
      await list('books'),
      '[{"_id":"00iu6jsmhqfsaqa","title":"Título","pages":442.5,"read":false,"tags":["a"],' +
        '"created":"2026-01-02 03:04:05.678Z"},{"_id":"01kq8xkzfj2s9an","title":"Zweites","pages":0,' +
        '"read":true,"tags":null,"created":"2026-01-02 03:04:06.000Z"}]',
    )
  })
})
