import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { jsonValues, KEYS } from '../../test/json-values.ts'
import { randomCases } from '../../test/random-cases.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { areComparable, compareValues, equalValues } from '../json/compare.ts'
import { parseJson } from '../json/exact.ts'
import type { JsonValue } from '../json/value.ts'
import type { CompareOperator, Condition } from './ast.ts'
import { matches, prepareFilter } from './match.ts'
import { parseFilter } from './parse.ts'
import { compilePattern } from './regex.ts'

function json(text: string): JsonValue {
  return parseJson(text, DEFAULT_LIMITS)
}

function holds(document: string, query: string): boolean {
  return matches(json(document), parseFilter(json(query), DEFAULT_LIMITS))
}

describe('a path that meets arrays', () => {
  it('that could be taken in very many ways is walked once', () => {
    // Each of 45 arrays can be gone through by index or by element: some 10^12 ways in all.
    const document = json(`${'{"0":['.repeat(45)}1${']}'.repeat(45)}`)
    const path = '0'.repeat(68).split('')
    assert.equal(matches(document, { kind: 'compare', operator: 'eq', path, value: 2 }), false)
  })

  it('finds what it finds by index and what it finds by key', () => {
    const document = '{"a":[{"0":5},{"0":6}]}'
    assert.ok(holds(document, '{"a.0":5}'))
    assert.ok(holds(document, '{"a.0":6}'))
    assert.ok(holds(document, '{"a.0":{"0":5}}'))
    assert.ok(!holds(document, '{"a.1":6}'))
  })

  it('does not go into arrays in arrays by itself', () => {
    assert.ok(!holds('{"a":[[{"b":1}]]}', '{"a.b":1}'))
    assert.ok(holds('{"a":[[{"b":1}]]}', '{"a.0.b":1}'))
    assert.ok(holds('{"a":[[],[{"b":1}]]}', '{"a.1.b":1}'))
  })

  it('finds not even a missing value where no element is an object', () => {
    assert.ok(!holds('{"a":[]}', '{"a.b":null}'))
    assert.ok(!holds('{"a":[1,2]}', '{"a.b":null}'))
    assert.ok(holds('{"a":[1,{}]}', '{"a.b":null}'))
    assert.ok(holds('{"a":1}', '{"a.b":null}'))
  })
})

describe('a condition', () => {
  it('is asked of values that are no documents where its path is empty', () => {
    assert.ok(matches(5, { kind: 'compare', operator: 'gt', path: [], value: 3 }))
    assert.ok(matches('abc', { kind: 'regex', path: [], pattern: '^a' }))
    assert.ok(matches([1, 2], { kind: 'has', path: [], value: 2 }))
    assert.ok(!matches(null, { kind: 'in', path: [], values: [1] }))
  })

  it('that was prepared gives each document its own answer, in any order', () => {
    const prepared = prepareFilter(parseFilter(json('{"a":{"$regex":"b+$"}}'), DEFAULT_LIMITS))
    const answers = ['{"a":"ab"}', '{"a":"ba"}', '{"a":"ab"}', '{"a":"ab"}'].map((text) =>
      prepared(json(text)),
    )
    assert.deepEqual(answers, [true, false, true, true])
  })

  it('takes its patterns from where it is told to', () => {
    const asked: string[] = []
    const compile = (pattern: string) => {
      asked.push(pattern)
      return compilePattern(pattern)
    }
    prepareFilter(
      parseFilter(json('{"a":{"$not":{"$regex":"x"}},"b":{"$regex":"y"}}'), DEFAULT_LIMITS),
      compile,
    )
    assert.deepEqual(asked, ['x', 'y'])
  })

  it('with 10,000 values looks each document up at once', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => new Map([['n', index]]))
    const prepared = prepareFilter({ kind: 'in', path: ['a'], values })
    const document = new Map([
      ['a', Array.from({ length: 10_000 }, (_, index) => new Map([['n', -index - 1]]))],
    ])
    assert.equal(prepared(document), false)
    assert.equal(prepared(json('{"a":{"n":9999.0}}')), true)
  })
})

/** The rules of decisions.md said again in the plainest way, with lists of candidates instead of tests. */
function naive(root: JsonValue, condition: Condition): boolean {
  const values = reached(root, condition.path)
  if (condition.kind === 'has')
    return values.some(
      (value) => Array.isArray(value) && value.some((element) => equalValues(element, condition.value)),
    )
  const candidates = values.flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value]))
  if (condition.kind === 'in')
    return candidates.some((value) => condition.values.some((one) => equalValues(one, value)))
  if (condition.kind === 'regex')
    return candidates.some((value) => typeof value === 'string' && value.includes(condition.pattern))
  const comparable = candidates.filter((value) => areComparable(value, condition.value))
  const signs = comparable.map((value) => Math.sign(compareValues(value, condition.value)))
  const wanted = { eq: [0], gt: [1], gte: [0, 1], lt: [-1], lte: [-1, 0] }[condition.operator]
  return signs.some((sign) => wanted.includes(sign))
}

function reached(value: JsonValue | undefined, path: readonly string[]): (JsonValue | undefined)[] {
  const [part, ...rest] = path
  if (part === undefined) return [value]
  if (value instanceof Map) return reached(value.get(part), rest)
  if (!Array.isArray(value)) return [undefined]
  const byIndex = /^(0|[1-9][0-9]*)$/.test(part) && Number(part) < value.length ? [value[Number(part)]] : []
  return [
    ...byIndex.flatMap((element) => reached(element, rest)),
    ...value.filter((element) => element instanceof Map).flatMap((element) => reached(element, path)),
  ]
}

function conditions(): fc.Arbitrary<Condition> {
  const path = fc.array(fc.constantFrom('a', 'b', '0', ...KEYS), { maxLength: 2 })
  const value = fc.oneof(jsonValues(), fc.integer({ min: -3, max: 3 }))
  const operator = fc.constantFrom<CompareOperator>('eq', 'gt', 'gte', 'lt', 'lte')
  // A kind that is missing does not compile.
  const byKind: { readonly [Kind in Condition['kind']]: fc.Arbitrary<Condition & { kind: Kind }> } = {
    compare: fc.record({ kind: fc.constant('compare'), operator, path, value }),
    has: fc.record({ kind: fc.constant('has'), path, value }),
    in: fc.record({ kind: fc.constant('in'), path, values: fc.array(value, { maxLength: 4 }) }),
    regex: fc.record({ kind: fc.constant('regex'), path, pattern: fc.constantFrom('a', 'b', '0', '') }),
  }
  return fc.oneof(...Object.values(byKind))
}

interface Place {
  readonly path: readonly string[]
  readonly value: JsonValue
}

/** All that stands in a value, by paths that name an array's index or go through it without one. */
function places(value: JsonValue, path: readonly string[] = []): Place[] {
  const below = [{ path, value }]
  if (value instanceof Map) for (const [key, member] of value) below.push(...places(member, [...path, key]))
  if (Array.isArray(value))
    for (const [index, element] of value.entries())
      below.push(...places(element, path), ...places(element, [...path, String(index)]))
  return below
}

/** Two conditions of three ask for a path that is there, and two of three for a value that is. */
function aimed(condition: Condition, there: readonly Place[], [first, second]: [number, number]): Condition {
  const path = first % 3 === 0 ? condition.path : there[first % there.length]!.path
  if (condition.kind === 'regex' || condition.kind === 'in' || second % 3 === 0) return { ...condition, path }
  return { ...condition, path, value: there[second % there.length]!.value }
}

describe('any condition on any value', () => {
  it('holds where the plainest reading of the rules says so, and its negation where it does not', () => {
    let held = 0
    const cases = randomCases()
    const nested = jsonValues().filter((value) => value instanceof Map || Array.isArray(value))
    fc.assert(
      fc.property(nested, conditions(), fc.nat(), fc.nat(), (root, drawn, first, second) => {
        const condition = aimed(drawn, places(root), [first, second])
        const expected = naive(root, condition)
        if (expected) held++
        assert.equal(matches(root, condition), expected)
        assert.equal(matches(root, { kind: 'not', filter: condition }), !expected)
      }),
      cases,
    )
    // About one in ten does.
    assert.ok(held > 0.075 * cases.numRuns, `only ${held} of ${cases.numRuns} conditions held`)
  })
})
