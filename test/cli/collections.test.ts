import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type ServerProcess, startServer } from '../server/start-server.ts'
import { failure, json, success } from './in-process.ts'
import { storeFolder } from './run-sheaf.ts'

/** What the commands print for programs. */
interface Told {
  readonly id: number
  readonly name: string
  readonly documents: number
  readonly indexes: number
  readonly reason: string
  readonly by: string
  readonly restorableUntil: string
}

describe('collections on the command line', () => {
  let server: ServerProcess
  let data: readonly string[]
  before(async () => {
    server = await startServer()
    data = ['--data', server.folder]
    const file = join(server.folder, 'three.ndjson')
    writeFileSync(file, '{"_id":1}\n{"_id":2}\n{"_id":3}\n')
    await success(['import', 'demo', 'things', file, ...data])
  })
  after(() => server.dispose())

  const collection = (...words: string[]) => ['collection', ...words, ...data]
  const exported = (name: string) => success(['export', 'demo', name, ...data])

  it('are refused in one line where there are none, or a name is taken', async () => {
    assert.match(await failure(collection('list', 'none')), /^there is no such app/)
    assert.match(await failure(collection('drop', 'demo', 'none')), /^there is no collection "none"$/)
    assert.match(await failure(collection('rename', 'demo', 'things', '$x')), /can't be a collection's name/)
    assert.match(
      await failure(collection('rename', 'demo', 'things', 'things')),
      /^there is a collection "things"/,
    )
    assert.match(await failure(collection('restore', 'demo', '7')), /^the bin has no such collection/)
    assert.match(await failure(collection('remove', 'demo', 'x')), /^the bin has no such collection/)
  })

  it('are renamed, emptied, dropped and brought back', async () => {
    assert.equal(
      await success(collection('rename', 'demo', 'things', 'all things')),
      'Collection things of demo is called all things from now on.\n',
    )
    const [listed] = (await json(collection('list', 'demo'))) as [Told]
    assert.deepEqual([listed.name, listed.documents, listed.indexes], ['all things', 3, 0])
    const emptied = await success(collection('empty', 'demo', 'all things'))
    const [{ id, by, ...entry }] = (await json(collection('bin', 'demo'))) as [Told]
    assert.equal(
      emptied,
      `Collection all things of demo is empty. Until ${entry.restorableUntil} "sheaf collection restore demo ${id} ${data.join(' ')}" brings 3 documents back.\n`,
    )
    assert.match(by, /^cli:/)
    assert.equal(
      await success(collection('empty', 'demo', 'all things')),
      'Collection all things of demo had no documents.\n',
    )
    const dropped = (await json(collection('drop', 'demo', 'all things'))) as Told
    assert.deepEqual([dropped.reason, dropped.documents], ['drop', 0])
    assert.match(
      await success(collection('bin', 'demo')),
      /^ID .*\n\d+ +all things +0 +dropped .*\n\d+ +all things +3 +emptied /,
    )
    assert.match(
      await success(collection('remove', 'demo', String(dropped.id))),
      /^Entry \d+ of the bin of demo is removed for good\.\n$/,
    )
    assert.equal(
      await success(collection('restore', 'demo', String(id), '--as', 'again')),
      'Collection again of demo is back, with 3 documents.\n',
    )
    assert.equal(await exported('again'), '{"_id":1}\n{"_id":2}\n{"_id":3}\n')
    const audit = (await json(['audit', '--limit', '5', ...data])) as { action: string; actor: string }[]
    assert.deepEqual(
      audit.map(({ action, actor }) => [action, actor]),
      ['restore', 'remove', 'drop', 'empty', 'rename'].map((action) => [`collection.${action}`, by]),
    )
  })

  it('are not compacted while a server runs', async () => {
    assert.match(await failure(['compact', 'demo', ...data]), /^another server is running on /)
    assert.match(await failure(['compact', 'none', ...data]), /^there is no app "none"$/)
  })

  it('are compacted where none does', async (t) => {
    const folder = ['--data', await storeFolder(t)]
    await success(['app', 'create', 'demo', ...folder])
    const { bytesBefore, bytesAfter } = (await json(['compact', 'demo', ...folder])) as {
      bytesBefore: number
      bytesAfter: number
    }
    assert.ok(bytesAfter > 0 && bytesAfter <= bytesBefore, `${bytesBefore} to ${bytesAfter}`)
    assert.match(
      await success(['compact', 'demo', ...folder]),
      /^The file of demo has \d+ bytes, 0 fewer than before\.$/m,
    )
  })
})
