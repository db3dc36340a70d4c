import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { AppError } from '../src/errors.ts'
import { equalValues } from '../src/json/compare.ts'
import { stringify } from '../src/json/stringify.ts'
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../src/json/value.ts'
import { prepareFilter } from '../src/query/match.ts'
import { parseFilter } from '../src/query/parse.ts'
import { applyUpdate, insertFromUpdate } from '../src/update/apply.ts'
import type { PlaceholderSource, Update } from '../src/update/ast.ts'
import { parseUpdate } from '../src/update/parse.ts'
import { givenId, seedFromFilter } from '../src/update/seed.ts'
import { type Case, loadCases } from './cases/load.ts'

interface Outcome {
  readonly documents: readonly JsonObject[]
  readonly n: number
  readonly modified: number
}

describe('each update case, in plain code', () => {
  for (const each of loadCases('update')) {
    if (each.fields.get('error') === true) it(`refuses ${each.name}`, () => refuses(each))
    else it(`does what ${each.name} says`, () => does(each))
  }
})

function refuses(each: Case): void {
  assert.throws(
    () => run(each),
    (error) => {
      assert.ok(error instanceof AppError, String(error))
      const code = each.fields.get('code')
      if (code !== undefined) assert.equal(error.code, code)
      return true
    },
  )
}

/** Our own cases say what is written, digit for digit and key by key; the shared ones what it is worth. */
function does(each: Case): void {
  const { fields } = each
  const before = documentsOf(fields)
  const text = stringify(before)
  const outcome = run(each)
  assert.equal(stringify(before), text, 'what came in was changed')
  for (const count of ['n', 'modified'] as const)
    if (fields.has(count)) assert.equal(outcome[count], fields.get(count), count)
  if (!fields.has('result')) return
  const expected = documents(fields.get('result'))
  if (isShared(each)) {
    assert.equal(outcome.documents.length, expected.length)
    for (const document of expected.map((one) => asCreatedByPath(fields, one)))
      assert.ok(
        outcome.documents.some((found) => equalValues(found, document)),
        `${stringify(document)} is not among ${stringify([...outcome.documents])}`,
      )
  } else assert.deepEqual(outcome.documents.map(stringify), expected.map(stringify))
}

function isShared({ file }: Case): boolean {
  return file.startsWith('..')
}

/**
 * A path creates a document with a text for its id (decisions.md); the shared cases were recorded with
 * numbers.
 */
function asCreatedByPath(fields: JsonObject, document: JsonObject): JsonObject {
  const id = fields.get('id')
  const created = id !== undefined && !documentsOf(fields).some((one) => equalValues(one.get('_id'), id))
  if (!created || !isJsonNumber(id) || !equalValues(document.get('_id'), id)) return document
  return new Map(document).set('_id', stringify(id))
}

function run({ fields }: Case): Outcome {
  const update = parseUpdate(fields.get('body')!, DEFAULT_LIMITS)
  return fields.has('id') ? runOnId(fields, update) : runOnQuery(fields, update)
}

/** `PUT /{_id}`: the segment names a text, or a number where there is no such text. */
function runOnId(fields: JsonObject, update: Update): Outcome {
  const documents = documentsOf(fields)
  const id = fields.get('id')!
  const text = typeof id === 'string' ? id : stringify(id)
  const at = [text, id]
    .map((one) => documents.findIndex((document) => equalValues(document.get('_id'), one)))
    .find((index) => index >= 0)
  if (at === undefined) {
    const given = givenId(update)
    const seed = new Map([['_id', given !== undefined && equalValues(given, id) ? id : text]])
    return { documents: [...documents, insert(seed, update, fields)], n: 0, modified: 0 }
  }
  return outcomeOf(documents, (_, index) => index === at, { update, fields })
}

/** `PUT ?q=`, with `u` to insert where nothing matches and `m` for whether to update more than one. */
function runOnQuery(fields: JsonObject, update: Update): Outcome {
  const documents = documentsOf(fields)
  const filter = parseFilter(fields.get('q')!, DEFAULT_LIMITS)
  const holds = prepareFilter(filter)
  const matching = new Set(documents.filter(holds).slice(0, fields.get('m') === false ? 1 : undefined))
  if (matching.size > 0 || fields.get('u') !== true)
    return outcomeOf(documents, (document) => matching.has(document), { update, fields })
  return {
    documents: [...documents, insert(seedFromFilter(filter, update.kind), update, fields)],
    n: 0,
    modified: 0,
  }
}

function outcomeOf(
  documents: readonly JsonObject[],
  isTarget: (document: JsonObject, index: number) => boolean,
  { update, fields }: { update: Update; fields: JsonObject },
): Outcome {
  const targets = documents.filter(isTarget)
  const placeholders = placeholdersOf(fields)
  const updated = documents.map((document, index) =>
    isTarget(document, index)
      ? applyUpdate({ document, update, placeholders, limits: DEFAULT_LIMITS })
      : document,
  )
  const modified = updated.filter((document, index) => stringify(document) !== stringify(documents[index]!))
  return { documents: updated, n: targets.length, modified: modified.length }
}

function insert(seed: JsonObject, update: Update, fields: JsonObject): JsonObject {
  return insertFromUpdate({ seed, update, placeholders: placeholdersOf(fields), limits: DEFAULT_LIMITS })
}

function placeholdersOf(fields: JsonObject): PlaceholderSource {
  let count = 0
  return {
    now: (fields.get('now') as number | undefined) ?? 0,
    unique: () => `unique-${++count}`,
    uuid: () => `uuid-${++count}`,
    serviceNames: ['Service'],
  }
}

function documentsOf(fields: JsonObject): JsonObject[] {
  return documents(fields.get('docs'))
}

function documents(value: JsonValue | undefined): JsonObject[] {
  assert.ok(isJsonArray(value) && value.every(isJsonObject), 'a case without documents')
  return value as JsonObject[]
}
