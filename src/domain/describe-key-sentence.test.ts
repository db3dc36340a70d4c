import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../test/random-cases.ts'
import { describeKeySentence } from './describe-key-sentence.ts'
import { type KeyRules, PERMISSIONS, UNLIMITED } from './key-rules.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const EXPIRY = Date.UTC(2027, 0, 31)

const sentence = (rules: Partial<KeyRules>): string => describeKeySentence({ ...UNLIMITED, ...rules })

/** Each rule with a value that limits, and what has to stand of it in the sentence. */
const LIMITS: Readonly<Record<keyof KeyRules, readonly [rules: Partial<KeyRules>, words: string]>> = {
  permission: [{ permission: ['read', 'delete'] }, 'May read and delete documents'],
  apps: [{ apps: ['shop', 'blog'] }, 'of the apps shop and blog'],
  collections: [{ collections: ['orders'] }, 'in the collection orders'],
  addresses: [
    { addresses: ['192.0.2.0/24', '2001:db8::/32'] },
    'the addresses 192.0.2.0/24 and 2001:db8::/32',
  ],
  websites: [{ websites: ['https://*.example.com'] }, 'only on pages of the website https://*.example.com'],
  localhost: [{ websites: ['example.com'], localhost: false }, 'not of localhost'],
  rate: [{ rate: { requests: 100, perMs: 60_000 } }, 'at most 100 times a minute'],
  expiresAt: [{ expiresAt: EXPIRY }, 'until 2027-01-31T00:00:00.000Z'],
  tokenLifetimeMs: [{ tokenLifetimeMs: DAY_MS }, 'its tokens live for 1 day.'],
}

const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9.:/*-]{1,20}$/), { minLength: 1, maxLength: 12 })
const list = fc.oneof(fc.constant('all' as const), names)
const anyRules = fc.record<KeyRules>({
  permission: fc.subarray([...PERMISSIONS], { minLength: 1 }),
  apps: list,
  collections: list,
  addresses: list,
  websites: list,
  localhost: fc.boolean(),
  rate: fc.option(
    fc.record({ requests: fc.integer({ min: 1, max: 1_000_000 }), perMs: fc.constantFrom(1000, 60_000) }),
  ),
  expiresAt: fc.option(fc.integer({ min: 0, max: EXPIRY })),
  tokenLifetimeMs: fc.integer({ min: 1, max: 1000 }).map((days) => days * DAY_MS),
})

describe('the sentence of a key', () => {
  it('quotes names that could pass for its own words, and shows what would turn its text around', () => {
    const words = sentence({ collections: ['a of every app', 'x","y', '\u202eevil', 'café'] })
    assert.match(
      words,
      /collections "a of every app", "x\\",\\"y", "\\u202eevil" and "café" of every app of its owner/,
    )
  })

  it('says of a key without limits that there are none', () => {
    assert.equal(
      sentence({}),
      'May read, create, update and delete documents in every collection of every app of its owner from any address, ' +
        'on any website or none, as often as it likes, without an end; its tokens live for 10 days.',
    )
  })

  for (const [rule, [rules, words]] of Object.entries(LIMITS))
    it(`says what ${rule} limits, alone and beside all others`, () => {
      assert.ok(sentence(rules).includes(words), sentence(rules))
      const all = Object.assign({}, ...Object.values(LIMITS).map(([each]) => each), rules) as KeyRules
      assert.ok(sentence(all).includes(words), sentence(all))
    })

  it('says that pages on localhost pass, where websites are limited', () => {
    assert.match(sentence({ websites: ['example.com'] }), /of the website example\.com or of localhost,/)
  })

  it('shortens long lists where that is asked for', () => {
    const rules = { ...UNLIMITED, apps: ['a', 'b', 'c'] }
    assert.match(describeKeySentence(rules, { names: 1 }), /of the apps a and 2 more from/)
    assert.match(describeKeySentence(rules, { names: 3 }), /of the apps a, b and c from/)
  })

  it('contains every value of every rule, and is one sentence', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const words = describeKeySentence(rules)
        const { permission, rate, expiresAt, tokenLifetimeMs, localhost: _, ...lists } = rules
        const values = [
          ...permission,
          ...Object.values(lists).flatMap((each) => (each === 'all' ? [] : each)),
          ...(rate === null ? [] : [`${rate.requests} time`]),
          ...(expiresAt === null ? [] : [new Date(expiresAt).toISOString()]),
          `${tokenLifetimeMs / DAY_MS} day`,
        ]
        for (const value of values) assert.ok(words.includes(value), `${value} in ${words}`)
        assert.match(words, /^[A-Z].*\.$/)
      }),
      randomCases(0.2),
    )
  })
})
