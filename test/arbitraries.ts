import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../src/json/value.ts'

/** Few keys, so that paths hit; among them every kind that has ever been mistaken for something else. */
const KEYS = ['a', 'b', '0', '1', '', 'x.y', '$k', '__proto__', "it's", 'q"q', 'b\\s', '[0]', 'é', '#']

export const key = fc.constantFrom(...KEYS)

/** Numbers that lie close together: as doubles, as integers of 64 bits, and as texts of both. */
const number: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(0, 1, 2, -1, 0.5, 1e21),
  fc
    .constantFrom(
      '1.0',
      '1e0',
      '-0',
      '-0.0',
      '0.50',
      '9007199254740993',
      '9007199254740992.0',
      '9223372036854775807',
      '9223372036854775808',
      '-9223372036854775808',
      '18446744073709551617',
      '395.22697014832060493113284021230204e245',
      '0.1000000000000000055511151231257827021181583404541015625',
      '1e-400',
    )
    .map((source) => ({ source })),
  fc.maxSafeInteger(),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => (value === 0 ? 0 : value)),
)

const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'A',
    'ab',
    'b',
    '1',
    'true',
    'null',
    '[1]',
    '{}',
    'é',
    'e\u0301',
    '\u{1f600}',
    '\uff61',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }).filter((value) => !value.includes('\u0000')),
)

export const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false),
  number,
  text,
)

export const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 2, arbitrary: members(tie('value')) },
  ),
})).value

function members(of: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(key, of), { maxLength: 3, selector: ([name]) => name })
    .map((m) => new Map(m))
}

/** A document's fields without its `_id`; no key at the top starts with $. */
export const fields: fc.Arbitrary<JsonObject> = members(value).map(
  (object) => new Map([...object].filter(([name]) => !name.startsWith('$'))),
)

export const path = fc.array(
  key.filter((name) => !name.includes('.')),
  { minLength: 1, maxLength: 3 },
)

const pattern = fc.constantFrom(
  'a',
  '^a',
  'b$',
  '^ab$',
  'a|b',
  '(?i)A',
  '[a-b]+',
  '^$',
  '',
  '\\.',
  'é',
  '.',
  '^1',
)

const operator: fc.Arbitrary<[string, JsonValue]> = fc.oneof(
  fc.tuple(
    fc.constantFrom('$eq', '$not', '$gt', '$gte', '$lt', '$lte', '$has', '$nhas'),
    value.filter(isLiteral),
  ),
  fc.tuple(fc.constant('$in'), fc.array(value.filter(isLiteral), { maxLength: 4 })),
  fc.tuple(fc.constant('$regex'), pattern),
)

/** Queries as they are written, sugar and all. */
export const query: fc.Arbitrary<JsonObject> = fc.letrec<{ query: JsonObject }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 6, arbitrary: fc.tuple(dotted(), condition()).map(([name, held]) => new Map([[name, held]])) },
    {
      weight: 1,
      arbitrary: fc
        .array(tie('query'), { minLength: 1, maxLength: 3 })
        .map((parts): JsonObject => new Map([['$and', parts]])),
    },
  ),
})).query

function dotted(): fc.Arbitrary<string> {
  return path.map((parts) => parts.join('.')).filter((name) => !name.startsWith('$'))
}

function condition(): fc.Arbitrary<JsonValue> {
  const operators = fc
    .uniqueArray(operator, { minLength: 1, maxLength: 2, selector: ([name]) => name })
    .map((pairs): JsonObject => new Map(pairs))
  return fc.oneof(
    { weight: 4, arbitrary: operators },
    { weight: 2, arbitrary: value.filter(isLiteral) },
    { weight: 1, arbitrary: operators.map((held): JsonObject => new Map([['$not', held]])) },
  )
}

/** Whether a value can't be taken for an object of operators. */
function isLiteral(held: JsonValue): boolean {
  if (Array.isArray(held)) return held.every(isLiteral)
  return !(held instanceof Map) || ![...held.keys()].some((name) => name.startsWith('$'))
}

export const sort = fc
  .uniqueArray(fc.tuple(path, fc.constantFrom<1 | -1>(1, -1)), {
    minLength: 1,
    maxLength: 2,
    selector: ([parts]) => parts.join('.'),
  })
  .map((pairs) => pairs.map(([parts, direction]) => ({ path: parts, direction })))

const modifier: fc.Arbitrary<[string, JsonValue]> = fc.oneof(
  fc.tuple(fc.constantFrom('$set', '$setOnInsert', '$min', '$max', '$push', '$addToSet', '$pull'), value),
  fc.tuple(fc.constantFrom('$inc', '$mul'), scalar),
  fc.tuple(fc.constant('$unset'), fc.constant('')),
  fc.tuple(fc.constant('$pop'), fc.constantFrom(1, -1)),
  fc.tuple(
    fc.constant('$rename'),
    path.map((parts) => parts.join('.')),
  ),
  fc.tuple(fc.constant('$pullAll'), fc.array(value, { maxLength: 3 })),
  fc.tuple(
    fc.constant('$currentDate'),
    fc.constantFrom<JsonValue>(true, new Map([['$type', 'date']]), new Map([['$type', 'timestamp']])),
  ),
  fc.tuple(
    fc.constant('$bit'),
    fc
      .tuple(fc.constantFrom('and', 'or', 'xor'), fc.integer())
      .map(([name, operand]): JsonObject => new Map([[name, operand]])),
  ),
)

/** Updates as they are written. */
export const modifiers: fc.Arbitrary<JsonObject> = fc
  .uniqueArray(fc.tuple(modifier, path), {
    minLength: 1,
    maxLength: 3,
    selector: ([[name]]) => name,
  })
  .map(
    (parts) =>
      new Map(
        parts.map(([[name, operand], at]): [string, JsonValue] => [name, new Map([[at.join('.'), operand]])]),
      ),
  )
