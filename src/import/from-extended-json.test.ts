import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromExtendedJson as fromExport } from '../../examples/moving/from-extended-json.ts'
import { parseJson } from '../json/exact.ts'
import { stringify } from '../json/stringify.ts'
import type { JsonObject } from '../json/value.ts'
import { fromExtendedJson } from './from-extended-json.ts'

const ID = '5f2b5c8e1c4f4b0017d3e6a1'
const parsed = (text: string): JsonObject => parseJson(text, { nestingLevels: 100 }) as JsonObject
const converted = (text: string): string => stringify(fromExtendedJson(parsed(text)))

describe('a document of extended JSON', () => {
  it('is refused where a number is none of JSON, or a wrapper stands oddly', () => {
    for (const [value, code] of [
      ['{"$numberDouble":"NaN"}', 'invalid_document'],
      ['{"$numberDouble":"Infinity"}', 'invalid_document'],
      ['{"$numberDecimal":"-Infinity"}', 'invalid_document'],
      ['{"$numberDecimal":"1E+6000"}', 'number_out_of_range'],
      ['{"$numberLong":"0x10"}', 'invalid_document'],
      ['{"$numberLong":"007"}', 'invalid_document'],
      ['{"$numberLong":"1","x":1}', 'invalid_document'],
      ['{"$numberInt":null}', 'invalid_document'],
      ['{"$oid":5}', 'invalid_document'],
      ['{"$oid":"5f2b"}', 'invalid_document'],
      [`{"$oid":"${ID}","x":1}`, 'invalid_document'],
      [`{"x":1,"$oid":"${ID}"}`, 'invalid_document'],
      [`[[{"$oid":["${ID}"]}]]`, 'invalid_document'],
    ])
      assert.throws(() => converted(`{"a":${value}}`), { code }, value)
  })

  it('has texts for ObjectIds, and numbers with the digits as written', () => {
    for (const [value, expected] of [
      [`{"$oid":"${ID}"}`, `"${ID}"`],
      [`[{"a":{"$oid":"${ID}"}},1.10]`, `[{"a":"${ID}"},1.10]`],
      ['{"$numberInt":"7"}', '7'],
      ['{"$numberLong":"9223372036854775807"}', '9223372036854775807'],
      ['{"$numberLong":12}', '12'],
      ['{"$numberDouble":"1.0"}', '1.0'],
      ['{"$numberDouble":"-0.0"}', '-0.0'],
      ['{"$numberDecimal":"1.500000000000000000000000000000000"}', '1.500000000000000000000000000000000'],
      ['{"$numberDecimal":"1E+3"}', '1E+3'],
    ])
      assert.equal(converted(`{"_id":1,"a":${value}}`), `{"_id":1,"a":${expected}}`)
    assert.equal(converted(`{"_id":{"$oid":"${ID}"}}`), `{"_id":"${ID}"}`)
    assert.equal(converted('{"_id":{"$uuid":"u"},"b":{"$uuid":"u"}}'), '{"_id":"u","b":{"$uuid":"u"}}')
  })

  it('keeps all else, and is the same where there is nothing else', () => {
    const text =
      '{"_id":"x","d":{"$date":"2020-01-01T00:00:00Z"},"e":{"$date":{"$numberLong":"1577836800000"}},' +
      '"b":{"$binary":{"base64":"","subType":"00"}},"t":{"$timestamp":{"t":1,"i":2}},"m":{"$minKey":1},' +
      '"r":{"$regularExpression":{"pattern":"a","options":""}},"o":{"oid":"5"},"10":1,"2":[]}'
    const document = parsed(text)
    assert.equal(fromExtendedJson(document), document)
    assert.equal(stringify(document), text)
  })

  it('is what the script for moving here makes of it, but for dates and references', () => {
    for (const text of [
      `{"_id":{"$oid":"${ID}"},"n":{"$numberLong":"5"},"m":[{"$numberDouble":"1.50"},{"$numberInt":"1"}]}`,
      '{"_id":{"$uuid":"u"},"b":{"$binary":{"base64":"","subType":"00"}},"d":{"$date":"2020-01-01T00:00:00.000Z"}}',
    ])
      assert.equal(converted(text), stringify(fromExport(parsed(text), 'object')))
  })
})
