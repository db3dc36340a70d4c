import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applied } from '../../../test/applied.ts'
import { jsonValues } from '../../../test/json-values.ts'
import { compareValues, equalValues } from '../../json/compare.ts'
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts'
import { addToSet } from './add-to-set.ts'
import { pop } from './pop.ts'
import { pullAll } from './pull.ts'
import { push } from './push.ts'

const PATH = ['a']

function isIn(array: readonly JsonValue[], value: JsonValue): boolean {
  return array.some((element) => equalValues(element, value))
}

const arrays = fc.array(jsonValues(), { maxLength: 6 })

describe('the modifiers of arrays', () => {
  it('refuse what is no array, and say what they found', () => {
    for (const [name, operand] of [
      ['$push', '1'],
      ['$addToSet', '1'],
      ['$pop', '1'],
      ['$pull', '1'],
      ['$pullAll', '[1]'],
    ])
      for (const value of ['null', '1', '"x"', '{}', 'true'])
        assert.throws(() => applied(`{"a":${value}}`, `{"${name}":{"a":${operand}}}`), {
          code: 'update_not_applicable',
          message: /needs an array at "a", which holds (null|a number|a text|an object|a boolean)$/,
        })
  })

  it('do not fall over hundreds of thousands of values', () => {
    const many: JsonArray = Array.from({ length: 300_000 }, (_, i) => i)
    assert.equal((push([], { kind: 'push', values: many, position: 0 }, PATH) as JsonArray).length, 300_000)
    assert.equal((pop(many, 'first', PATH) as JsonArray)[0], 1)
    assert.deepEqual(pullAll(many, many, PATH), [])
  })
})

describe('addToSet', () => {
  it('adds each new value once, in order, and takes none away', () => {
    fc.assert(
      fc.property(arrays, arrays, (array, values) => {
        const result = addToSet(array, values, PATH) as JsonArray
        assert.deepEqual(result.slice(0, array.length), array)
        const added = result.slice(array.length)
        assert.ok(values.every((value) => isIn(result, value)))
        for (const [index, value] of added.entries()) {
          assert.ok(!isIn(array, value) && !isIn(added.slice(0, index), value))
          assert.ok(values.includes(value))
        }
      }),
    )
  })

  it('does the same one by one', () => {
    fc.assert(
      fc.property(arrays, arrays, (array, values) => {
        const oneByOne = values.reduce<JsonValue>((set, value) => addToSet(set, [value], PATH), array)
        assert.deepEqual(addToSet(array, values, PATH), oneByOne)
      }),
    )
  })

  it('adds ten thousand objects to ten thousand', () => {
    const objects = (from: number): JsonObject[] =>
      Array.from(
        { length: 10_000 },
        (_, i) =>
          new Map<string, JsonValue>([
            ['k', from + i],
            ['v', [i]],
          ]),
      )
    const result = addToSet(objects(0), [...objects(0), ...objects(10_000)], PATH) as JsonArray
    assert.equal(result.length, 20_000)
  })

  it('compares one large object with many small ones in no time', () => {
    const large = new Map(Array.from({ length: 50_000 }, (_, i): [string, JsonValue] => [`k${i}`, i]))
    const small: JsonArray = Array.from({ length: 50_000 }, () => new Map())
    assert.equal((addToSet(small, [large], PATH) as JsonArray).length, 50_001)
    assert.equal(pullAll(small, [large], PATH), small)
  })
})

describe('pullAll', () => {
  it('leaves exactly the elements that equal none of the values', () => {
    fc.assert(
      fc.property(arrays, arrays, (array, values) => {
        assert.deepEqual(
          pullAll(array, values, PATH),
          array.filter((element) => !isIn(values, element)),
        )
      }),
    )
  })

  it('takes out what was added to a set', () => {
    fc.assert(
      fc.property(arrays, arrays, (array, values) => {
        const rest = pullAll(addToSet(array, values, PATH), values, PATH)
        assert.deepEqual(rest, pullAll(array, values, PATH))
      }),
    )
  })
})

describe('push', () => {
  const numbers = fc.option(fc.integer({ min: -8, max: 8 }), { nil: undefined })

  it('puts values where JavaScript does, and slices as it does', () => {
    fc.assert(
      fc.property(arrays, arrays, numbers, numbers, (array, values, position, slice) => {
        const expected = [...array]
        expected.splice(position ?? array.length, 0, ...values)
        const kept =
          slice === undefined ? expected : slice < 0 ? expected.slice(slice) : expected.slice(0, slice)
        const action = {
          kind: 'push' as const,
          values,
          ...(position === undefined ? {} : { position }),
          ...(slice === undefined ? {} : { slice }),
        }
        assert.deepEqual(push(array, action, PATH), kept)
      }),
    )
  })

  it('sorts in the one order of all values, backwards too', () => {
    fc.assert(
      fc.property(arrays, fc.constantFrom<1 | -1>(1, -1), (array, sort) => {
        const sorted = push(array, { kind: 'push', values: [], sort }, PATH) as JsonArray
        assert.equal(sorted.length, array.length)
        assert.ok(array.every((element) => sorted.includes(element)))
        for (let i = 1; i < sorted.length; i++) {
          const order = compareValues(sorted[i - 1], sorted[i]) * sort
          assert.ok(
            order < 0 || (order === 0 && array.indexOf(sorted[i - 1]!) <= array.lastIndexOf(sorted[i]!)),
          )
        }
      }),
    )
  })

  it('sorts by fields, in objects and in arrays inside the elements', () => {
    assert.equal(
      applied(
        '{"a":[{"x":[3]},{"x":[1]},{"x":[]},{"x":{"0":2}}]}',
        '{"$push":{"a":{"$each":[],"$sort":{"x.0":-1}}}}',
      ),
      '{"a":[{"x":[3]},{"x":{"0":2}},{"x":[1]},{"x":[]}]}',
    )
  })
})

describe('$pull', () => {
  it('asks a query of each element that is an object', () => {
    assert.equal(
      applied(
        '{"a":[{"x":[{"y":1}]},{"x":[{"y":2}]},[{"x":{"y":1}}],"x",null]}',
        '{"$pull":{"a":{"x.y":1}}}',
      ),
      '{"a":[{"x":[{"y":2}]},[{"x":{"y":1}}],"x",null]}',
    )
    assert.equal(
      applied('{"a":[{"x":1,"y":1},{"x":1}]}', '{"$pull":{"a":{"$and":[{"x":1},{"y":null}]}}}'),
      '{"a":[{"x":1,"y":1}]}',
    )
  })

  it('asks operators of the element itself, or of its elements where it is an array', () => {
    assert.equal(
      applied('{"a":[1,[5],[[5]],{"x":5},"5",6]}', '{"$pull":{"a":{"$gte":5,"$not":6}}}'),
      '{"a":[1,[[5]],{"x":5},"5",6]}',
    )
    assert.equal(applied('{"a":[null,[],[null],{}]}', '{"$pull":{"a":{"$in":[null]}}}'), '{"a":[[],{}]}')
  })
})
