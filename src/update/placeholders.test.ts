import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countingPlaceholders, json, NOW } from '../../test/applied.ts'
import { stringify } from '../json/stringify.ts'
import { fillPlaceholders, mayHoldPlaceholder } from './placeholders.ts'

function filled(text: string, serviceNames?: readonly string[]): string {
  return stringify(fillPlaceholders(json(text), countingPlaceholders(serviceNames)))
}

describe('fillPlaceholders', () => {
  it('leaves everything that is not a placeholder as a whole', () => {
    for (const text of [
      '"Service.ServerValue.TIMESTAMP "',
      '"Service.ServerValue."',
      '".ServerValue.UTC"',
      '"service.ServerValue.UTC"',
      '"Service.ServerValue.utc"',
      '"Service.ServerValue.UTC.ServerValue.UTC"',
      '"Other.ServerValue.UTC"',
      '{"Service.ServerValue.UTC":1.10}',
      '[null,true,1,1.10]',
    ])
      assert.equal(filled(text), text)
  })

  it('gives back the very same value where there is none', () => {
    const value = json('{"a":[1.10,{"b":"Service"}]}')
    assert.equal(fillPlaceholders(value, countingPlaceholders()), value)
  })

  it('does not look for any without names', () => {
    assert.equal(filled('"Service.ServerValue.UTC"', []), '"Service.ServerValue.UTC"')
  })

  it('fills in the instant of the request, as an integer and as a date', () => {
    assert.equal(filled('"Service.ServerValue.TIMESTAMP"'), String(NOW))
    assert.equal(filled('"Service.ServerValue.UTC"'), '"2023-11-14T22:13:20.123Z"')
  })

  it('fills in ids of which each is its own, at any depth and in place', () => {
    assert.equal(
      filled(
        '{"z":"Service.ServerValue.UNIQUE","a":[["Service.ServerValue.UNIQUE"],"Service.ServerValue.UUID"]}',
      ),
      '{"z":"unique-1","a":[["unique-2"],"uuid-1"]}',
    )
  })

  it('takes other names of the service', () => {
    const names = ['Service', 'a.ServerValue.b', '__proto__']
    assert.equal(filled('"a.ServerValue.b.ServerValue.TIMESTAMP"', names), String(NOW))
    assert.equal(filled('"__proto__.ServerValue.TIMESTAMP"', names), String(NOW))
    assert.equal(filled('"constructor.ServerValue.TIMESTAMP"', names), '"constructor.ServerValue.TIMESTAMP"')
  })

  it('changes nothing of what it was given', () => {
    const value = json('{"a":["Service.ServerValue.UTC"]}')
    fillPlaceholders(value, countingPlaceholders())
    assert.equal(stringify(value), '{"a":["Service.ServerValue.UTC"]}')
  })
})

describe('mayHoldPlaceholder', () => {
  it('sees a placeholder that escapes hide', () => {
    assert.ok(mayHoldPlaceholder('{"a":"Service\\u002eServerValue.UTC"}', ['Service']))
    assert.ok(mayHoldPlaceholder('{"a":"Service.Server\\u0056alue.UTC"}', ['Service']))
  })

  it('sees a plain one, and spares the walk where there is none', () => {
    assert.ok(mayHoldPlaceholder('{"a":"Service.ServerValue.UTC"}', ['Service']))
    assert.ok(!mayHoldPlaceholder('{"a":"a line\\nand \\"another\\""}', ['Service']))
    assert.ok(!mayHoldPlaceholder('{"a":"Service.ServerValue.UTC"}', []))
  })
})
