import assert from 'node:assert/strict'
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
import type { CountChunk, FindChunk } from '../src/storage/sqlite/protocol/requests.ts'
import { parseUpdate } from '../src/update/parse.ts'
import { fields, path, query, sort, value } from './arbitraries.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING, updateOf } from './contract-harness.ts'
import { randomCases } from './random-cases.ts'
import { AT, distinctFields, documentsFrom, fieldsAskedFor, SqliteEngine } from './sqlite-engine.ts'

const engine = new SqliteEngine()
after(() => engine.close())

interface Question {
  readonly filter: Filter
  readonly order: readonly SortField[]
  readonly skip: number
  readonly limit: number
}

function found({ filter, order, skip, limit }: Question): number[] {
  const command = { ...AT, filter, sort: order, skip, limit, budgetMs: 30_000, isForeground: true }
  const { text } = engine.read<FindChunk>({ kind: 'find', ...command })
  const documents = parseJson(`[${text}]`, DEFAULT_LIMITS) as JsonObject[]
  return documents.map((document) => document.get('_id') as number)
}

function counted(filter: Filter): number {
  return engine.read<CountChunk>({
    kind: 'count',
    ...AT,
    filter,
    budgetMs: 30_000,
    isForeground: true,
  }).count
}

function expected(documents: readonly JsonObject[], { filter, order, skip, limit }: Question): number[] {
  return documents
    .filter((document) => matches(document, filter))
    .toSorted((a, b) => compareDocuments(a, b, order))
    .slice(skip, skip + limit)
    .map((document) => document.get('_id') as number)
}

/** The same for the same fields alone. */
function indexName(indexed: readonly SortField[]): string {
  return JSON.stringify(indexed)
}

/** Leaves an index alone that is there already. */
function addOnce(add: () => void): void {
  try {
    add()
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'index_exists')
  }
}

/** A filter that finds the same, whose lists are too long for several to be sought together. */
function withLongLists(filter: Filter): Filter {
  if (filter.kind === 'and') return { ...filter, filters: filter.filters.map(withLongLists) }
  if (filter.kind === 'not') return { ...filter, filter: withLongLists(filter.filter) }
  return filter.kind === 'in' ? { ...filter, values: [...filter.values, ...NOWHERE] } : filter
}

/** Texts that no document has, for theirs are shorter. */
const NOWHERE = Array.from({ length: 45 }, (_, n) => `nowhere ${n}`)

interface Modification {
  readonly id: number
  readonly modifier: string
  readonly at: readonly string[]
  readonly operand: JsonValue
}

/** A document as a modifier leaves it, or undefined where that is refused. */
function modified({ id, modifier, at, operand }: Modification): JsonObject | undefined {
  const body: JsonObject = new Map([[modifier, new Map([[at.join('.'), operand]])]])
  try {
    const update = parseUpdate(body, DEFAULT_LIMITS)
    const request = { ...AT, ids: [id], createId: id, permitted: ANYTHING, update, now: 0 }
    const { text } = engine.write({ kind: 'updateOne', ...request }) as { text: string }
    return parseJson(text, DEFAULT_LIMITS) as JsonObject
  } catch (error) {
    assert.match((error as { code: string }).code, /^[a-z_]+$/)
    return undefined
  }
}

/** Indexes on the fields that are asked about, and on others. */
const indexFields = fc
  .uniqueArray(fc.tuple(path, fc.constantFrom<1 | -1>(1, -1)), {
    minLength: 1,
    maxLength: 3,
    selector: ([parts]) => parts.join('.'),
  })
  .map((pairs) => pairs.map(([parts, direction]): SortField => ({ path: parts, direction })))

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
          isLong: fc.boolean(),
        }),
        engine.alone(({ bodies, written, order, others, reversed, skip, limit, isLong }) => {
          const documents = documentsFrom(bodies)
          const parsed = parseFilter(written, DEFAULT_LIMITS)
          const filter = isLong ? withLongLists(parsed) : parsed
          const asked = fieldsAskedFor(filter)
          engine.save(documents)
          const turn = reversed ? -1 : 1
          const turned = distinctFields([...asked, ...order]).map((field) => ({
            ...field,
            direction: (field.direction * turn) as 1 | -1,
          }))
          for (const each of [turned, distinctFields(asked), order, ...others])
            if (each.length > 0) addOnce(() => engine.addIndex(indexName(each), each))
          const question = { filter, order, skip, limit }
          assert.deepEqual(found(question), expected(documents, question))
          assert.equal(counted(filter), documents.filter((document) => matches(document, filter)).length)
        }),
      ),
      randomCases(1 / 5),
    )
  })

  it('follows every write, multi-updates and deletes among them', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('save' as const), id: fc.nat(5), body: fields }),
      fc.record({ kind: fc.constant('delete' as const), id: fc.nat(5) }),
      fc.record({
        kind: fc.constant('deleteMany' as const),
        written: fc.oneof({ weight: 3, arbitrary: query }, fc.constant<JsonObject>(new Map())),
      }),
      fc.record({ kind: fc.constant('updateMany' as const), written: query, body: fields }),
      fc.record({ kind: fc.constant('register' as const), fields: indexFields }),
      fc.record({ kind: fc.constant('work' as const) }),
      fc.record({
        kind: fc.constant('modify' as const),
        id: fc.nat(5),
        modifier: fc.constantFrom('$set', '$inc', '$unset', '$push', '$pop'),
        at: path,
        operand: fc.oneof(fc.constant(1), value),
      }),
    )
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 10 }),
        fc.array(indexFields, { minLength: 1, maxLength: 3 }),
        engine.alone((steps, indexes) => {
          for (const each of new Map(indexes.map((one) => [JSON.stringify(one), one])).values())
            engine.addIndex(indexName(each), each)
          const documents = new Map<number, JsonObject>()
          for (const each of steps) {
            if (each.kind === 'save') {
              const document: JsonObject = new Map([['_id', each.id], ...each.body])
              engine.save([document])
              documents.set(each.id, document)
            } else if (each.kind === 'register') {
              addOnce(() => engine.register(indexName(each.fields), each.fields))
            } else if (each.kind === 'work') {
              engine.workOnOneDocument()
            } else if (each.kind === 'modify') {
              if (documents.has(each.id)) documents.set(each.id, modified(each) ?? documents.get(each.id)!)
            } else if (each.kind === 'delete') {
              engine.write({ kind: 'deleteOne', ...AT, ids: [each.id] })
              documents.delete(each.id)
            } else {
              const filter = parseFilter(each.written, DEFAULT_LIMITS)
              const matching = [...documents].filter(([, document]) => matches(document, filter))
              if (each.kind === 'deleteMany') {
                assert.equal(
                  engine.write({ kind: 'deleteMany', ...AT, filter, isFinal: true }),
                  matching.length,
                )
                for (const [id] of matching) documents.delete(id)
              } else {
                const update = updateOf(stringify(each.body))
                const request = { ...AT, filter, update, multi: true, upsert: false, now: 0 }
                const { matched } = engine.write({ kind: 'updateMany', ...request, isFinal: true }) as {
                  matched: number
                }
                assert.equal(matched, matching.length)
                for (const [id] of matching) documents.set(id, new Map([['_id', id], ...each.body]))
              }
            }
          }
          checkCatalog(engine.connection)
          const { catalog } = engine.connection
          const collection = catalog.collection('c')!
          assert.equal(catalog.documentsOf(collection), documents.size)
        }),
      ),
      randomCases(1 / 5),
    )
  })
})
