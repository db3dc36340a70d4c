import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fields, path, value } from '../../../../test/arbitraries.ts'
import { randomCases } from '../../../../test/random-cases.ts'
import { parseJson } from '../../../json/exact.ts'
import { orderKey } from '../../../json/order-key.ts'
import type { JsonObject, JsonValue } from '../../../json/value.ts'
import type { SortField } from '../../../query/ast.ts'
import { sortKey } from '../../../query/sort.ts'
import { someValueAt } from '../../../query/walk.ts'
import { ENTRY, entriesOf, haveSameEntries, OVERFLOW_KEY } from './index-keys.ts'

const direction = fc.constantFrom<1 | -1>(1, -1)
const fieldList = fc.uniqueArray(fc.record({ path, direction }), {
  minLength: 1,
  maxLength: 3,
  selector: (field) => field.path.join('.'),
})

/** Arrays about as long as a document may have entries, of values among which some are equal. */
const long = fc
  .tuple(fc.constantFrom(10, 31, 32, 500, 998, 999, 1000, 1001, 2000), fc.array(value, { maxLength: 4 }))
  .map(([length, others]): JsonValue[] => [...others, ...Array.from({ length }, (_, n) => n), ...others])

const wide = fc
  .tuple(fields, fc.dictionary(fc.constantFrom('a', 'b', '0'), long))
  .map(([body, arrays]): JsonObject => new Map<string, JsonValue>([...body, ...Object.entries(arrays)]))

const document = fc.oneof({ weight: 2, arbitrary: fields }, { weight: 1, arbitrary: wide })

function hex(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

/** All different keys that a field has, made one by one. */
function everyKey(body: JsonObject, field: SortField): ReadonlySet<string> {
  const keys = new Set<string>()
  let isEmpty = true
  someValueAt(body, field.path, (found) => {
    keys.add(hex(orderKey(found)))
    if (Array.isArray(found)) for (const element of found) keys.add(hex(orderKey(element)))
    isEmpty &&= Array.isArray(found) && found.length === 0
    return false
  })
  return isEmpty ? keys.add(hex(orderKey(undefined))) : keys
}

function object(text: string): JsonObject {
  return parseJson(text, { nestingLevels: 100 }) as JsonObject
}

describe('the entries of a document', () => {
  it('are one for each of its different values, or none but its places where those are too many', () => {
    fc.assert(
      fc.property(document, fieldList, (body, list) => {
        const { entries, multikey, isOverflow } = entriesOf(body, list)
        const keys = list.map((field) => everyKey(body, field))
        const count = keys.reduce((product, { size }) => product * size, 1)
        assert.equal(isOverflow, count > 1000)
        for (const [field, { size }] of keys.entries())
          assert.equal((multikey & (1 << field)) !== 0, size > 1)
        const own = isOverflow ? entries.filter(({ keys: [first] }) => first !== OVERFLOW_KEY) : entries
        assert.equal(entries.length - own.length, isOverflow ? 1 : 0)
        assert.ok(isOverflow ? own.length <= 2 : own.length === count)
        assert.equal(new Set(own.map((entry) => entry.keys.map(hex).join())).size, own.length)
      }),
      randomCases(1 / 2),
    )
  })

  it('have one in the place of each order, however many values there are', () => {
    fc.assert(
      fc.property(document, fieldList, (body, list) => {
        const { entries } = entriesOf(body, list)
        for (const [flag, turn] of [[ENTRY.forward, 1] as const, [ENTRY.reverse, -1] as const]) {
          const inPlace = entries.filter(({ flags }) => (flags & flag) !== 0)
          const keys = list.map((field) =>
            orderKey(sortKey(body, { ...field, direction: (field.direction * turn) as 1 | -1 })),
          )
          assert.deepEqual(
            inPlace.map((entry) => entry.keys.map(hex)),
            [keys.map(hex)],
          )
        }
      }),
      randomCases(1 / 2),
    )
  })

  it('are too many where they are too long, and never where there is one', () => {
    const half = 'x'.repeat(1_048_576)
    const A: SortField[] = [{ path: ['a'], direction: 1 }]
    assert.equal(entriesOf(new Map([['a', half + half]]), A).isOverflow, false)
    assert.equal(entriesOf(new Map([['a', [half]]]), A).isOverflow, true)
    const short = half.slice(2048)
    assert.equal(entriesOf(new Map([['a', [short]]]), A).isOverflow, false)
  })
})

describe('two documents', () => {
  it('have the same entries wherever that is said of them', () => {
    fc.assert(
      fc.property(document, document, fieldList, (one, other, list) => {
        const merged: JsonObject = new Map([...one, ...other])
        if (haveSameEntries(one, merged, list))
          assert.deepEqual(entriesOf(one, list), entriesOf(merged, list))
      }),
      randomCases(1 / 2),
    )
  })

  it('have the same where nothing changed along the paths, and not where null took the place of nothing', () => {
    const list: SortField[] = [{ path: ['a', 'b'], direction: 1 }]
    const before = object('{"a":{"b":[1,{"x":1,"y":2}],"c":1},"d":1}')
    assert.ok(haveSameEntries(before, object('{"d":2,"a":{"c":2,"b":[1.0,{"y":2,"x":1}]}}'), list))
    assert.ok(!haveSameEntries(before, object('{"a":{"b":[1,{"x":1,"y":3}],"c":1},"d":1}'), list))
    assert.ok(!haveSameEntries(object('{"a":{}}'), object('{"a":{"b":null}}'), list))
  })
})
