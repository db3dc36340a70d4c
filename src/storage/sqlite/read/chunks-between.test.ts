import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { AT, documentsFrom, SqliteEngine } from '../../../../test/sqlite-engine.ts'
import { DEFAULT_LIMITS } from '../../../domain/limits.ts'
import { parseJson } from '../../../json/exact.ts'
import type { Filter, SortField } from '../../../query/ast.ts'
import { parseFilter } from '../../../query/parse.ts'
import type { BinEntry } from '../../collection-store.ts'
import type { FindCommand } from '../../store.ts'
import type { Readers } from '../client/begin-read.ts'
import { countInChunks, findInChunks } from '../client/chunked-find.ts'
import { ResultMemoryLimit } from '../client/result-memory-limit.ts'
import { DEFERRED, type ReadRequest } from '../protocol/requests.ts'

const DOCUMENTS = 3000
/** Of one document, so that an answer of all is in many chunks. */
const TEXT = 'x'.repeat(1500)
const X: SortField = { path: ['x'], direction: 1 }
const ALL: Filter = { kind: 'and', filters: [] }
/** So slow to look for that a foreground reader gets through a third of the documents. */
const SOME = filterOf('{"x":1,"text":{"$regex":"(x|xx)*y|x$"}}')
const MOST = filterOf('{"x":{"$gt":0}}')
const GONE = { code: 'changed_meanwhile' }
const BEGUN = { app: AT.app, collection: AT.collection, filter: ALL, sort: [], skip: 0, limit: 1_000_000 }

/** What is not given back fails the next one. */
const ALLOWANCE = { deadlineMs: 60_000, held: new ResultMemoryLimit({ most: DOCUMENTS }) }
const engine = new SqliteEngine()
after(() => engine.close())

function filterOf(query: string): Filter {
  return parseFilter(parseJson(query, DEFAULT_LIMITS), DEFAULT_LIMITS)
}

/** Documents of which every twentieth has `x: 1`. */
function saved(from: number): void {
  const bodies = Array.from({ length: DOCUMENTS }, () => new Map<string, string | number>())
  for (const [n, body] of bodies.entries()) body.set('x', n % 20).set('text', TEXT)
  engine.save(documentsFrom(bodies, from))
}

beforeEach(madeAfresh)

function madeAfresh(): void {
  engine.write({ kind: 'drop', ...AT })
  engine.write({ kind: 'drop', ...AT, collection: 'renamed' })
  saved(0)
}

/** Readers of the engine, between the first two answers of which something happens. */
function interrupted(happens: () => void): Readers {
  let answers = 0
  const call = async <Result>(request: ReadRequest): Promise<Result> => {
    const answer = engine.read<Result>(request)
    if (answer !== DEFERRED && ++answers === 1) happens()
    return answer
  }
  return { foreground: () => ({ call }), background: () => ({ call }) }
}

async function idsOf(readers: Readers, command: Partial<FindCommand>): Promise<number[]> {
  const { first, rest } = await findInChunks(readers, { ...BEGUN, ...command }, ALLOWANCE)
  let text = String(first)
  for await (const chunk of rest ?? []) text += String(chunk)
  return (JSON.parse(text) as { _id: number }[]).map(({ _id }) => _id)
}

function madeAnew(): void {
  engine.write({ kind: 'drop', ...AT })
  saved(DOCUMENTS)
}

function toBin(reason: BinEntry['reason']): BinEntry {
  return engine.write({ kind: 'upkeep', step: 'bin', ...AT, reason, by: 'ada', now: 0 }) as BinEntry
}

function removedFromBin(): void {
  engine.write({ kind: 'upkeep', step: 'remove', app: AT.app, id: toBin('drop').id })
}

function renamed(): void {
  engine.write({ kind: 'upkeep', step: 'rename', ...AT, to: 'renamed', now: 0 })
  saved(DOCUMENTS)
}

function binned(): void {
  toBin('drop')
}

function emptiedAndRestored(): void {
  engine.write({ kind: 'upkeep', step: 'restore', ...AT, id: toBin('empty').id, now: 0 })
}

for (const [what, command] of [
  ['of everything', {}],
  ['of a page', { wantsEnd: true, limit: DOCUMENTS - 1 }],
  ['of a page of a query', { wantsEnd: true, filter: MOST }],
  ['in order', { sort: [X] }],
] as [string, Partial<FindCommand>][])
  describe(`a list ${what}`, () => {
    it('breaks off where its documents are gone, whoever has the name', async () => {
      for (const goes of [madeAnew, removedFromBin]) {
        madeAfresh()
        await assert.rejects(idsOf(interrupted(goes), command), GONE, goes.name)
      }
    })

    it('is whole where its collection gets another name or goes to the bin, whoever has the old one', async () => {
      const whole = await idsOf(
        interrupted(() => {}),
        command,
      )
      for (const moves of [renamed, binned, emptiedAndRestored]) {
        madeAfresh()
        assert.deepEqual(await idsOf(interrupted(moves), command), whole, moves.name)
      }
    })
  })

it('a count breaks off where its documents are gone, and else is of the collection in which it began', async () => {
  const command = { app: AT.app, collection: AT.collection, filter: SOME }
  const counted = (happens: () => void) => countInChunks(interrupted(happens), command, ALLOWANCE)
  assert.equal(await counted(() => {}), DOCUMENTS / 20)
  for (const goes of [madeAnew, removedFromBin]) {
    madeAfresh()
    await assert.rejects(counted(goes), GONE, goes.name)
  }
  for (const moves of [renamed, binned, emptiedAndRestored]) {
    madeAfresh()
    assert.equal(await counted(moves), DOCUMENTS / 20, moves.name)
  }
})

it('a count that began as a scan goes on as one, though an index has come that would help', async () => {
  const command = { app: AT.app, collection: AT.collection, filter: SOME }
  const makesIndex = interrupted(() => engine.addIndex('x', [X]))
  assert.equal(await countInChunks(makesIndex, command, ALLOWANCE), DOCUMENTS / 20)
})

it('gives back the row ids that it holds when nobody wants the rest', async () => {
  const readers = interrupted(() => {})
  for (let times = 0; times < 3; times++) {
    const { rest } = await findInChunks(readers, { ...BEGUN, sort: [X] }, ALLOWANCE)
    for await (const _ of rest!) break
  }
  assert.equal((await idsOf(readers, { sort: [X] })).length, DOCUMENTS)
})
