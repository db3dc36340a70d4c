import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../errors.ts'
import { filledParameter, flagParameter, integerParameter, textParameter } from './parameters.ts'
import { queryParameters } from './request-target.ts'

function hasCode(code: string) {
  return (error: unknown): boolean => error instanceof AppError && error.code === code
}

describe('a parameter', () => {
  it('that stands there twice is refused, whatever its values', () => {
    const parameters = queryParameters('l=1&l=1&c=true&c=true&q={}&q={}')
    assert.throws(() => textParameter(parameters, 'q'), hasCode('duplicate_parameter'))
    assert.throws(() => flagParameter(parameters, 'c', false), hasCode('duplicate_parameter'))
    assert.throws(() => integerParameter(parameters, 'l', 1000), hasCode('duplicate_parameter'))
  })

  it('that is an integer takes decimal digits only', () => {
    const bad = [
      '',
      '1e3',
      '0x10',
      '-1',
      '-9223372036854775808',
      '10abc',
      '1.5',
      '%2B1',
      '+1',
      '١',
      '1_0',
      'NaN',
    ]
    for (const text of bad)
      assert.throws(
        () => integerParameter(queryParameters(`l=${text}`), 'l', 1000),
        hasCode('invalid_parameter'),
        text,
      )
    assert.equal(integerParameter(queryParameters('l=0'), 'l', 1000), 0)
    assert.equal(integerParameter(queryParameters('l=007'), 'l', 1000), 7)
    assert.equal(integerParameter(queryParameters('l=9007199254740991'), 'l', 1000), 9007199254740991)
    for (const text of ['9007199254740992', '99999999999999999999', '1'.repeat(400)])
      assert.equal(integerParameter(queryParameters(`l=${text}`), 'l', 1000), 9007199254740991)
    assert.equal(integerParameter(queryParameters(''), 'l', 1000), 1000)
  })

  it('of a read is as if absent where it is empty, and is refused where it stands there twice', () => {
    for (const query of ['', 'q', 'q=', 'other=1'])
      assert.equal(filledParameter(queryParameters(query), 'q'), undefined)
    assert.equal(filledParameter(queryParameters('q=+'), 'q'), ' ')
    assert.equal(filledParameter(queryParameters('q={}'), 'q'), '{}')
    for (const query of ['q=&q=', 'q=&q={}', 'q={}&q='])
      assert.throws(() => filledParameter(queryParameters(query), 'q'), hasCode('duplicate_parameter'))
  })

  it('that is a flag takes true, false, 1 and 0 only, in any letter case', () => {
    for (const text of ['', 'yes', '2', '01', 'null', 'true+', 'tru', 'on', '%EF%BC%91'])
      assert.throws(
        () => flagParameter(queryParameters(`c=${text}`), 'c', false),
        hasCode('invalid_parameter'),
        text,
      )
    assert.equal(flagParameter(queryParameters('c=true'), 'c', false), true)
    assert.equal(flagParameter(queryParameters('c=1'), 'c', false), true)
    for (const text of ['TRUE', 'True', 'tRuE'])
      assert.equal(flagParameter(queryParameters(`c=${text}`), 'c', false), true)
    for (const text of ['FALSE', 'False', 'fALSe'])
      assert.equal(flagParameter(queryParameters(`c=${text}`), 'c', true), false)
    assert.equal(flagParameter(queryParameters('c=false'), 'c', true), false)
    assert.equal(flagParameter(queryParameters('c=0'), 'c', true), false)
    assert.equal(flagParameter(queryParameters('d=0'), 'c', true), true)
  })
})
