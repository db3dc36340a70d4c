import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { parseJson } from '../json/exact.ts'
import { stringify } from '../json/stringify.ts'
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { parseProjection, prepareProjection, project } from './projection.ts'

function json(text: string): JsonValue {
  return parseJson(text, DEFAULT_LIMITS)
}

function projected(document: string, projection: string): string {
  const object = json(document)
  assert.ok(isJsonObject(object))
  return stringify(project(object, parseProjection(json(projection), DEFAULT_LIMITS)))
}

function refuses(projection: string): void {
  assert.throws(() => parseProjection(json(projection), DEFAULT_LIMITS), { code: 'invalid_parameter' })
}

describe('a projection that can not be understood', () => {
  for (const text of ['null', '1', '"a"', '[]', '["a"]'])
    it(`is refused: ${text} is no object`, () => refuses(text))

  for (const flag of ['2', '-1', '0.5', 'true', 'false', '"1"', 'null', '{}', '{"$slice":1}'])
    it(`is refused: the value ${flag}`, () => refuses(`{"a":${flag}}`))

  for (const text of ['{"a":1,"b":0}', '{"a":0,"b":1}', '{"_id":0,"a":1,"b":0}'])
    it(`is refused: a mixture, ${text}`, () => refuses(text))

  for (const text of ['{"a":1,"a.b":1}', '{"a.b":0,"a":0}', '{"a.b":1,"a.b.c":1}', '{"_id":1,"_id.a":1}'])
    it(`is refused: one path in another, ${text}`, () => refuses(text))

  it('is refused: too many fields, or a path of too many parts', () => {
    const limits = { ...DEFAULT_LIMITS, queryConditions: 2, nestingLevels: 2 }
    assert.throws(() => parseProjection(json('{"a":1,"b":1,"c":1}'), limits), { code: 'invalid_parameter' })
    assert.throws(() => parseProjection(json('{"a.b.c":1}'), limits), { code: 'nesting_too_deep' })
  })
})

describe('a projection', () => {
  const expectations: readonly (readonly [projection: string, document: string, result: string])[] = [
    ['{}', '{"_id":1,"a":1}', '{"_id":1,"a":1}'],
    ['{"a":1}', '{"_id":1,"a":1,"b":2}', '{"_id":1,"a":1}'],
    ['{"a":1.0}', '{"_id":1,"a":1,"b":2}', '{"_id":1,"a":1}'],
    ['{"a":0}', '{"_id":1,"a":1,"b":2}', '{"_id":1,"b":2}'],
    ['{"a":-0}', '{"_id":1,"a":1,"b":2}', '{"_id":1,"b":2}'],
    ['{"a":1,"_id":0}', '{"_id":1,"a":1,"b":2}', '{"a":1}'],
    ['{"a":0,"_id":0}', '{"_id":1,"a":1,"b":2}', '{"b":2}'],
    ['{"a":0,"_id":1}', '{"_id":1,"a":1,"b":2}', '{"_id":1,"b":2}'],
    ['{"_id":1}', '{"_id":1,"a":1,"b":2}', '{"_id":1}'],
    ['{"_id":0}', '{"_id":1,"a":1,"b":2}', '{"a":1,"b":2}'],
    ['{"c":1}', '{"_id":1,"a":1}', '{"_id":1}'],
    ['{"c":0}', '{"_id":1,"a":1}', '{"_id":1,"a":1}'],
    // The document's order of keys, not the projection's.
    ['{"b":1,"10":1,"a":1}', '{"a":1,"10":2,"b":3,"_id":4}', '{"a":1,"10":2,"b":3,"_id":4}'],
    ['{"n":1}', '{"n":750727362669608961,"m":1.10}', '{"n":750727362669608961}'],
    ['{"a.b":1}', '{"a":{"b":1,"c":2},"b":3}', '{"a":{"b":1}}'],
    ['{"a.b":0}', '{"a":{"b":1,"c":2},"b":3}', '{"a":{"c":2},"b":3}'],
    ['{"a.b":1,"a.c":1}', '{"a":{"c":2,"d":3,"b":1}}', '{"a":{"c":2,"b":1}}'],
    ['{"a.b":1}', '{"a":[{"b":1,"c":2},5]}', '{"a":[{"b":1}]}'],
    ['{"a.b":0}', '{"a":[{"b":1,"c":2},5]}', '{"a":[{"c":2},5]}'],
    ['{"a.b":1}', '{"a":[[{"b":1,"c":2},3],[]]}', '{"a":[[{"b":1}],[]]}'],
    ['{"a.b":0}', '{"a":[[{"b":1,"c":2},3],[]]}', '{"a":[[{"c":2},3],[]]}'],
    ['{"a.b":1}', '{"a":5}', '{}'],
    ['{"a.b":1}', '{"a":null}', '{}'],
    ['{"a.b":1}', '{"a":{}}', '{"a":{}}'],
    ['{"a.b":1}', '{"a":{"c":1}}', '{"a":{}}'],
    ['{"a.b":1}', '{"a":[1,2]}', '{"a":[]}'],
    ['{"a.b":0}', '{"a":5}', '{"a":5}'],
    ['{"a.0":1}', '{"a":[{"0":1,"1":2},7]}', '{"a":[{"0":1}]}'],
    ['{"a.0":1}', '{"a":{"0":1,"1":2}}', '{"a":{"0":1}}'],
    ['{"a.b.c":1}', '{"a":{"b":[{"c":1,"d":2}],"c":3}}', '{"a":{"b":[{"c":1}]}}'],
    ['{"__proto__":1}', '{"a":1,"__proto__":{"b":2},"constructor":3}', '{"__proto__":{"b":2}}'],
    ['{"constructor.b":0}', '{"a":1,"constructor":{"b":2}}', '{"a":1,"constructor":{}}'],
    ['{"":1}', '{"a":1,"":2}', '{"":2}'],
    ['{"a.":1}', '{"a":{"":1,"b":2}}', '{"a":{"":1}}'],
    ['{"a.b":1}', '{"a.b":1,"a":{"b":2}}', '{"a":{"b":2}}'],
    ['{"_id.a":1}', '{"_id":1,"b":2}', '{"_id":1}'],
    ['{"_id.a":0}', '{"_id":1,"b":2}', '{"_id":1,"b":2}'],
  ]
  for (const [projection, document, result] of expectations)
    it(`${projection} of ${document} leaves ${result}`, () =>
      assert.equal(projected(document, projection), result))

  it('leaves the document itself as it was, also when it was prepared for many', () => {
    const prepared = prepareProjection(parseProjection(json('{"a.b":0}'), DEFAULT_LIMITS))
    for (let i = 0; i < 2; i++) {
      const document = json('{"a":[{"b":1,"c":2}]}')
      assert.ok(isJsonObject(document))
      assert.equal(stringify(prepared(document)), '{"a":[{"c":2}]}')
      assert.equal(stringify(document), '{"a":[{"b":1,"c":2}]}')
    }
  })
})
