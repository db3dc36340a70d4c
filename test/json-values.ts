import fc from 'fast-check'
import { type JsonValue, jsonInteger } from '../src/json/value.ts'

/** Keys few enough that documents and paths meet, among them those that trip naive code. */
export const KEYS = ['a', 'b', '0', '1', '', '__proto__', '$a', 'a.b', '"', '\u{1f600}', '\uff61']

const texts = fc.oneof(
  fc.constantFrom(...KEYS),
  fc.string({ unit: 'grapheme', maxLength: 4 }).filter((text) => !text.includes('\u0000')),
)

const numbers: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<JsonValue>(
    { source: '1.0' },
    { source: '-0' },
    { source: '1e0' },
    { source: '0.10' },
    0.1,
    0.5,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((double) => !Object.is(double, -0)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(jsonInteger),
  // Neighbours that fall together in a double.
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 3n }).map(jsonInteger),
  fc.bigInt({ min: 2n ** 62n - 3n, max: 2n ** 62n + 3n }).map(jsonInteger),
  fc.constantFrom<JsonValue>(2 ** 53, 2 ** 62, 2 ** 63, 1e20, { source: '9007199254740992.0' }),
)

const scalars: fc.Arbitrary<JsonValue> = fc.oneof(
  numbers,
  texts,
  fc.constantFrom<JsonValue>(null, true, false),
)

/** Any JSON value that is neither an object nor an array. */
export function jsonScalars(): fc.Arbitrary<JsonValue> {
  return scalars
}

/** Any JSON value, small, with every form that a number can take. */
export function jsonValues(): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 4, arbitrary: scalars },
      { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
      {
        weight: 2,
        arbitrary: fc
          .array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 3 })
          .map((members) => new Map(members)),
      },
    ),
  })).value
}
