import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { lockDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'
import { type ServerProcess, startServer } from '../server/start-server.ts'
import { failure, runInProcess, success } from './in-process.ts'
import {
  cleanEnvironment,
  feedSheaf,
  finished,
  runSheaf,
  SHEAF,
  storeFolder,
  temporaryFolder,
} from './run-sheaf.ts'

const HOSTILE = [
  '{"_id":9007199254740993,"n":1.10,"tiny":1e-400,"minus":-0}',
  '{"_id":"keys","10":1,"2":2,"__proto__":{"constructor":1},"":"empty"}',
  '{"_id":"text","t":"\u2028 \\u0001 é 😀","p":"Service.ServerValue.TIMESTAMP"}',
]
/** After which a test fails for what has not come, rather than wait for it. */
const STEP_MS = 30_000
const FILE = `${HOSTILE.join('\n')}\n`

describe('documents that are brought in and taken out on the command line', () => {
  let server: ServerProcess
  let data: readonly string[]
  before(async () => {
    server = await startServer()
    data = ['--data', server.folder]
  })
  after(() => server.dispose())

  const path = (name: string): string => join(server.folder, name)
  const file = (name: string, text: string): string => {
    writeFileSync(path(name), text)
    return path(name)
  }
  const load = (collection: string, ...more: string[]) => ['import', 'demo', collection, ...more, ...data]
  const exported = (collection: string, ...more: string[]): Promise<string> =>
    success(['export', 'demo', collection, ...more, ...data])
  const isThere = async (collection: string): Promise<boolean> => {
    const { code, stdout, stderr } = await runInProcess(['export', 'demo', collection, ...data])
    assert.equal(code, 0)
    const word = `sheaf: there is no collection ${collection} in app demo: there was nothing to export\n`
    assert.ok(stderr === '' || (stderr === word && stdout === ''), stderr)
    return stderr === ''
  }

  it('fail in one line, with what to mend, and save nothing', async () => {
    const good = file('good.ndjson', '{"_id":1}\n')
    assert.match(await failure(load('c', path('none.json'))), /^there is no file .*none\.json$/)
    assert.match(await failure(load('c', server.folder)), / is a folder; name a file in it$/)
    assert.match(await failure(load('$c', good)), /can't be a collection's name/)
    assert.match(await failure(load('c', good, '--format', 'xml')), /format/)
    assert.match(
      await failure(load('c', good, '--on-conflict', 'merge')),
      /on-conflict takes fail or skip or replace/,
    )
    assert.match(await failure(load('c', good, '--types', '{}')), /types/)
    assert.match(await failure(['import', 'other', 'c', good, ...data]), /there is no such app/)
    assert.match(await failure(['export', 'other', 'c', ...data]), /there is no such app/)
    assert.match(await failure(['export', 'demo', 'c', '--format', 'xml', ...data]), /ndjson, json or csv/)
    assert.match(await failure(['export', 'demo', 'c', '--q', '{', ...data]), /q: /)
    assert.match(await failure(['export', 'demo', 'c', '--guard', ...data]), /guard go with format=csv/)
    assert.equal(await isThere('c'), false)
  })

  it('are all there or none of them, and the bad line is named', async () => {
    const bad = file('bad.ndjson', '{"_id":1}\n{"_id":2\n{"_id":3}\n')
    assert.match(await failure(load('some', bad)), /^line 2: /)
    assert.equal(await isThere('some'), false)
    const skipped = await runInProcess(load('some', bad, '--skip-bad'))
    assert.deepEqual([skipped.code, skipped.stdout], [0, '3 documents: 2 created, 1 bad and left out.\n'])
    assert.match(skipped.stderr, /^line 2: [^\n]+\n$/)
    assert.equal(await exported('some'), '{"_id":1}\n{"_id":3}\n')
    assert.match(
      await failure(load('some', file('twice.ndjson', '{"_id":9}\n{"_id":3,"n":1}\n'))),
      /^line 2: /,
    )
    assert.equal(
      await success(load('some', path('twice.ndjson'), '--on-conflict', 'replace')),
      '2 documents: 1 created, 1 replaced.\n',
    )
    assert.equal(await exported('some'), '{"_id":1}\n{"_id":3,"n":1}\n{"_id":9}\n')
  })

  it('are only looked at where that is asked for, which fails where a line is bad', async () => {
    const bad = file('check.ndjson', '{"_id":1}\nx\n')
    const { code, stdout, stderr } = await runInProcess(load('checked', bad, '--check'))
    assert.deepEqual([code, stdout], [1, '2 documents, 1 of them bad. Nothing was saved.\n'])
    assert.match(stderr, /^line 2: .*\nsheaf: 1 document can't be imported\n$/)
    assert.equal(await isThere('checked'), false)
  })

  it('are of the kind that the name of a file says, or what it holds', async () => {
    await success(load('kinds', file('a.csv', 'zip;n\n007;1.50\n')))
    await success(load('kinds', file('a.tsv', 'zip\tn\n008\t2\n')))
    await success(load('kinds', file('a.json', '[{"zip":"é","n":3}]')))
    await success(load('kinds', file('data', 'zip;n\n010;4\n')))
    assert.equal(
      await exported('kinds', '--format', 'csv', '--columns', '["zip","n"]'),
      'zip,n\r\n007,1.50\r\n008,2\r\né,3\r\n010,4\r\n',
    )
    const ejson = file(
      'm.json',
      '{"_id":{"$oid":"5f2b0a0000000000000000aa"},"n":{"$numberLong":"9007199254740993"}}\n',
    )
    await success(load('mongo', ejson, '--ejson'))
    assert.equal(await exported('mongo'), '{"_id":"5f2b0a0000000000000000aa","n":9007199254740993}\n')
  })

  it('come from standard input, and are told of as JSON', async () => {
    const { code, stdout, stderr } = await runInProcess(load('piped', '-', '--json'), {}, FILE)
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(JSON.parse(stdout), {
      ...{ created: 3, replaced: 0, skipped: 0, bad: 0, documents: 3, errors: [] },
    })
    assert.equal(await exported('piped'), FILE)
  })

  it('are what a query finds, in its order, as CSV or an array', async () => {
    await success(load('found', file('f.ndjson', '{"_id":1,"n":2}\n{"_id":2,"n":1,"t":"=x"}\n{"_id":3}\n')))
    const query = ['--q', '{"n":{"$gt":0}}', '--s', '{"n":1}', '--f', '{"n":1,"t":1}']
    assert.equal(await exported('found', ...query), '{"_id":2,"n":1,"t":"=x"}\n{"_id":1,"n":2}\n')
    assert.equal(
      await exported('found', ...query, '--format', 'csv', '--guard'),
      "_id,n,t\r\n2,1,'=x\r\n1,2,\r\n",
    )
    assert.equal(await exported('found', '--q', '{"_id":3}', '--format', 'json'), '[{"_id":3}]\n')
  })

  it('are equal byte for byte in a new app without a server, and when they are taken out again', async (t) => {
    const other = await storeFolder(t)
    await success(['app', 'create', 'copy', '--data', other])
    const from = await runSheaf(['export', 'demo', 'piped', ...data])
    assert.deepEqual(from, { code: 0, stdout: FILE, stderr: '' })
    const into = await feedSheaf(['import', 'copy', 'all', '-', '--data', other], from.stdout)
    assert.deepEqual(into, { code: 0, stdout: '3 documents: 3 created.\n', stderr: '' })
    const again = await runSheaf(['export', 'copy', 'all', '--data', other])
    assert.deepEqual(again, { code: 0, stdout: FILE, stderr: '' })
    assert.ok(!existsSync(join(other, 'run', 'server.sock')))
    lockDataFolder(other).release()
  })
})

describe('an import that is stopped', () => {
  const started = (data: string, ...more: string[]) =>
    spawn(SHEAF, ['import', 'demo', 'c', '-', '--format', 'ndjson', '--data', data, ...more], {
      env: cleanEnvironment(),
      cwd: tmpdir(),
      stdio: 'pipe',
    })
  const saidBy = async (child: ChildProcess): Promise<[signal: NodeJS.Signals | null, said: string]> => {
    const { stderr } = await finished(child)
    return [child.signalCode, stderr]
  }

  it('says that nothing was saved, where not all was sent', async (t) => {
    const data = await storeFolder(t)
    await success(['app', 'create', 'demo', '--data', data])
    const child = started(data)
    // More than the pipe holds: the command has taken some of it when all is written.
    await new Promise((resolve) => child.stdin.write('{"a":1}\n'.repeat(200_000), resolve))
    child.kill('SIGINT')
    assert.deepEqual(await saidBy(child), ['SIGINT', 'sheaf: stopped: nothing was saved\n'])
  })

  it('says that nobody knows, where all was sent and no answer has come, unless it only checks', async (t) => {
    const data = await storeFolder(t)
    mkdirSync(join(data, 'run'))
    const whole = new EventEmitter()
    const server = createServer((request, response) => {
      request.resume().once('end', () => (request.method === 'GET' ? response.end() : whole.emit('import')))
    })
    server.listen(join(data, 'run', 'server.sock'))
    await once(server, 'listening')
    t.after(() => server.close())
    const stopped = async (...more: string[]) => {
      const child = started(data, ...more)
      child.stdin.end('{"a":1}\n')
      await once(whole, 'import')
      child.kill('SIGTERM')
      return saidBy(child)
    }
    const [signal, said] = await stopped()
    assert.equal(signal, 'SIGTERM')
    assert.match(said, /^sheaf: stopped, and it is not known whether the documents were saved; look .*\n$/)
    assert.deepEqual(await stopped('--check'), ['SIGTERM', 'sheaf: stopped: nothing was saved\n'])
  })
})

describe('an export that can not go on', () => {
  it('fails with what has come by then, where the server is killed, or nobody reads', async (t) => {
    const server = await startServer()
    t.after(() => server.dispose())
    const data = ['--data', server.folder]
    const text = 'x'.repeat(64 * 1024)
    const long = join(temporaryFolder(t), 'long.ndjson')
    writeFileSync(long, Array.from({ length: 320 }, (_, i) => `{"_id":${i},"text":"${text}"}\n`).join(''))
    await success(['import', 'demo', 'long', long, ...data])
    // Which of the four does not come is then seen where it fails.
    const soon = () => ({ signal: AbortSignal.timeout(STEP_MS) })
    const start = () => {
      const child = spawn(SHEAF, ['export', 'demo', 'long', ...data], {
        env: cleanEnvironment(),
        cwd: tmpdir(),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      t.after(() => child.kill('SIGKILL'))
      return child
    }

    const unread = start()
    let why = ''
    unread.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      why += chunk
    })
    await once(unread.stdout, 'readable', soon())
    unread.stdout.destroy()
    assert.deepEqual(await once(unread, 'close', soon()), [1, null])
    assert.match(why, /^sheaf: standard output can't be written: nobody reads it any more\n$/)

    const cut = start()
    let complaint = ''
    cut.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint += chunk
    })
    await once(cut.stdout, 'readable', soon())
    await server.kill()
    cut.stdout.resume()
    assert.deepEqual(await once(cut, 'close', soon()), [1, null])
    assert.match(
      complaint,
      /^sheaf: the server broke off, and what has come is not the whole; its log says why/,
    )
  })
})
