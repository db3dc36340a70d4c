import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { OnConflict } from '../src/domain/on-conflict.ts'
import type { ImportCounts } from '../src/storage/import-store.ts'
import { packDocuments, slicePacked } from '../src/storage/packed.ts'
import type { AddedDocuments, ImportResult } from '../src/storage/sqlite/protocol/import-requests.ts'
import type { FirstChunk, ScanChunk, WriteRequest } from '../src/storage/sqlite/protocol/requests.ts'
import type { DocumentToSave } from '../src/storage/store.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING, filterOf, NOW, textOf, updateOf } from './contract-harness.ts'
import { memoryStore } from './memory-store.ts'
import { randomCases } from './random-cases.ts'
import { AT, SqliteEngine } from './sqlite-engine.ts'

/** Each step of an import does as little as it can, so that others write between all of them. */
const engine = new SqliteEngine({ stepMs: 0 })
/** The same without the import. */
const beside = new SqliteEngine()
after(() => {
  engine.close()
  beside.close()
})

const INDEX = [{ path: ['n'], direction: 1 as const }]
const ALL = { ...AT, filter: filterOf('{}'), sort: [], skip: 0, limit: 1000 }
const UNHURRIED = { budgetMs: 60_000, isForeground: false }

// Few ids and values, so that most of what others write is in the way.
const n = fc.nat(3)
const document = fc
  .tuple(fc.integer({ min: 3, max: 11 }), n)
  .map(([id, value]): DocumentToSave => ({ id, text: `{"_id":${id},"n":${value}}` }))
const save = fc.array(fc.tuple(fc.nat(11), n), { minLength: 1, maxLength: 3 }).map(
  (pairs): WriteRequest => ({
    ...{ kind: 'save', ...AT, permitted: ANYTHING },
    documents: pairs.map(([id, value]) => ({ id, text: `{"_id":${id},"n":${value},"by":"others"}` })),
  }),
)
// A document that is deleted after the import met it may have been skipped, or replaced, so these are not in it.
const remove = fc.nat(2).map((id): WriteRequest => ({ kind: 'deleteOne', ...AT, ids: [id] }))
const update = fc.tuple(n, n).map(
  ([from, to]): WriteRequest => ({
    ...{ kind: 'updateMany', ...AT, filter: filterOf(`{"n":${from}}`), multi: true, upsert: false, now: NOW },
    update: updateOf(`{"$set":{"n":${to},"by":"others"}}`),
  }),
)
const between = fc.array(fc.option(fc.oneof(save, remove, update)), { maxLength: 30 })
const onConflict = fc.constantFrom<OnConflict>('fail', 'skip', 'replace')

interface Import {
  readonly documents: readonly DocumentToSave[]
  readonly onConflict: OnConflict
  readonly skipsRefused: boolean
}

interface Outcome {
  readonly counts: ImportCounts
  readonly refused: readonly number[]
}

/** Runs an import, and before each of its steps what others do. */
function run({ documents, ...terms }: Import, interrupt: () => void): Outcome {
  const { app, collection } = AT
  const packed = packDocuments(documents)
  const refused: number[] = []
  const tell = ({ refusals }: Pick<ImportResult, 'refusals'>): void => {
    for (const [number] of refusals) refused.push(number)
  }
  const staging = engine.write({ kind: 'import', step: 'begin', app, collection }) as number
  const step = { kind: 'import', app, staging, ...terms } as const
  try {
    for (let from = 0; from < documents.length; ) {
      interrupt()
      const rest = slicePacked(packed, from, documents.length)
      const added = engine.write({ ...step, step: 'add', documents: rest }) as AddedDocuments
      tell(added)
      from += added.taken
    }
    for (;;) {
      interrupt()
      const result = engine.write({ ...step, step: 'finish', collection }) as ImportResult
      tell(result)
      if (result.counts !== undefined)
        return { counts: result.counts, refused: refused.toSorted((a, b) => a - b) }
    }
  } catch (error) {
    engine.write({ kind: 'import', step: 'discard', app, staging })
    throw error
  }
}

/** In as many chunks as the reader takes. */
function documentsIn(one: SqliteEngine): string {
  const first: FirstChunk = one.read({ kind: 'find', ...ALL, ...UNHURRIED })
  const texts = [first.text]
  const { filter, collection: begunIn } = first
  for (let chunk = first as ScanChunk; filter !== undefined && !chunk.done; texts.push(chunk.text))
    chunk = one.read({ kind: 'scan', ...ALL, ...UNHURRIED, filter, begunIn, after: chunk.after })
  return `[${texts.filter((text) => text !== '').join(',')}]`
}

function clear(): void {
  for (const each of [engine, beside]) each.write({ kind: 'drop', ...AT })
}

/** Sweeps, and checks that nothing is left of the import but what it was for. */
function checkLeftovers(): void {
  while (engine.sweep()) {}
  const count = (sql: string): number => engine.connection.row<[number]>(sql)![0]
  assert.equal(count(`SELECT count(*) FROM collections WHERE name <> '${AT.collection}'`), 0)
  assert.equal(count("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"), 0)
  for (const table of ['imports', 'import_changes', 'import_replaced'])
    assert.equal(count(`SELECT count(*) FROM ${table}`), 0)
  const tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name GLOB '[ci][0-9]*'"
  assert.equal(
    count(tables),
    count('SELECT count(*) FROM collections') + count('SELECT count(*) FROM indexes'),
  )
  checkCatalog(engine.connection)
}

describe('an import in many steps', () => {
  it('does what it does in one, whatever others write between its steps', async () => {
    const property = fc.asyncProperty(
      ...[
        fc.option(save),
        between,
        fc.array(document, { maxLength: 8 }),
        onConflict,
        fc.boolean(),
        fc.nat(20),
      ],
      async (before, writes, documents, conflict, skipsRefused, indexedAt) => {
        const model = memoryStore({ limits: DEFAULT_LIMITS, serviceNames: ['Service'] })
        const writeBoth = async (request: WriteRequest | null): Promise<void> => {
          if (request === null) return
          engine.write(request)
          await onModel(model, request)
        }
        await writeBoth(before)
        const modelled: WriteRequest[] = []
        const queue = [...writes]
        let steps = 0
        const interrupt = (): void => {
          if (steps++ === indexedAt) engine.addIndex('n', INDEX)
          const request = queue.shift()
          if (request == null) return
          engine.write(request)
          modelled.push(request)
        }
        const terms = { onConflict: conflict, skipsRefused }
        const outcome = outcomeOf(() => run({ documents, ...terms }, interrupt))
        for (const request of modelled) await onModel(model, request)
        assert.deepEqual(outcome, await modelOutcome({ documents, ...terms }, model))
        assert.equal(documentsIn(engine), await textOf(await model.findDocuments(ALL)))
        checkLeftovers()
      },
    )
    await fc.assert(property.afterEach(clear), randomCases(0.02))
  })

  it('leaves alone what others have, and lets in no value twice, where there is a unique index', () => {
    const property = fc.property(
      ...[fc.option(save), between, fc.array(document, { maxLength: 8 }), fc.nat(20)],
      (before, writes, documents, indexedAt) => {
        const writeBoth = (request: WriteRequest | null | undefined): void => {
          if (request == null) return
          const [one, other] = [engine, beside].map((each) => outcomeOf(() => each.write(request)))
          assert.deepEqual(one, other)
        }
        const addIndex = (): void => {
          for (const each of [engine, beside]) each.addIndex('n', INDEX, { isUnique: true })
        }
        if (indexedAt === 0) addIndex()
        writeBoth(before)
        const queue = [...writes]
        let steps = 0
        const interrupt = (): void => {
          if (indexedAt > 0 && steps++ === indexedAt) addIndex()
          writeBoth(queue.shift())
        }
        const imported = { documents, onConflict: 'skip' as const, skipsRefused: true }
        const outcome = outcomeOf(() => run(imported, interrupt))
        const theirs = textsOf(documentsIn(beside))
        const there = textsOf(documentsIn(engine))
        const ours = there.slice(theirs.length)
        assert.deepEqual(there.slice(0, theirs.length), theirs)
        checkLeftovers()
        if (typeof outcome === 'string') {
          // The index was made when the import had a value twice already.
          assert.deepEqual([outcome, indexedAt > 0, ours], ['unique_violation', true, []])
          return
        }
        const { counts, refused } = outcome
        assert.equal(counts.created, ours.length)
        assert.equal(counts.refused, refused.length)
        assert.equal(counts.created + counts.skipped + counts.refused, documents.length)
        const places = ours.map((text) => documents.findIndex((each) => each.text === text))
        assert.deepEqual(
          places,
          places.toSorted((one, other) => one - other),
        )
        assert.ok(!places.includes(-1))
      },
    )
    fc.assert(property.afterEach(clear), randomCases(0.02))
  })
})

function outcomeOf<Result>(work: () => Result): Result | string {
  try {
    return work()
  } catch (error) {
    return (error as { code: string }).code
  }
}

/** The documents of an array, as they are written. */
function textsOf(array: string): string[] {
  return (JSON.parse(array) as unknown[]).map((each) => JSON.stringify(each))
}

async function onModel(model: ReturnType<typeof memoryStore>, request: WriteRequest): Promise<void> {
  if (request.kind === 'save') await model.saveDocuments(request)
  else if (request.kind === 'deleteOne') await model.deleteDocument(request)
  else if (request.kind === 'updateMany') await model.updateDocuments(request)
}

async function modelOutcome(
  { documents, ...terms }: Import,
  model: ReturnType<typeof memoryStore>,
): Promise<Outcome | string> {
  const refused: number[] = []
  const staged = await model.beginImport({ ...AT, ...terms, onRefused: (number) => refused.push(number) })
  try {
    await staged.add(packDocuments(documents))
    return { counts: await staged.finish(), refused }
  } catch (error) {
    return (error as { code: string }).code
  }
}
