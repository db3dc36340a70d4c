import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { parseJson } from '../src/json/exact.ts'
import type { JsonObject } from '../src/json/value.ts'
import { parseFilter } from '../src/query/parse.ts'
import type { FindChunk } from '../src/storage/sqlite/protocol/requests.ts'
import { AT, SqliteEngine } from './sqlite-engine.ts'

const DOCUMENTS = 16_000
/** The part of them that is looked at whatever matches: a 128th. */
const TRIAL = 125

const engine = new SqliteEngine()
after(() => engine.close())

engine.save(
  Array.from(
    { length: DOCUMENTS },
    (_, n): JsonObject =>
      new Map([
        ['_id', n],
        ['rank', n],
        ['half', n % 2],
        ['twentieth', n % 20],
        ['n', n],
      ]),
  ),
)
engine.addIndex('rank', [{ path: ['rank'], direction: 1 }])

function find(query: string, limit: number): FindChunk {
  const filter = parseFilter(parseJson(query, DEFAULT_LIMITS), DEFAULT_LIMITS)
  const sort = [{ path: ['rank'], direction: 1 as const }]
  const which = { ...AT, filter, sort, skip: 0, limit, budgetMs: 30_000, isForeground: false }
  return engine.read<FindChunk>({ kind: 'find', ...which })
}

describe('a walk through an index in the order asked for', () => {
  it('ends where there is enough', () => {
    const { found, plan } = find('{"half":1}', 400)
    assert.deepEqual([found, plan], [400, { kind: 'index', index: 'rank', examined: 800 }])
    assert.equal(find(`{"n":${TRIAL}}`, 1).plan?.examined, TRIAL + 1)
  })

  it('is given up after a small part of the collection where nothing has matched by then', () => {
    const { found, plan } = find(`{"n":${TRIAL + 1}}`, 1)
    assert.deepEqual([found, plan], [1, { kind: 'scan', examined: DOCUMENTS }])
  })

  it('is given up where too little has matched for going on to be worth it', () => {
    assert.equal(find('{"twentieth":1}', 40).plan?.kind, 'index')
    assert.equal(find('{"twentieth":1}', 60).plan?.kind, 'scan')
    assert.equal(find('{"half":1}', 600).plan?.kind, 'scan')
  })

  it('is not begun where more is wanted than walking is worth', () => {
    assert.equal(find('{}', 1000).found, 1000)
    assert.equal(find('{"half":{"$gte":0}}', 1000).plan?.kind, 'index')
    assert.equal(find('{"half":{"$gte":0}}', 1001).plan?.kind, 'scan')
  })
})
