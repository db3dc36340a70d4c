import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../../../domain/limits.ts'
import { parseJson } from '../../../json/exact.ts'
import { parseFilter } from '../../../query/parse.ts'
import { parseUpdate } from '../../../update/parse.ts'
import { openAccounts } from '../control/open-accounts.ts'
import { Connections } from '../files/connections.ts'
import { openDataFolder } from '../files/data-folder.ts'
import { Writer } from '../write/writer.ts'
import { monotonicMs } from './monotonic.ts'
import type { WriteRequest } from './requests.ts'
import {
  anyDocumentSlot,
  collectionSlot,
  createSeqlockCells,
  documentSlot,
  SeqlockTable,
} from './seqlock-table.ts'

const PERMITTED = { create: true, update: true }
const json = (text: string) => parseJson(text, DEFAULT_LIMITS)

describe('a group of writes', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-writer-'))
  const versions = new SeqlockTable(createSeqlockCells())
  let at = { app: '', collection: 'c' }
  let connections: Connections
  let writer: Writer
  /** Called right before and right after each COMMIT. */
  let aroundCommit: () => void = () => {}

  before(async () => {
    openDataFolder(dataDir)
    const control = await openAccounts({ dataDir })
    at = { ...at, app: (await control.createApp({ slug: 'demo', owner: null }, 'test')).id }
    await control.close()
    connections = new Connections({ dataDir, mode: 'writer', limit: 1 })
    const connection = connections.to(at.app)
    const run = connection.run.bind(connection)
    connection.run = (sql, ...parameters) => {
      if (sql === 'COMMIT') aroundCommit()
      const changes = run(sql, ...parameters)
      if (sql === 'COMMIT') aroundCommit()
      return changes
    }
    let ulids = 0
    const nextUlid = (): string => `ULID${ulids++}`
    const context = { limits: DEFAULT_LIMITS, serviceNames: ['Service'], nextUlid }
    writer = new Writer(connections, context, versions, () => {})
  })
  after(() => {
    connections.closeAll()
    rmSync(dataDir, { recursive: true })
  })

  const save = (...ids: (string | number)[]): WriteRequest => ({
    kind: 'save',
    ...at,
    permitted: PERMITTED,
    documents: ids.map((id) => ({ id, text: `{"_id":${JSON.stringify(id)}}` })),
  })
  const update = parseUpdate(json('{"$set":{"a":1}}'), DEFAULT_LIMITS)
  const filter = parseFilter(json('{}'), DEFAULT_LIMITS)
  const one = (...ids: (string | number)[]) => ({ ...at, ids })
  const commit = (...requests: WriteRequest[]): unknown[] =>
    writer.commitGroup(requests.map((request, id) => ({ id, request, since: monotonicMs() })))

  /** Whether what was kept of a document, of all documents and of the collection is forgotten. */
  const forgotten = (key: string, ...requests: WriteRequest[]): boolean[] => {
    const readVersions = [documentSlot(at, key), anyDocumentSlot(at), collectionSlot(at)].map(
      (slot) => versions.beginRead([slot])!,
    )
    commit(...requests)
    return readVersions.map((version) => !versions.isCurrent(version))
  }

  it('forgets the document that is named, and what was answered of its collection', () => {
    const named: WriteRequest[] = [
      save('x'),
      { kind: 'updateOne', ...one('x'), createId: 'x', permitted: PERMITTED, update, now: 0 },
      { kind: 'deleteOne', ...one('x') },
    ]
    for (const request of named) {
      assert.deepEqual(forgotten('x', request), [true, false, true], request.kind)
      assert.deepEqual(forgotten('y', request), [false, false, true], request.kind)
    }
  })

  it('forgets every document of the collection where any may be touched', () => {
    const many: WriteRequest[] = [
      { kind: 'updateMany', ...at, filter, update, multi: true, upsert: true, now: 0 },
      { kind: 'deleteMany', ...at, filter },
      { kind: 'drop', ...at },
    ]
    for (const request of many) assert.deepEqual(forgotten('x', request), [false, true, true], request.kind)
  })

  it('forgets a number by however a path spells it', () => {
    assert.deepEqual(forgotten('7', save(7)), [true, false, true])
    assert.deepEqual(forgotten('1e+21', save(1e21)), [true, false, true])
    assert.deepEqual(forgotten('4611686018427387904', save(2 ** 62)), [true, false, true])
  })

  it('forgets what was answered of the collection where an id is assigned', () => {
    const request: WriteRequest = { kind: 'save', ...at, permitted: PERMITTED, documents: [{ text: '{}' }] }
    assert.deepEqual(forgotten('x', request), [false, false, true])
  })

  it('leaves what it does not name, and other collections, as they are', () => {
    const other = versions.beginRead([collectionSlot({ ...at, collection: 'd' })])!
    assert.deepEqual(forgotten('z', save('x', 'y'), save('x')), [false, false, true])
    assert.ok(versions.isCurrent(other))
  })

  it('lets nothing of it be answered from memory from before the commit until after it', () => {
    const slots = [documentSlot(at, 'x'), collectionSlot(at)]
    const readVersions = slots.map((slot) => versions.beginRead([slot])!)
    let looks = 0
    aroundCommit = () => {
      looks++
      for (const version of readVersions) assert.ok(!versions.isCurrent(version))
      for (const slot of slots) assert.equal(versions.beginRead([slot]), undefined)
    }
    commit(save('x'), save('x', 'y'))
    aroundCommit = () => {}
    assert.equal(looks, 2)
    for (const slot of slots) assert.ok(versions.beginRead([slot]) !== undefined)
  })
})
