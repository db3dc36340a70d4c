import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { parseJson } from '../src/json/exact.ts'
import type { JsonObject } from '../src/json/value.ts'
import type { Filter, SortField } from '../src/query/ast.ts'
import { matches } from '../src/query/match.ts'
import { parseFilter } from '../src/query/parse.ts'
import { compareDocuments } from '../src/query/sort.ts'
import type { FirstChunk } from '../src/storage/sqlite/protocol/requests.ts'
import { writeCursor } from '../src/storage/sqlite/read/keyset-cursor.ts'
import type { Cursor } from '../src/storage/store.ts'
import { fields, query, sort, value } from './arbitraries.ts'
import { randomCases } from './random-cases.ts'
import { AT, distinctFields, documentsFrom, fieldsAskedFor, SqliteEngine } from './sqlite-engine.ts'

const engine = new SqliteEngine()
after(() => engine.close())

interface Question {
  readonly filter: Filter
  readonly order: readonly SortField[]
}

/** One page; a full one has an end. */
function page({ filter, order }: Question, limit: number, cursor: Cursor | undefined) {
  const behind = cursor === undefined ? {} : { after: cursor }
  const which = { ...AT, filter, sort: order, skip: 0, limit, wantsEnd: true, ...behind }
  const request = { ...which, budgetMs: 30_000, isForeground: true }
  const chunk = engine.read<FirstChunk>({ kind: 'find', ...request })
  const documents = parseJson(`[${chunk.text}]`, DEFAULT_LIMITS) as JsonObject[]
  const { collection } = chunk
  const scanned =
    chunk.found === limit && 'after' in chunk
      ? writeCursor({ collection, rowId: chunk.after, keys: [] })
      : undefined
  const end = 'end' in chunk ? chunk.end : scanned
  assert.equal(end !== undefined, documents.length === limit)
  return { ids: documents.map((document) => document.get('_id') as number), end }
}

function turned(all: readonly SortField[]): SortField[] {
  return all.map(({ path, direction }) => ({ path, direction: direction === 1 ? -1 : 1 }))
}

/** The fields that the query and the sort of a question are about, in indexes of several kinds, or in none. */
function indexesFor(
  { filter, order }: Question,
  kind: 'none' | 'order' | 'turned' | 'filter',
): SortField[][] {
  if (kind === 'none') return []
  if (kind === 'filter') return [distinctFields([...fieldsAskedFor(filter), ...order])]
  return [kind === 'order' ? [...order] : turned(order)]
}

it('pages of any size, put together, are the whole list, whatever changes before and behind them', () => {
  // Few fields, so that sorts and documents meet.
  const body = fc.oneof(
    fields,
    fc.record({ a: value, b: value }).map((pair) => new Map(Object.entries(pair))),
  )
  const small = fc
    .record({ a: fc.integer({ min: 0, max: 9 }), b: fc.constantFrom(1, 2, null) })
    .map((pair): JsonObject => new Map(Object.entries(pair)))
  const few = fc
    .constantFrom(
      '{"a":1}',
      '{"a":-1}',
      '{"a":1,"b":-1}',
      '{"b":-1,"a":-1}',
      '{"_id":-1}',
      '{"a":-1,"_id":1}',
    )
    .map((text) =>
      Object.entries(JSON.parse(text)).map(([name, direction]) => ({
        path: [name],
        direction: direction as 1 | -1,
      })),
    )
  fc.assert(
    fc.property(
      fc.record({
        bodies: fc.oneof<fc.WeightedArbitrary<JsonObject[]>[]>(
          { weight: 9, arbitrary: fc.array(body, { minLength: 1, maxLength: 10 }) },
          // Enough of them that walking through an index is worth it.
          { weight: 1, arbitrary: fc.array(small, { minLength: 70, maxLength: 80, size: 'max' }) },
        ),
        written: fc.oneof(fc.constant(new Map()), query),
        order: fc.oneof(fc.constant([]), few, sort),
        kind: fc.constantFrom('none' as const, 'order' as const, 'turned' as const, 'filter' as const),
        sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
        doomed: fc.array(fc.nat(9), { maxLength: 3 }),
        late: fc.array(body, { maxLength: 2 }),
      }),
      engine.alone(({ bodies, written, order, kind, sizes, doomed, late }) => {
        const question = { filter: parseFilter(written, DEFAULT_LIMITS), order }
        const documents = documentsFrom(bodies)
        engine.save(documents)
        const indexes = indexesFor(question, kind).filter(({ length }) => length > 0)
        for (const [number, each] of indexes.entries()) engine.addIndex(`i${number}`, each)
        const seen: number[] = []
        let cursor: Cursor | undefined
        for (let turn = 0; turn === 0 || cursor !== undefined; turn++) {
          const { ids, end } = page(question, sizes[turn % sizes.length]!, cursor)
          seen.push(...ids)
          cursor = end
          if (turn > 0) continue
          for (const id of doomed) engine.write({ kind: 'deleteOne', ...AT, ids: [id] })
          engine.save(documentsFrom(late, 100))
        }
        const expected = documents
          .filter((document) => matches(document, question.filter))
          .toSorted((a, b) => compareDocuments(a, b, order))
          .map((document) => document.get('_id') as number)
        const first = expected.slice(0, sizes[0]!)
        const stays = (id: number) => first.includes(id) || !doomed.includes(id)
        assert.deepEqual(
          seen.filter((id) => id < 100),
          expected.filter(stays),
        )
        assert.equal(new Set(seen).size, seen.length)
      }),
    ),
    randomCases(1 / 5),
  )
})
