import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { parseJson } from '../json/exact.ts'
import type { JsonValue } from '../json/value.ts'
import { EVERY_DOCUMENT, type Filter } from './ast.ts'
import { parseFilter } from './parse.ts'

const limits = { ...DEFAULT_LIMITS, queryConditions: 3, inValues: 2, nestingLevels: 8 }

function parse(text: string): Filter {
  return parseFilter(parseJson(text, DEFAULT_LIMITS), limits)
}

function refusal(value: string | JsonValue): AppError {
  try {
    parseFilter(typeof value === 'string' ? parseJson(value, DEFAULT_LIMITS) : value, limits)
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    return error
  }
  assert.fail('it was accepted')
}

function equal(path: string[], value: JsonValue): Filter {
  return { kind: 'compare', operator: 'eq', path, value }
}

describe('a query that can not be understood', () => {
  for (const text of ['null', '1', '"a"', 'true', '[]', '[{"a":1}]'])
    it(`is refused: ${text} is no object`, () => assert.equal(refusal(text).code, 'invalid_query'))

  for (const operand of ['{}', '[]', '1', 'null', '"a"', '[1]', '[{"a":1},null]', '[[{"a":1}]]'])
    it(`is refused: $and with ${operand}`, () =>
      assert.equal(refusal(`{"$and":${operand}}`).code, 'invalid_query'))

  for (const operand of ['null', '1', '"a"', '{}', '{"a":1}'])
    it(`is refused: $in with ${operand}`, () =>
      assert.equal(refusal(`{"a":{"$in":${operand}}}`).code, 'invalid_query'))

  for (const operand of ['null', '1', 'true', '{}', '["a"]'])
    it(`is refused: $regex with ${operand}`, () =>
      assert.equal(refusal(`{"a":{"$regex":${operand}}}`).code, 'invalid_pattern'))

  for (const object of ['{"$gt":1,"b":2}', '{"b":2,"$gt":1}', '{"$eq":1,"":2}', '{"b":2,"$ref":1}'])
    it(`is refused: operators and plain keys mixed in ${object}`, () => {
      assert.equal(refusal(`{"a":${object}}`).code, 'invalid_query')
      assert.equal(refusal(`{"a":{"$not":${object}}}`).code, 'invalid_query')
      assert.equal(refusal(`{"a":{"$in":[${object}]}}`).code, 'invalid_query')
    })

  it('is refused: an operator among the values of $in', () => {
    assert.equal(refusal('{"a":{"$in":[1,{"$gt":5}]}}').code, 'invalid_query')
  })

  it('is refused: $and under a field', () => {
    assert.match(refusal('{"a":{"$and":[{"$gt":1}]}}').message, /not \$and under a field/)
  })

  it('is refused: an operator without a field, with the shape that it should have', () => {
    assert.deepEqual(
      [refusal('{"$gt":5}').code, refusal('{"$gt":5}').message],
      ['invalid_query', '$gt needs a field: write {"field": {"$gt": …}}'],
    )
    assert.equal(refusal('{"a":1,"$not":{"b":1}}').code, 'invalid_query')
  })

  it('is refused: a pattern that does not compile', () => {
    assert.equal(refusal('{"a":{"$regex":"["}}').code, 'invalid_pattern')
    assert.equal(refusal('{"a":{"$not":{"$regex":"a(?=b)"}}}').code, 'invalid_pattern')
  })
})

describe('an operator that there is not', () => {
  for (const [name, advice] of [
    ['$gtt', 'did you mean $gt?'],
    ['$GTE', 'did you mean $gte?'],
    ['$regexp', 'did you mean $regex?'],
    ['$nothas', 'did you mean $nhas?'],
    ['$ge', 'did you mean $gte?'],
    ['$ne', 'write {"$not": value}'],
    ['$nin', 'write {"$not": {"$in": [value, …]}}'],
    ['$exists', 'write {"$not": null} for fields that are there, null for those that are not'],
    ['$elemMatch', 'write {"$has": value} for an element equal to a value'],
    ['$options', 'write the flags into the pattern, such as {"$regex": "(?i)part"}'],
  ])
    it(`is answered with what may have been meant: ${name}`, () => {
      const { code, message } = refusal(`{"a":{"${name}":1}}`)
      assert.deepEqual([code, message], ['unknown_operator', `unknown operator ${name}; ${advice}`])
    })

  it('is refused in place of a field too', () => {
    const { code, message } = refusal('{"$or":[{"a":1},{"b":2}]}')
    assert.equal(code, 'unknown_operator')
    assert.match(message, /^unknown operator \$or; for values of one field write \{"\$in"/)
    assert.equal(refusal('{"$where":"true"}').code, 'unknown_operator')
  })

  it('is answered with the list of operators where nothing is near', () => {
    assert.match(
      refusal('{"a":{"$ref":"b","$id":1}}').message,
      /^unknown operator \$ref; .*\$eq, \$not, \$gt/,
    )
    assert.match(refusal('{"a":{"$":1}}').message, /^unknown operator \$;/)
  })

  it('is named in part where its name is long', () => {
    assert.ok(refusal(`{"a":{"$${'x'.repeat(50_000)}":1}}`).message.length < 250)
  })
})

describe('a query past a limit', () => {
  it('is refused when it has too many conditions, wherever they stand', () => {
    assert.equal(refusal('{"a":1,"b":1,"c":1,"d":1}').code, 'too_many_conditions')
    assert.equal(refusal('{"$and":[{"a":1,"b":1},{"a":{"$gt":1,"$lt":2}}]}').code, 'too_many_conditions')
    assert.equal(
      refusal('{"a":{"$not":{"$gt":1,"$lt":2,"$has":1,"$regex":"a"}}}').code,
      'too_many_conditions',
    )
    assert.equal(parse('{"a":{"$not":{"$gt":1,"$lt":2,"$has":1}}}').kind, 'not')
  })

  it('is refused when $in has too many values', () => {
    assert.equal(refusal('{"a":{"$in":[1,2,3]}}').code, 'too_many_values')
    assert.equal(parse('{"a":{"$in":[1,2]}}').kind, 'in')
  })

  it('is refused when a path has too many parts', () => {
    assert.equal(refusal('{"a.b.c.d.e.f.g.h.i":1}').code, 'nesting_too_deep')
    assert.equal(parse('{"a.b.c.d.e.f.g.h":1}').kind, 'compare')
  })

  it('is refused when it is nested too deeply, before anything recurses', () => {
    let query: JsonValue = new Map([['a', 1]])
    let negation: JsonValue = 1
    for (let level = 0; level < 100_000; level++) {
      query = new Map([['$and', [query]]])
      negation = new Map([['$not', negation]])
    }
    assert.equal(refusal(query).code, 'nesting_too_deep')
    assert.equal(refusal(new Map([['a', negation]])).code, 'nesting_too_deep')
    assert.equal(refusal('{"$and":[{"$and":[{"$and":[{"$and":[{"a":1}]}]}]}]}').code, 'nesting_too_deep')
    assert.deepEqual(parse('{"$and":[{"$and":[{"$and":[{"a":1}]}]}]}'), equal(['a'], 1))
  })

  it('is refused when its patterns are too large together, though each is small enough', () => {
    const many = Array.from({ length: 200 }, (_, index) => `{"a":{"$regex":"x+${index}"}}`).join()
    const value = parseJson(`{"$and":[${many}]}`, DEFAULT_LIMITS)
    assert.throws(() => parseFilter(value, DEFAULT_LIMITS), { code: 'invalid_pattern' })
  })
})

describe('a query', () => {
  it('without conditions is every document', () => {
    for (const text of ['{}', '{"$and":[{}]}', '{"$and":[{},{"$and":[{}]}]}'])
      assert.equal(parse(text), EVERY_DOCUMENT)
  })

  it('takes what is no operator as the value to be equal to', () => {
    assert.deepEqual(parse('{"a":null}'), equal(['a'], null))
    assert.deepEqual(parse('{"a":[{"$gt":1}]}'), equal(['a'], [new Map([['$gt', 1]])]))
    assert.deepEqual(parse('{"a":{}}'), equal(['a'], new Map()))
    assert.deepEqual(parse('{"a":{"b":{"$gt":1}}}'), equal(['a'], new Map([['b', new Map([['$gt', 1]])]])))
  })

  it('takes what $eq, $has and ranges are given as it stands', () => {
    const literal = new Map([['$gt', 5]])
    assert.deepEqual(parse('{"a":{"$eq":{"$gt":5}}}'), equal(['a'], literal))
    assert.deepEqual(parse('{"a":{"$has":{"$gt":5}}}'), { kind: 'has', path: ['a'], value: literal })
    assert.deepEqual(parse('{"a":{"$lt":{"$gt":5}}}'), {
      kind: 'compare',
      operator: 'lt',
      path: ['a'],
      value: literal,
    })
  })

  it('has its paths taken apart, empty parts kept', () => {
    assert.deepEqual(parse('{"a.b.0":1}'), equal(['a', 'b', '0'], 1))
    assert.deepEqual(parse('{"":1}'), equal([''], 1))
    assert.deepEqual(parse('{"a..b.":1}'), equal(['a', '', 'b', ''], 1))
    assert.deepEqual(parse('{"a.$b":1}'), equal(['a', '$b'], 1))
  })

  it('has one form however it is written', () => {
    const both: Filter = { kind: 'and', filters: [equal(['a'], 1), equal(['b'], 2)] }
    for (const text of [
      '{"a":1,"b":2}',
      '{"a":{"$eq":1},"b":2}',
      '{"$and":[{"a":1},{"b":2}]}',
      '{"$and":[{"a":1}],"b":2}',
      '{"$and":[{"$and":[{"a":1},{}]},{"$and":[{"b":2}]}]}',
    ])
      assert.deepEqual(parse(text), both)
  })

  it('has $not and $nhas as negations', () => {
    assert.deepEqual(parse('{"a":{"$not":5}}'), { kind: 'not', filter: equal(['a'], 5) })
    assert.deepEqual(parse('{"a":{"$not":{"$eq":5}}}'), { kind: 'not', filter: equal(['a'], 5) })
    assert.deepEqual(parse('{"a":{"$not":{"b":5}}}'), {
      kind: 'not',
      filter: equal(['a'], new Map([['b', 5]])),
    })
    assert.deepEqual(parse('{"a":{"$nhas":5}}'), {
      kind: 'not',
      filter: { kind: 'has', path: ['a'], value: 5 },
    })
    assert.deepEqual(parse('{"a":{"$not":{"$not":5}}}'), {
      kind: 'not',
      filter: { kind: 'not', filter: equal(['a'], 5) },
    })
  })
})
