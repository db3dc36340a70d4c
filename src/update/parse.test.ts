import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json } from '../../test/applied.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import type { ErrorCode } from '../errors.ts'
import type { JsonValue } from '../json/value.ts'
import type { Modifier } from './ast.ts'
import { parseUpdate } from './parse.ts'

function refuses(body: string, code: ErrorCode, message?: RegExp): void {
  assert.throws(
    () => parseUpdate(json(body), DEFAULT_LIMITS),
    message === undefined ? { code } : { code, message },
    body,
  )
}

function modifiers(body: string): readonly Modifier[] {
  const update = parseUpdate(json(body), DEFAULT_LIMITS)
  assert.ok(update.kind === 'modify')
  return update.modifiers
}

describe('parseUpdate', () => {
  it('refuses bodies that are no object', () => {
    for (const body of ['1', 'null', '"$set"', 'true'])
      refuses(body, 'invalid_update', /replacement document/)
    refuses('[{"$set":{"a":1}}]', 'invalid_update', /pipelines are not supported/)
  })

  it('refuses modifiers and plain keys in one body, whichever comes first', () => {
    refuses('{"$set":{"a":1},"b":2}', 'invalid_update', /not both "\$set" and "b"/)
    refuses('{"b":2,"$set":{"a":1}}', 'invalid_update')
    refuses('{"a":1,"$unknown":1}', 'invalid_update')
  })

  it('suggests the modifier that was probably meant', () => {
    refuses('{"$sett":{"a":1}}', 'unknown_modifier', /did you mean \$set\?/)
    refuses('{"$addtoset":{"a":1}}', 'unknown_modifier', /did you mean \$addToSet\?/)
    refuses('{"$rename2":{"a":1}}', 'unknown_modifier', /did you mean \$rename\?/)
    refuses('{"$transmogrify":{"a":1}}', 'unknown_modifier', /the modifiers are \$set, \$unset/)
    refuses(`{"$${'x'.repeat(100_000)}":{}}`, 'unknown_modifier')
    for (const name of ['$constructor', '$__proto__', '$']) refuses(`{"${name}":{}}`, 'unknown_modifier')
  })

  it('shows no more of a long text than helps', () => {
    assert.throws(
      () => parseUpdate(json(`{"$set":{"${'a'.repeat(100_000)}.":1}}`), DEFAULT_LIMITS),
      (error: Error) => error.message.length < 300,
    )
  })

  it('refuses operands that are no object', () => {
    for (const operand of ['1', 'null', '[]', '"a"', 'true']) refuses(`{"$set":${operand}}`, 'invalid_update')
  })

  it('refuses empty paths and empty parts', () => {
    for (const path of ['', '.', 'a.', '.a', 'a..b'])
      refuses(`{"$set":{"${path}":1}}`, 'invalid_update', /empty/)
  })

  it('refuses parts that start with $, positional ones by their name', () => {
    for (const path of ['$', 'a.$', 'a.$.b', 'a.$[]', 'a.$[x].b'])
      refuses(`{"$set":{"${path}":1}}`, 'invalid_update', /positional operators/)
    for (const path of ['$a', 'a.$b', '$ref'])
      refuses(`{"$set":{"${path}":1}}`, 'invalid_update', /start with \$/)
  })

  it('refuses paths of more parts than a document has levels', () => {
    refuses(`{"$set":{"${'a.'.repeat(100)}a":1}}`, 'nesting_too_deep')
    refuses(`{"$set":{"${'.'.repeat(1_000_000)}":1}}`, 'nesting_too_deep')
    assert.equal(modifiers(`{"$set":{"${'a.'.repeat(99)}a":1}}`)[0]!.path.length, 100)
  })

  it('says which two paths conflict', () => {
    refuses('{"$set":{"a.b":1},"$inc":{"a.b":1}}', 'conflicting_paths', /^"a\.b" would/)
    refuses('{"$set":{"a.b.c":1},"$inc":{"a":1}}', 'conflicting_paths', /^"a" and "a\.b\.c" would/)
    refuses('{"$set":{"a":1,"a!":2,"a.b":3}}', 'conflicting_paths', /^"a" and "a\.b" would/)
    refuses('{"$rename":{"a":"b","c":"b"}}', 'conflicting_paths')
  })

  it('finds a conflict among very many paths', () => {
    const paths: JsonValue[] = Array.from({ length: 100_000 }, (_, i) => `a.b${i}.c`)
    const set = new Map(paths.map((path) => [path as string, 1 as JsonValue]))
    const body = (inc: string) =>
      new Map<string, JsonValue>([
        ['$set', set],
        ['$inc', new Map([[inc, 1]])],
      ])
    parseUpdate(body('a.c'), DEFAULT_LIMITS)
    assert.throws(() => parseUpdate(body('a.b77777'), DEFAULT_LIMITS), { code: 'conflicting_paths' })
    assert.throws(() => parseUpdate(body('a'), DEFAULT_LIMITS), { code: 'conflicting_paths' })
  })

  it('lets only $set and $setOnInsert name the _id', () => {
    for (const name of [
      '$unset',
      '$inc',
      '$mul',
      '$min',
      '$max',
      '$bit',
      '$pop',
      '$pull',
      '$addToSet',
      '$push',
    ])
      refuses(`{"${name}":{"_id":1}}`, 'immutable_id')
    refuses('{"$currentDate":{"_id":true}}', 'immutable_id')
    refuses('{"$pullAll":{"_id":[1]}}', 'immutable_id')
    refuses('{"$rename":{"_id":"a"}}', 'immutable_id')
    refuses('{"$rename":{"a":"_id.b"}}', 'immutable_id')
    refuses('{"$set":{"_id.a":1}}', 'immutable_id')
    assert.equal(modifiers('{"$set":{"_id":1},"$setOnInsert":{"a":2}}').length, 2)
  })

  it('refuses operands that a modifier can not use', () => {
    for (const update of [
      '{"$inc":{"a":"1"}}',
      '{"$mul":{"a":null}}',
      '{"$rename":{"a":1}}',
      '{"$rename":{"a":""}}',
      '{"$currentDate":{"a":"date"}}',
      '{"$currentDate":{"a":{"$type":"Date"}}}',
      '{"$currentDate":{"a":{"$type":"date","x":1}}}',
      '{"$pop":{"a":2}}',
      '{"$pop":{"a":"1"}}',
      '{"$pullAll":{"a":1}}',
      '{"$bit":{"a":5}}',
      '{"$bit":{"a":{"and":"5"}}}',
      '{"$bit":{"a":{"and":9223372036854775808}}}',
      '{"$push":{"a":{"$each":1}}}',
      '{"$push":{"a":{"$each":[],"$position":1.5}}}',
      '{"$push":{"a":{"$each":[],"$slice":"1"}}}',
      '{"$push":{"a":{"$each":[],"$sort":2}}}',
      '{"$push":{"a":{"$each":[],"$sort":{}}}}',
      '{"$push":{"a":{"$each":[],"$sort":{"a":0}}}}',
      '{"$push":{"a":{"$each":[],"$sort":{"a..b":1}}}}',
      '{"$push":{"a":{"$each":[],"$limit":1}}}',
      '{"$addToSet":{"a":{"$each":{}}}}',
    ])
      refuses(update, 'invalid_update')
    refuses('{"$pull":{"a":{"$gtt":1}}}', 'unknown_operator')
    refuses('{"$pull":{"a":{"$regex":"["}}}', 'invalid_pattern')
  })

  it('takes a body without any $ as a replacement, the empty one too', () => {
    const empty = json('{}')
    assert.deepEqual(parseUpdate(empty, DEFAULT_LIMITS), { kind: 'replace', document: empty })
    const body = json('{"a.b":1,"c":{"$set":1}}')
    assert.deepEqual(parseUpdate(body, DEFAULT_LIMITS), { kind: 'replace', document: body })
  })

  it('takes modifiers apart in the order in which they are written', () => {
    assert.deepEqual(modifiers('{"$set":{"10":1,"2":2},"$inc":{"a.b":1.0}}'), [
      { path: ['10'], kind: 'set', value: 1 },
      { path: ['2'], kind: 'set', value: 2 },
      { path: ['a', 'b'], kind: 'inc', value: { source: '1.0' } },
    ])
    assert.deepEqual(
      modifiers('{"$push":{"a":{"$each":[1],"$sort":{"x.y":-1},"$slice":-2e0,"$position":0}}}'),
      [
        {
          path: ['a'],
          kind: 'push',
          values: [1],
          sort: [{ path: ['x', 'y'], direction: -1 }],
          slice: -2,
          position: 0,
        },
      ],
    )
    assert.deepEqual(modifiers('{"$pop":{"a":-1,"b":1.0},"$set":{}}'), [
      { path: ['a'], kind: 'pop', end: 'first' },
      { path: ['b'], kind: 'pop', end: 'last' },
    ])
  })

  it('takes the condition of $pull as a value, as operators on an element, or as a query', () => {
    assert.deepEqual(modifiers('{"$pull":{"a":[1],"b":{"$not":{"$gt":2}},"c":{"x":3}}}'), [
      { path: ['a'], kind: 'pull', condition: { kind: 'equals', value: [1] } },
      {
        path: ['b'],
        kind: 'pull',
        condition: {
          kind: 'element',
          filter: { kind: 'not', filter: { kind: 'compare', operator: 'gt', path: [], value: 2 } },
        },
      },
      {
        path: ['c'],
        kind: 'pull',
        condition: { kind: 'document', filter: { kind: 'compare', operator: 'eq', path: ['x'], value: 3 } },
      },
    ])
  })

  it('makes values that survive a structured clone, so that an update can cross threads', () => {
    const update = parseUpdate(
      json('{"$set":{"a":1.10},"$bit":{"b":{"and":9223372036854775807}},"$pull":{"c":{"$regex":"a"}}}'),
      DEFAULT_LIMITS,
    )
    assert.deepEqual(structuredClone(update), update)
  })
})
