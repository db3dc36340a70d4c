import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KeyRules, storedRules, UNLIMITED } from '../../domain/key-rules.ts'
import { rulesFromText, rulesToText } from './stored-rules.ts'

const LIMITED: KeyRules = {
  permission: ['read', 'delete'],
  apps: ['shop', 'constructor'],
  collections: ['café', '"; DROP'],
  addresses: ['10.0.0.0/8', '2001:db8::/32'],
  websites: ['https://*.example.com:8443'],
  localhost: false,
  rate: { requests: 5, perMs: 1000 },
  expiresAt: 1_800_000_000_000,
  tokenLifetimeMs: 2000,
}

test('a rule that is missing or damaged is named, and never read as no limit; the others are read', () => {
  const damaged: [keyof KeyRules, unknown][] = [
    ['permission', undefined],
    ['permission', []],
    ['permission', ['read', 'write']],
    ['apps', null],
    ['apps', 'shop'],
    ['collections', [1]],
    ['addresses', {}],
    ['websites', undefined],
    ['localhost', 'true'],
    ['rate', { requests: 0, perMs: 1000 }],
    ['rate', { requests: 5 }],
    ['rate', 5],
    ['expiresAt', '2026-01-01'],
    ['expiresAt', 8.65e15],
    ['expiresAt', -1],
    ['tokenLifetimeMs', 0],
    ['tokenLifetimeMs', null],
  ]
  for (const [rule, value] of damaged) {
    const { [rule]: _, ...others } = LIMITED
    assert.deepEqual(
      rulesFromText(JSON.stringify(storedRules({ ...LIMITED, [rule]: value }))),
      { rules: others, damaged: [rule] },
      `${rule} ${JSON.stringify(value)}`,
    )
  }
  for (const text of ['', '{', 'null', '[]', '1', '"all"', '{}', '{"__proto__":{"localhost":true}}'])
    assert.deepEqual(rulesFromText(text), { rules: {}, damaged: Object.keys(LIMITED) }, text)
})

test('rules come back as they were written', () => {
  for (const rules of [UNLIMITED, LIMITED])
    assert.deepEqual(rulesFromText(rulesToText(rules)), { rules, damaged: [] })
})

test('rules that were stored by earlier versions are read, and still written by the same names', () => {
  const text =
    '{"verbs":["read","create","update","delete"],"apps":"all","collections":"all","addresses":"all",' +
    '"websites":"all","localhost":true,"rate":null,"expiresAt":null,"tokenLifetimeMs":864000000}'
  const { rules } = rulesFromText(text)
  assert.deepEqual({ ...UNLIMITED, ...rules }, UNLIMITED)
  assert.equal(Object.keys(rules).length, 9)
  const written = JSON.parse(rulesToText(UNLIMITED))
  assert.deepEqual({ ...written, ...JSON.parse(text) }, written)
})
