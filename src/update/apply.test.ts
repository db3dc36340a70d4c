import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applied, countingPlaceholders, json, jsonObject } from '../../test/applied.ts'
import { jsonValues, KEYS } from '../../test/json-values.ts'
import { randomCases } from '../../test/random-cases.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { equalValues } from '../json/compare.ts'
import { stringify } from '../json/stringify.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import { applyUpdate } from './apply.ts'
import { targetAt } from './draft.ts'
import { parseUpdate } from './parse.ts'

function apply(document: JsonObject, body: JsonValue): JsonObject {
  return applyUpdate({
    document,
    update: parseUpdate(body, DEFAULT_LIMITS),
    placeholders: countingPlaceholders(),
    limits: DEFAULT_LIMITS,
  })
}

/** `{"a":{"a":…}}` or `[[…]]` of so many levels. */
function nested(levels: number, [open, close]: readonly [string, string]): string {
  return `${open.repeat(levels)}${close.repeat(levels)}`
}

describe('applyUpdate', () => {
  it('says where a path can not go on, and why', () => {
    assert.throws(() => applied('{"a":{"b":"text"}}', '{"$set":{"a.b.c":1}}'), {
      code: 'update_not_applicable',
      message: '"a.b.c" can\'t be reached: "a.b" holds a text',
    })
    assert.throws(() => applied('{"a":[]}', '{"$set":{"a.b":1}}'), {
      code: 'update_not_applicable',
      message: '"a.b" can\'t be reached: "a" holds an array, whose elements are named by numbers',
    })
    assert.throws(() => applied('{"a":null}', '{"$inc":{"a":1}}'), {
      code: 'update_not_applicable',
      message: '$inc needs a number at "a", which holds null',
    })
  })

  it('pads an array with 1,000 elements and no more', () => {
    assert.equal(applied('{"a":[]}', '{"$set":{"a.1000":1}}'), `{"a":[${'null,'.repeat(1000)}1]}`)
    assert.throws(() => applied('{"a":[]}', '{"$set":{"a.1001":1}}'), {
      code: 'update_not_applicable',
      message: '"a" would be padded with more than 1000 nulls; use lower numbers',
    })
    assert.throws(() => applied('{"a":[]}', '{"$set":{"a.2000":1,"a.1000":1}}'), AppError)
    assert.throws(() => applied('{"a":[]}', '{"$set":{"a.1000":1,"a.2000":1}}'), AppError)
    assert.equal(
      applied('{"a":[[]],"b":[]}', '{"$set":{"a.0.1":1,"b.1":1}}', { limits: { arrayPaddingElements: 1 } }),
      '{"a":[[null,1]],"b":[null,1]}',
    )
  })

  it('does not let many arrays be padded to more than a document may hold', () => {
    const document = jsonObject(`{"a":[${Array(500).fill('[]').join(',')}]}`)
    const paths = Array.from({ length: 500 }, (_, i): [string, JsonValue] => [`a.${i}.1000`, 1])
    assert.throws(() => apply(document, new Map([['$set', new Map(paths)]])), { code: 'document_too_large' })
  })

  it('does not nest deeper than a document may', () => {
    const levels = { limits: { nestingLevels: 3 } }
    assert.equal(applied('{}', '{"$set":{"a.b":[]}}', levels), '{"a":{"b":[]}}')
    for (const body of [
      '{"$set":{"a.b.c":[]}}',
      '{"$set":{"a.b":[[]]}}',
      '{"$push":{"a.b":[]}}',
      '{"$addToSet":{"a":{"$each":[[[]]]}}}',
      '{"$max":{"a.b":{"c":{}}}}',
    ])
      assert.throws(() => applied('{}', body, levels), { code: 'nesting_too_deep' })
    assert.throws(() => applied('{"a":{"b":[]},"c":{}}', '{"$rename":{"a":"c.d"}}', levels), {
      code: 'nesting_too_deep',
    })
    const deep = nested(99, ['[', ']'])
    assert.equal(applied('{}', `{"$set":{"a":${deep}}}`), `{"a":${deep}}`)
    assert.throws(() => applied('{}', `{"$set":{"a.b":${deep}}}`), { code: 'nesting_too_deep' })
  })

  it('gives back the very document where there is nothing to do', () => {
    const document = jsonObject('{"_id":1.0,"a":1.10,"b":[1],"c":{"d":null},"e":[]}')
    for (const body of [
      '{"$set":{}}',
      '{"$set":{"_id":1,"c.d":null}}',
      '{"$inc":{"a":0},"$mul":{"b.0":1}}',
      '{"$min":{"a":2},"$max":{"b":[]}}',
      '{"$unset":{"x":1,"b.9":1,"a.b":1}}',
      '{"$rename":{"x":"y","c.x":"z"}}',
      '{"$setOnInsert":{"a":2,"b.x":1}}',
      '{"$push":{"b":{"$each":[],"$slice":5}},"$addToSet":{"e":{"$each":[]}}}',
      '{"$addToSet":{"b":1.0},"$pop":{"e":1},"$pull":{"c.x":1},"$pullAll":{"x":[1]}}',
      '{"$pull":{"b":{"$gt":1}},"$pullAll":{"e":[]}}',
      '{"$bit":{"b.0":{"or":1}}}',
    ])
      assert.equal(apply(document, json(body)), document, body)
  })

  it('shares what it does not touch', () => {
    const document = jsonObject('{"_id":1,"a":{"x":[1]},"b":{"y":[2],"z":3}}')
    const after = apply(document, json('{"$set":{"b.z":4}}'))
    assert.equal(after.get('a'), document.get('a'))
    assert.equal((after.get('b') as JsonObject).get('y'), (document.get('b') as JsonObject).get('y'))
    assert.notEqual(after.get('b'), document.get('b'))
  })

  it('never changes its update either, however often that is applied', () => {
    const update = parseUpdate(json('{"$set":{"a":{"b":[]}},"$push":{"c":{"$each":[[1]]}}}'), DEFAULT_LIMITS)
    const context = { update, placeholders: countingPlaceholders(), limits: DEFAULT_LIMITS }
    const first = applyUpdate({ document: new Map([['_id', 1]]), ...context })
    apply(first, json('{"$set":{"a.b.0":"x"},"$push":{"c.0":2}}'))
    const again = applyUpdate({ document: new Map([['_id', 1]]), ...context })
    assert.equal(stringify(again), '{"_id":1,"a":{"b":[]},"c":[[1]]}')
  })

  it('gives each document of one update fresh ids', () => {
    const update = parseUpdate(
      json('{"$set":{"a":"Service.ServerValue.UUID"},"$push":{"b":"Service.ServerValue.UNIQUE"}}'),
      DEFAULT_LIMITS,
    )
    const placeholders = countingPlaceholders()
    const texts = [1, 2].map((id) =>
      stringify(
        applyUpdate({ document: new Map([['_id', id]]), update, placeholders, limits: DEFAULT_LIMITS }),
      ),
    )
    assert.deepEqual(texts, [
      '{"_id":1,"a":"uuid-1","b":["unique-1"]}',
      '{"_id":2,"a":"uuid-2","b":["unique-2"]}',
    ])
  })

  it('changes twenty thousand fields of one object in one go', () => {
    const members = Array.from({ length: 20_000 }, (_, i): [string, JsonValue] => [`k${i}`, i])
    const document: JsonObject = new Map<string, JsonValue>([
      ['_id', 1],
      ['a', new Map(members)],
    ])
    const increments = new Map(members.map(([key]): [string, JsonValue] => [`a.${key}`, 1]))
    const after = apply(document, new Map([['$inc', increments]]))
    assert.equal((after.get('a') as JsonObject).get('k19999'), 20_000)
    assert.equal((document.get('a') as JsonObject).get('k19999'), 19_999)
  })
})

const paths = fc
  .array(fc.constantFrom(...KEYS.filter((key) => key !== '' && !/[.$]/.test(key))), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join('.'))

const documents = fc
  .array(fc.tuple(fc.constantFrom(...KEYS.filter((key) => !key.startsWith('$'))), jsonValues()), {
    maxLength: 4,
  })
  .map((members): JsonObject => new Map([['_id', 1 as JsonValue], ...members]))

/** Most of what can be written about one path; a good part of it doesn't apply. */
const modifiers: fc.Arbitrary<[string, JsonValue]> = fc.oneof(
  fc.tuple(fc.constantFrom('$set', '$unset', '$min', '$max', '$push', '$addToSet'), jsonValues()),
  fc.tuple(fc.constantFrom('$inc', '$mul'), fc.integer()),
  fc.tuple(fc.constant('$pop'), fc.constantFrom(1, -1)),
  fc.tuple(fc.constant('$pullAll'), fc.array(jsonValues(), { maxLength: 3 })),
  fc.tuple(fc.constant('$rename'), paths),
)

describe('applyUpdate, for any document and update', () => {
  it('never changes what it was given', () => {
    fc.assert(
      fc.property(documents, fc.array(fc.tuple(paths, modifiers), { maxLength: 3 }), (document, parts) => {
        const before = stringify(document)
        const bodies = parts.map(
          ([path, [name, operand]]): JsonValue => new Map([[name, new Map([[path, operand]])]]),
        )
        const body = new Map(parts.map(([path, [name, operand]]) => [name, new Map([[path, operand]])]))
        const written = stringify([...bodies, body])
        for (const one of [...bodies, body]) {
          try {
            apply(document, one)
          } catch (error) {
            if (!(error instanceof AppError)) throw error
          }
        }
        assert.equal(stringify(document), before)
        assert.equal(stringify([...bodies, body]), written)
      }),
      randomCases(),
    )
  })

  it('reads back what $set wrote, and leaves the rest', () => {
    fc.assert(
      fc.property(documents, paths, jsonValues(), (document, path, value) => {
        const parts = path.split('.')
        fc.pre(targetAt(document, parts).kind !== 'blocked')
        const after = apply(document, new Map([['$set', new Map([[path, value]])]]))
        assert.deepEqual(targetAt(after, parts), { kind: 'present', value })
        for (const [key, member] of document) if (key !== parts[0]) assert.equal(after.get(key), member)
        assert.deepEqual([...after.keys()], [...new Set([...document.keys(), parts[0]!])])
      }),
      randomCases(),
    )
  })

  it('is done where it was done already', () => {
    fc.assert(
      fc.property(documents, paths, jsonValues(), (document, path, value) => {
        fc.pre(targetAt(document, path.split('.')).kind !== 'blocked')
        for (const name of ['$set', '$min', '$max', '$unset']) {
          const body = new Map([[name, new Map([[path, value]])]])
          const once = apply(document, body)
          assert.ok(equalValues(apply(once, body), once))
        }
      }),
    )
  })
})
