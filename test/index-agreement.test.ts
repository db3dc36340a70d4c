import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { parseJson } from '../src/json/exact.ts'
import { stringify } from '../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import type { Filter, SortField } from '../src/query/ast.ts'
import { matches } from '../src/query/match.ts'
import { parseFilter } from '../src/query/parse.ts'
import { compareDocuments } from '../src/query/sort.ts'
import { Connections } from '../src/storage/sqlite/connections.ts'
import { appFile, appsFolder } from '../src/storage/sqlite/data-folder.ts'
import { registerIndex, workOnIndexes } from '../src/storage/sqlite/index-work.ts'
import { monotonicMs } from '../src/storage/sqlite/monotonic.ts'
import { Reader } from '../src/storage/sqlite/reader.ts'
import type { CountPiece, FindPiece, WriteRequest } from '../src/storage/sqlite/requests.ts'
import { createAppFile } from '../src/storage/sqlite/schema.ts'
import { createVersionCells, VersionTable } from '../src/storage/sqlite/version-table.ts'
import { Writer } from '../src/storage/sqlite/writer.ts'
import { fields, path, query, sort } from './arbitraries.ts'
import { checkCatalog } from './check-catalog.ts'
import { updateOf } from './contract-harness.ts'

/** `SHEAF_RUNS=200000 npm test` runs longer. */
const RUNS = Math.ceil(Number(process.env.SHEAF_RUNS ?? 5000) / 5)

const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-indexes-'))
mkdirSync(appsFolder(dataDir))
createAppFile(appFile(dataDir, 'app'))
const connections = new Connections({ dataDir, mode: 'writer', limit: 1 })
const connection = connections.to('app')
let ulids = 0
const writer = new Writer(
  connections,
  { limits: DEFAULT_LIMITS, serviceNames: ['Service'], nextUlid: () => `ulid${ulids++}` },
  new VersionTable(createVersionCells()),
  () => {},
)
const readerConnections = new Connections({ dataDir, mode: 'reader', limit: 1 })
const reader = new Reader(readerConnections)
after(() => {
  connections.closeAll()
  readerConnections.closeAll()
  rmSync(dataDir, { recursive: true })
})

const at = { app: 'app', collection: 'c' }
const permitted = { create: true, update: true }

function write(request: WriteRequest): unknown {
  const [outcome] = writer.commitGroup([{ id: 1, request, since: monotonicMs() }])
  if (!('failure' in outcome!)) return outcome!.value
  throw Object.assign(new Error(outcome.failure.message), { code: outcome.failure.code })
}

function save(documents: readonly JsonObject[]): void {
  const texts = documents.map((document) => ({
    id: document.get('_id') as number,
    text: stringify(document),
  }))
  write({ kind: 'save', ...at, permitted, documents: texts })
}

function addIndex(indexFields: readonly SortField[], isUnique = false): void {
  registerIndex(connection, {
    collection: 'c',
    name: JSON.stringify(indexFields),
    fields: indexFields,
    isUnique,
    isAutomatic: false,
    now: 0,
  })
  while (workOnIndexes(connection, 5)) {}
}

interface Question {
  readonly filter: Filter
  readonly order: readonly SortField[]
  readonly skip: number
  readonly limit: number
}

function found({ filter, order, skip, limit }: Question): number[] {
  const piece = reader.handle({ kind: 'find', ...at, filter, sort: order, skip, limit, budgetMs: 30_000 })
  reader.endBatch()
  const documents = parseJson(`[${(piece as FindPiece).text}]`, DEFAULT_LIMITS) as JsonObject[]
  return documents.map((document) => document.get('_id') as number)
}

function counted(filter: Filter): number {
  const piece = reader.handle({ kind: 'count', ...at, filter, after: 0, budgetMs: 30_000 }) as CountPiece
  reader.endBatch()
  return piece.count
}

function expected(documents: readonly JsonObject[], { filter, order, skip, limit }: Question): number[] {
  return documents
    .filter((document) => matches(document, filter))
    .toSorted((a, b) => compareDocuments(a, b, order))
    .slice(skip, skip + limit)
    .map((document) => document.get('_id') as number)
}

function documentsFrom(bodies: readonly JsonObject[]): JsonObject[] {
  return bodies.map((body, id) => new Map<string, JsonValue>([['_id', id], ...body]))
}

/** Indexes on the fields that are asked about, and on others. */
const indexFields = fc
  .uniqueArray(fc.tuple(path, fc.constantFrom<1 | -1>(1, -1)), {
    minLength: 1,
    maxLength: 3,
    selector: ([parts]) => parts.join('.'),
  })
  .map((pairs) => pairs.map(([parts, direction]): SortField => ({ path: parts, direction })))

function pathsOf(filter: Filter): SortField[] {
  if (filter.kind === 'and') return filter.filters.flatMap(pathsOf)
  if (filter.kind === 'not') return pathsOf(filter.filter)
  return [{ path: filter.path, direction: 1 }]
}

function distinctPaths(all: readonly SortField[]): SortField[] {
  return [...new Map(all.map((field) => [field.path.join('.'), field])).values()].slice(0, 3)
}

/** A property that leaves nothing behind, also where it fails. */
function alone<Arguments extends unknown[]>(
  run: (...given: Arguments) => void,
): (...given: Arguments) => void {
  return (...given) => {
    try {
      run(...given)
    } finally {
      write({ kind: 'drop', ...at })
    }
  }
}

describe('an index', () => {
  it('changes no answer, no order and no count', () => {
    fc.assert(
      fc.property(
        fc.record({
          bodies: fc.array(fields, { minLength: 1, maxLength: 10 }),
          written: query,
          order: fc.oneof(fc.constant([]), sort),
          others: fc.array(indexFields, { maxLength: 2 }),
          reversed: fc.boolean(),
          skip: fc.nat(2),
          limit: fc.integer({ min: 1, max: 12 }),
        }),
        alone(({ bodies, written, order, others, reversed, skip, limit }) => {
          const documents = documentsFrom(bodies)
          const filter = parseFilter(written, DEFAULT_LIMITS)
          const asked = pathsOf(filter)
          save(documents)
          const turn = reversed ? -1 : 1
          const turned = distinctPaths([...asked, ...order]).map((field) => ({
            ...field,
            direction: (field.direction * turn) as 1 | -1,
          }))
          for (const each of [turned, distinctPaths(asked), order, ...others])
            if (each.length > 0) {
              try {
                addIndex(each)
              } catch (error) {
                assert.equal((error as { code?: string }).code, 'index_exists')
              }
            }
          const question = { filter, order, skip, limit }
          assert.deepEqual(found(question), expected(documents, question))
          assert.equal(counted(filter), documents.filter((document) => matches(document, filter)).length)
        }),
      ),
      { numRuns: RUNS },
    )
  })

  it('follows every write, multi-updates and deletes among them', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('save' as const), id: fc.nat(5), body: fields }),
      fc.record({ kind: fc.constant('delete' as const), id: fc.nat(5) }),
      fc.record({ kind: fc.constant('deleteMany' as const), written: query }),
      fc.record({ kind: fc.constant('updateMany' as const), written: query, body: fields }),
    )
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.array(indexFields, { minLength: 1, maxLength: 3 }),
        alone((steps, indexes) => {
          for (const each of new Map(indexes.map((one) => [JSON.stringify(one), one])).values())
            addIndex(each)
          const documents = new Map<number, JsonObject>()
          for (const each of steps) {
            if (each.kind === 'save') {
              const document: JsonObject = new Map([['_id', each.id], ...each.body])
              save([document])
              documents.set(each.id, document)
            } else if (each.kind === 'delete') {
              write({ kind: 'deleteOne', ...at, ids: [each.id] })
              documents.delete(each.id)
            } else {
              const filter = parseFilter(each.written, DEFAULT_LIMITS)
              const matching = [...documents].filter(([, document]) => matches(document, filter))
              if (each.kind === 'deleteMany') {
                assert.equal(write({ kind: 'deleteMany', ...at, filter }), matching.length)
                for (const [id] of matching) documents.delete(id)
              } else {
                const update = updateOf(stringify(each.body))
                const request = { ...at, filter, update, multi: true, upsert: false, now: 0 }
                const { matched } = write({ kind: 'updateMany', ...request }) as { matched: number }
                assert.equal(matched, matching.length)
                for (const [id] of matching) documents.set(id, new Map([['_id', id], ...each.body]))
              }
            }
          }
          checkCatalog(connection)
          const collection = connection.catalog.collection('c')!
          assert.equal(connection.catalog.documentsOf(collection), documents.size)
        }),
      ),
      { numRuns: RUNS },
    )
  })
})
