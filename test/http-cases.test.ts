import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { equalValues } from '../src/json/compare.ts'
import { parseJson } from '../src/json/exact.ts'
import { stringify } from '../src/json/stringify.ts'
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../src/json/value.ts'
import { type Case, loadCases } from './cases/load.ts'
import type { Answer } from './server/client.ts'
import { type ServerProcess, startServer } from './server/start-server.ts'

/** Cases that run at once; each has a collection of its own. */
const CONCURRENCY = 16
const LIMITS = { nestingLevels: 1000 }
/** Cases that can't be asked over HTTP, and why. */
const SKIPPED: ReadonlyMap<string, string> = new Map([
  ['pull_leaves_placeholders_alone', 'a save fills the placeholder that its document has to hold'],
])

let server: ServerProcess
let collections = 0
before(async () => {
  server = await startServer()
})
after(() => server.dispose())

describe('each query case, over HTTP', { concurrency: CONCURRENCY }, () => {
  for (const each of loadCases('query')) {
    if (each.fields.get('error') === true) it(`refuses ${each.name}`, () => refusesQuery(each))
    else it(`finds what ${each.name} says`, () => finds(each))
  }
})

describe('each update case, over HTTP', { concurrency: CONCURRENCY }, () => {
  for (const each of loadCases('update')) {
    const skip = SKIPPED.get(each.name) ?? false
    if (each.fields.get('error') === true) it(`refuses ${each.name}`, { skip }, () => refusesUpdate(each))
    else it(`does what ${each.name} says`, { skip }, () => does(each))
  }
})

async function refusesQuery({ fields }: Case): Promise<void> {
  const path = await collectionOf(fields)
  const q = queryText(fields)
  for (const parameters of [q, `${q}&c=true`, `${q}&fo=true`])
    assertRefused(await server.client.send('GET', `${path}?${parameters}`), fields)
  assertRefused(await server.client.send('DELETE', `${path}?${q}`), fields)
}

async function finds({ fields }: Case): Promise<void> {
  const path = await collectionOf(fields)
  const matching = fields.get('matches')
  assert.ok(isJsonArray(matching))
  const found = documentsIn(await answered('GET', `${path}?${queryText(fields)}`))
  assert.deepEqual(found.map((one) => stringify(one.get('_id')!)).sort(), matching.map(stringify).sort())
  assert.equal(await answered('GET', `${path}?c=true&${queryText(fields)}`), String(matching.length))
}

async function refusesUpdate({ fields }: Case): Promise<void> {
  const path = await collectionOf(fields)
  const before = await answered('GET', path)
  assertRefused(await update(path, fields), fields)
  assert.equal(await answered('GET', path), before)
}

/** Our own cases say what is written, digit for digit and key by key; the shared ones what it is worth. */
async function does({ file, fields }: Case): Promise<void> {
  const path = await collectionOf(fields)
  const from = Date.now()
  const answer = await update(path, fields)
  const to = Date.now()
  const isCreation = fields.has('id') ? createsByPath(fields) : inserted(fields) !== undefined
  assert.equal(answer.status, isCreation ? 201 : 200, answer.text)
  assertCounts(answer, fields)
  if (!fields.has('result')) return
  const text = atInstant(await answered('GET', path), { from, to, now: fields.get('now') })
  const expected = documentsOf(fields, 'result')
  if (!file.startsWith('..')) assert.equal(text, stringify(expected))
  else {
    const found = documentsIn(text)
    assert.equal(found.length, expected.length, text)
    for (const document of expected.map((one) => asCreatedByPath(fields, one)))
      assert.ok(
        found.some((one) => equalValues(one, document)),
        `${stringify(document)} is not among ${text}`,
      )
  }
  if (fields.has('id')) assert.ok(text.includes(atInstant(answer.text, { from, to, now: fields.get('now') })))
}

function assertCounts({ text }: Answer, fields: JsonObject): void {
  if (fields.has('id')) return
  const counts = JSON.parse(text) as Record<string, number>
  const made = inserted(fields)
  assert.deepEqual(
    Object.keys(counts),
    made === undefined ? ['n', 'modified'] : ['n', 'modified', 'upserted'],
  )
  if (made !== undefined) assert.ok(text.endsWith(`"upserted":${stringify(made.get('_id')!)}}`), text)
  for (const count of ['n', 'modified'])
    if (fields.has(count)) assert.equal(counts[count], fields.get(count), count)
}

/** What an update by query has to make, behind all that was there. */
function inserted(fields: JsonObject): JsonObject | undefined {
  if (fields.get('u') !== true || !fields.has('result')) return undefined
  const result = documentsOf(fields, 'result')
  return result.length > documentsOf(fields, 'docs').length ? result.at(-1) : undefined
}

function update(path: string, fields: JsonObject): Promise<Answer> {
  const body = stringify(fields.get('body')!)
  const id = fields.get('id')
  if (id !== undefined)
    return server.client.send('PUT', `${path}/${encodeURIComponent(segmentOf(id))}`, { body })
  const flags = ['u', 'm'].flatMap((name) => (fields.has(name) ? [`${name}=${fields.get(name)}`] : []))
  return server.client.send('PUT', `${path}?${[queryText(fields), ...flags].join('&')}`, { body })
}

function segmentOf(id: JsonValue): string {
  return typeof id === 'string' ? id : stringify(id)
}

/** A path names the text first, then the number. */
function createsByPath(fields: JsonObject): boolean {
  const id = fields.get('id')!
  const names = [segmentOf(id), id]
  return !documentsOf(fields, 'docs').some((one) => names.some((name) => equalValues(one.get('_id'), name)))
}

/**
 * A path creates a document with a text for its id (decisions.md); the shared cases were recorded with
 * numbers.
 */
function asCreatedByPath(fields: JsonObject, document: JsonObject): JsonObject {
  const id = fields.get('id')
  if (id === undefined || !createsByPath(fields)) return document
  if (!isJsonNumber(id) || !equalValues(document.get('_id'), id)) return document
  return new Map(document).set('_id', stringify(id))
}

/** A server's clock can't be set: what lies between two moments around a request is taken for the case's own. */
function atInstant(text: string, { from, to, now }: { from: number; to: number; now: unknown }): string {
  if (typeof now !== 'number') return text
  const isNow = (time: number): boolean => from <= time && time <= to
  return text
    .replace(/\b\d{13}\b/g, (digits) => (isNow(Number(digits)) ? String(now) : digits))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (date) => (isNow(Date.parse(date)) ? iso(now) : date))
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

/** The path of a new collection that holds a case's documents. */
async function collectionOf(fields: JsonObject): Promise<string> {
  const path = `/apps/demo/collections/case-${++collections}`
  const docs = documentsOf(fields, 'docs')
  if (docs.length === 0) return path
  const saved = await server.client.send('POST', path, { body: stringify(docs) })
  assert.equal(saved.status, 201, saved.text)
  assert.equal(saved.text, stringify(docs))
  return path
}

async function answered(method: string, target: string): Promise<string> {
  const answer = await server.client.send(method, target)
  assert.equal(answer.status, 200, answer.text)
  return answer.text
}

function assertRefused({ status, text }: Answer, fields: JsonObject): void {
  assert.equal(status, 400, text)
  const { code, message } = JSON.parse(text) as { code: string; message: string }
  if (fields.has('code')) assert.equal(code, fields.get('code'))
  assert.ok(message.length > 0)
}

function queryText(fields: JsonObject): string {
  return `q=${encodeURIComponent(stringify(fields.get('q')!))}`
}

function documentsOf(fields: JsonObject, name: 'docs' | 'result'): JsonObject[] {
  return asDocuments(fields.get(name))
}

function documentsIn(text: string): JsonObject[] {
  return asDocuments(parseJson(text, LIMITS))
}

function asDocuments(value: JsonValue | undefined): JsonObject[] {
  assert.ok(isJsonArray(value) && value.every(isJsonObject), 'these are no documents')
  return value as JsonObject[]
}
