import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { parseJson } from '../src/json/exact.ts'
import { stringify } from '../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import { matches } from '../src/query/match.ts'
import { parseFilter } from '../src/query/parse.ts'
import { compareDocuments } from '../src/query/sort.ts'
import { compileFilter } from '../src/storage/sqlite/compile/compile-filter.ts'
import { compileSort } from '../src/storage/sqlite/compile/compile-sort.ts'
import { Connection } from '../src/storage/sqlite/files/connection.ts'
import { collectionTable, createAppFile } from '../src/storage/sqlite/files/schema.ts'
import { fields, query, sort, value } from './arbitraries.ts'
import { randomCases } from './random-cases.ts'

const folder = mkdtempSync(join(tmpdir(), 'sheaf-agreement-'))
const file = join(folder, 'app.sqlite')
createAppFile(file)
const connection = new Connection(file, 'writer')
connection.run(collectionTable('c1'))
after(() => {
  connection.close()
  rmSync(folder, { recursive: true })
})

/** Runs with these documents in the table, ids 0, 1, 2 …, and leaves it empty. */
function withDocuments<Result>(documents: readonly JsonValue[], run: () => Result): Result {
  connection.run('BEGIN')
  try {
    for (const [id, document] of documents.entries())
      connection.run('INSERT INTO c1 (id, doc) VALUES (?, jsonb(?))', id, stringify(document))
    return run()
  } finally {
    connection.functions.release()
    connection.run('ROLLBACK')
  }
}

function idsFrom(sql: string, parameters: readonly (string | number | bigint | null)[]): number[] {
  return connection
    .prepare(sql)
    .all({ deadline: Number.POSITIVE_INFINITY }, ...parameters)
    .map((row) => (row as unknown as [number])[0])
}

function documentsFrom(bodies: readonly JsonObject[]): JsonObject[] {
  return bodies.map((body, id) => new Map<string, JsonValue>([['_id', id], ...body]))
}

describe('SQLite agrees with the plain code', () => {
  it('on which documents match', () => {
    fc.assert(
      fc.property(fc.array(fields, { minLength: 1, maxLength: 8 }), query, (bodies, written) => {
        const documents = documentsFrom(bodies)
        const filter = parseFilter(written, DEFAULT_LIMITS)
        const expected = documents.flatMap((document, id) => (matches(document, filter) ? [id] : []))
        const compiled = compileFilter(filter)
        const found = withDocuments(documents, () => {
          connection.functions.bind({ conditions: compiled.conditions, sort: [] })
          return idsFrom(`SELECT id FROM c1 WHERE ${compiled.text} ORDER BY seq`, compiled.parameters)
        })
        assert.deepEqual(found, expected)
      }),
      randomCases(),
    )
  })

  it('on the order of documents', () => {
    fc.assert(
      fc.property(fc.array(fields, { minLength: 2, maxLength: 8 }), sort, (bodies, order) => {
        const documents = documentsFrom(bodies)
        const expected = documents
          .map((_, id) => id)
          .sort((a, b) => compareDocuments(documents[a]!, documents[b]!, order) || a - b)
        const found = withDocuments(documents, () => {
          connection.functions.bind({ conditions: [], sort: order })
          return idsFrom(`SELECT id FROM c1 ORDER BY ${compileSort(order)}`, [])
        })
        assert.deepEqual(found, expected)
      }),
      randomCases(),
    )
  })

  it('on every character of a document', () => {
    fc.assert(
      fc.property(value, (written) => {
        const text = stringify(new Map([['v', written]]))
        const [back] = connection.row<[string]>('SELECT json(jsonb(?))', text)!
        assert.equal(back, text)
        assert.equal(stringify(parseJson(text, DEFAULT_LIMITS)), text)
      }),
      randomCases(),
    )
  })
})
