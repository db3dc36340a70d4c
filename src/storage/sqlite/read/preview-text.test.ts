import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { key, path, scalar } from '../../../../test/arbitraries.ts'
import { randomCases } from '../../../../test/random-cases.ts'
import { storedDocument } from '../../../json/stored.ts'
import { stringify } from '../../../json/stringify.ts'
import type { JsonObject, JsonValue } from '../../../json/value.ts'
import type { Projection } from '../../../query/ast.ts'
import { previewOf } from '../../../query/preview.ts'
import { project } from '../../../query/projection.ts'
import { preparePreview } from './preview-text.ts'

function defined(text: string, projection?: Projection): string {
  const document = storedDocument(text)
  const shown = projection === undefined ? document : project(document, projection)
  return stringify(previewOf(shown, { id: document.get('_id')!, bytes: Buffer.byteLength(text) }))
}

describe('the preview of a text', () => {
  const piece = fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '\u{1f600}', '}', '{"a":1,', '"]')
  const longText = fc
    .tuple(
      piece,
      fc.constantFrom(0, 1, 18, 19, 20, 21, 98, 99, 100, 101, 700),
      fc.array(piece, { maxLength: 3 }),
    )
    .map(([one, times, more]) => one.repeat(times) + more.join(''))
  const anyKey = fc.oneof({ weight: 3, arbitrary: key }, { weight: 1, arbitrary: longText })
  const leaf = fc.oneof({ weight: 2, arbitrary: scalar }, { weight: 1, arbitrary: longText })
  const objectOf = (value: fc.Arbitrary<JsonValue>, maxLength: number): fc.Arbitrary<JsonObject> =>
    fc
      .uniqueArray(fc.tuple(anyKey, value), { maxLength, selector: ([name]) => name })
      .map((members) => new Map(members))
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 3, arbitrary: leaf },
      { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 5 }) },
      { weight: 1, arbitrary: objectOf(tie('value'), 5) },
    ),
  })).value
  const document = fc
    .record({
      id: fc.oneof(fc.string({ minLength: 1 }), fc.constant({ source: '1.0' })),
      place: fc.nat(3),
      fields: objectOf(value, 12),
    })
    .map(({ id, place, fields }): JsonObject => {
      const members: [string, JsonValue][] = [...fields]
      members.splice(place, 0, ['_id', id])
      return new Map(members)
    })

  const projection: fc.Arbitrary<Projection> = fc.record({
    mode: fc.constantFrom('include', 'exclude'),
    paths: fc.uniqueArray(path, { minLength: 1, maxLength: 4, selector: ([field]) => field }),
    includesId: fc.boolean(),
  })

  it('is that of the document, or of what a projection leaves of it', () => {
    fc.assert(
      fc.property(document, fc.option(projection, { nil: undefined }), (given, chosen) => {
        const text = stringify(given)
        assert.equal(preparePreview(chosen)(text), defined(text, chosen))
      }),
      randomCases(1 / 2),
    )
  })

  it('is that of the document where it is larger than a row', () => {
    for (const fields of [100, 1000, 10_000]) {
      const members = Array.from(
        { length: fields },
        (_, n) => `"field ${n}":{"n":[${n},"${'x'.repeat(n % 30)}"]}`,
      )
      const text = `{"_id":7,${members.join(',')}}`
      const row = preparePreview(undefined)(text)
      assert.equal(row, defined(text))
      assert.ok(row.length < (text.length > 64 * 1024 ? 2500 : 8300), `${row.length} units`)
    }
  })

  it('of a damaged one ends with an error', () => {
    for (const text of ['{"_id":1,"a":"b', '{"_id":1,"a":[1', '{"_id":1', '{"_id":1,"a":{"b":[['])
      assert.throws(() => preparePreview(undefined)(text), /damaged/)
  })
})
