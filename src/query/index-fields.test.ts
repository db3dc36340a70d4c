import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../test/random-cases.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { indexName, parseIndexFields } from './index-fields.ts'

const part = fc.string({
  unit: fc.constantFrom('a', 'b', ',', ':', '1', '-', '{', '}', '"', ' ', '\\'),
  maxLength: 4,
})
const fields = fc.uniqueArray(
  fc.record({
    path: fc.array(part, { minLength: 1, maxLength: 2 }).filter((parts) => parts.join('.') !== ''),
    direction: fc.constantFrom<1 | -1>(1, -1),
  }),
  { minLength: 1, maxLength: 3, selector: ({ path }) => path.join('.') },
)

const nameOf = (text: string): string => indexName(parseIndexFields(text, DEFAULT_LIMITS))

describe('the name of an index', () => {
  it('is its fields as they are given, and as JSON where they could be taken for others', () => {
    assert.equal(nameOf('a,b'), 'a,b')
    assert.equal(nameOf('{"city":1,"age":-1}'), 'city,age:-1')
    assert.equal(nameOf('{"a,b":1}'), '{"a,b":1}')
    assert.equal(nameOf('{"x:-1":1,"y":-1}'), '{"x:-1":1,"y":-1}')
    assert.equal(nameOf('{" a":1}'), '{" a":1}')
  })

  it('is read as the same fields again, so that no two indexes have one name', () => {
    fc.assert(
      fc.property(fields, (list) => {
        const read = parseIndexFields(indexName(list), DEFAULT_LIMITS)
        assert.deepEqual(
          read,
          list.map((field) => ({ ...field })),
        )
      }),
      randomCases(),
    )
  })
})
