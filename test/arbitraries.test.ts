import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from '../src/json/value.ts'
import { OPERATORS } from '../src/query/operators.ts'
import { MODIFIER_NAMES } from '../src/update/parse.ts'
import { modifiers, query } from './arbitraries.ts'
import { loadCases } from './cases/load.ts'

const SAMPLE = { numRuns: 1000, seed: 1 }

/** Every key of a value, at any depth. */
function keysOf(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (!(value instanceof Map)) return []
  return [...value].flatMap(([key, member]) => [key, ...keysOf(member)])
}

/** Those names that no value has among its keys. */
function without(names: readonly string[], values: readonly JsonValue[]): string[] {
  const used = new Set(values.flatMap(keysOf))
  return names.filter((name) => !used.has(name))
}

describe('what agreement is tried on', () => {
  it('has every operator in its random queries', () => {
    assert.deepEqual(without(OPERATORS, fc.sample(query, SAMPLE)), [])
  })

  it('has every modifier in its random updates', () => {
    assert.deepEqual(without(MODIFIER_NAMES, fc.sample(modifiers, SAMPLE)), [])
  })

  it('has a case for every operator and for every modifier', () => {
    const texts = (room: 'query' | 'update', field: string) =>
      loadCases(room)
        // Those shared beside the project are not always there.
        .filter(({ file, fields }) => !file.startsWith('..') && fields.get('error') !== true)
        .map(({ fields }) => fields.get(field) ?? null)
    assert.deepEqual(without(OPERATORS, texts('query', 'q')), [], 'test/cases/query')
    assert.deepEqual(without(MODIFIER_NAMES, texts('update', 'body')), [], 'test/cases/update')
  })
})
