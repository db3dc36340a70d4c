import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { AppError } from '../src/errors.ts'
import { stringify } from '../src/json/stringify.ts'
import type { JsonValue } from '../src/json/value.ts'
import { parseFilter } from '../src/query/parse.ts'
import type { DocumentStore } from '../src/storage/store.ts'
import { parseUpdate } from '../src/update/parse.ts'
import { fields, modifiers, query, sort } from './arbitraries.ts'
import { ANYTHING, type OpenedStore, textOf } from './contract-harness.ts'
import { memoryStore } from './memory-store.ts'
import { openSqlite } from './open-sqlite.ts'
import { randomCases } from './random-cases.ts'

const NOW = 1_700_000_000_000

type Run = (store: DocumentStore, at: { app: string; collection: string }) => Promise<unknown>

/** One command, and how it reads in a report. */
interface Step {
  readonly text: string
  readonly run: Run
}

const id = fc.constantFrom<string | number>('a', 'b', 'c', '1', 1, 2)

const save = fc.array(fc.tuple(id, fields), { minLength: 1, maxLength: 3 }).map((pairs): Step => {
  const documents = pairs.map(([_id, body]) => ({
    id: _id,
    text: stringify(new Map<string, JsonValue>([['_id', _id], ...body])),
  }))
  return {
    text: `save ${documents.map(({ text }) => text).join(' ')}`,
    run: (store, at) => store.saveDocuments({ ...at, permitted: ANYTHING, documents }),
  }
})

const body = fc.oneof({ weight: 4, arbitrary: modifiers }, { weight: 1, arbitrary: fields })

const updateOne = fc.tuple(id, body).map(
  ([_id, written]): Step => ({
    text: `update ${stringify(_id)} ${stringify(written)}`,
    run: async (store, at) => {
      const update = parseUpdate(written, DEFAULT_LIMITS)
      return store.updateDocument({ ...at, ids: [_id], createId: _id, permitted: ANYTHING, update, now: NOW })
    },
  }),
)

const updateMany = fc.tuple(query, body, fc.boolean(), fc.boolean()).map(
  ([q, written, multi, upsert]): Step => ({
    text: `update q=${stringify(q)} m=${multi} u=${upsert} ${stringify(written)}`,
    run: async (store, at) => {
      const update = parseUpdate(written, DEFAULT_LIMITS)
      const filter = parseFilter(q, DEFAULT_LIMITS)
      // An assigned id differs from store to store.
      const canUpsert = upsert && q.has('_id')
      return store.updateDocuments({ ...at, filter, update, multi, upsert: canUpsert, now: NOW })
    },
  }),
)

const remove = fc.oneof(
  id.map(
    (_id): Step => ({
      text: `delete ${stringify(_id)}`,
      run: (store, at) => store.deleteDocument({ ...at, ids: [_id] }),
    }),
  ),
  query.map(
    (q): Step => ({
      text: `delete q=${stringify(q)}`,
      run: async (store, at) => store.deleteDocuments({ ...at, filter: parseFilter(q, DEFAULT_LIMITS) }),
    }),
  ),
)

const find = fc.tuple(query, fc.oneof(fc.constant([]), sort), fc.nat(3), fc.nat(5), fc.boolean()).map(
  ([q, order, skip, limit, wantsPreviews]): Step => ({
    text: `find ${stringify(q)} ${JSON.stringify(order)} sk=${skip} l=${limit} previews=${wantsPreviews}`,
    run: async (store, at) => {
      const filter = parseFilter(q, DEFAULT_LIMITS)
      const count = await store.countDocuments({ ...at, filter })
      const command = { ...at, filter, sort: order, skip, limit, wantsPreviews }
      return [count, await textOf(await store.findDocuments(command))]
    },
  }),
)

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: save },
    { weight: 4, arbitrary: updateOne },
    { weight: 3, arbitrary: updateMany },
    { weight: 1, arbitrary: remove },
    { weight: 2, arbitrary: find },
  ),
  { minLength: 1, maxLength: 12 },
)

/** What a step answers, or the code with which it is refused. */
async function outcome(step: Step, store: DocumentStore, at: { app: string; collection: string }) {
  try {
    return await step.run(store, at)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') return error.code
    throw error
  }
}

describe('SQLite agrees with the plain store', () => {
  let opened: OpenedStore
  let collections = 0
  before(async () => {
    opened = await openSqlite(DEFAULT_LIMITS)
  })
  after(() => opened.close())

  it('on every answer to a sequence of commands, and on what is there at its end', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const model = memoryStore({ limits: DEFAULT_LIMITS, serviceNames: ['Service'] })
        collections++
        const at = { app: opened.app, collection: `c${collections}` }
        const filter = parseFilter(new Map(), DEFAULT_LIMITS)
        for (const step of sequence)
          assert.deepEqual(
            await outcome(step, opened.store, at),
            await outcome(step, model, { ...at, app: 'app' }),
            step.text,
          )
        const all = { filter, sort: [], skip: 0, limit: 1000 }
        assert.equal(
          await textOf(await opened.store.findDocuments({ ...at, ...all })),
          await textOf(await model.findDocuments({ ...at, ...all, app: 'app' })),
        )
        await opened.store.dropCollection(at)
      }),
      randomCases(1 / 10),
    )
  })
})
