import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { AppError } from '../src/errors.ts'
import { stringify } from '../src/json/stringify.ts'
import { isJsonArray, isJsonObject } from '../src/json/value.ts'
import { prepareFilter } from '../src/query/match.ts'
import { parseFilter } from '../src/query/parse.ts'
import { type Case, loadCases } from './cases/load.ts'

describe('each query case, in plain code', () => {
  for (const each of loadCases('query')) {
    if (each.fields.get('error') === true) it(`refuses ${each.name}`, () => refuses(each))
    else it(`finds what ${each.name} says`, () => finds(each))
  }
})

function refuses({ fields }: Case): void {
  assert.throws(
    () => parseFilter(fields.get('q')!, DEFAULT_LIMITS),
    (error) => error instanceof AppError && error.code === (fields.get('code') ?? error.code),
  )
}

function finds({ fields }: Case): void {
  const docs = fields.get('docs')
  const matching = fields.get('matches')
  assert.ok(isJsonArray(docs) && isJsonArray(matching))
  const holds = prepareFilter(parseFilter(fields.get('q')!, DEFAULT_LIMITS))
  const found = docs.filter(holds).map((document) => {
    assert.ok(isJsonObject(document))
    return stringify(document.get('_id')!)
  })
  assert.deepEqual(found.sort(), matching.map(stringify).sort())
}
