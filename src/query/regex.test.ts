import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { randomCases } from '../../test/random-cases.ts'
import { AppError } from '../errors.ts'
import { compilePattern, type LiteralParts, literalParts, MAX_PATTERN_COST, patternCache } from './regex.ts'

function refusal(pattern: string): AppError {
  try {
    compilePattern(pattern)
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.code, 'invalid_pattern')
    return error
  }
  assert.fail(`${pattern.slice(0, 60)} was accepted`)
}

describe('a pattern that is refused', () => {
  for (const pattern of [
    '[',
    '(',
    ')',
    '*',
    '+a',
    'a**',
    '\\',
    '[z-a]',
    '[[:foo:]]',
    '\\p{Foo}',
    'a{1001}',
    '(?x)a',
  ])
    it(`does not compile: ${pattern}`, () => assert.match(refusal(pattern).message, /RE2's syntax/))

  for (const pattern of ['a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b'])
    it(`looks around: ${pattern}`, () =>
      assert.match(refusal(pattern).message, /no lookahead and no lookbehind/))

  for (const pattern of ['(a)\\1', '(?P<n>a)\\k<n>', '(?P<n>a)(?P=n)'])
    it(`refers back: ${pattern}`, () => assert.match(refusal(pattern).message, /no backreferences/))

  for (const pattern of ['(?>a)', 'a++', '(*UTF)a', '(?(1)a|b)', '\\Ka', '\\Ga', 'a\\Z', '\\R', '(?#c)a'])
    it(`is only PCRE's: ${pattern}`, () => assert.match(refusal(pattern).message, /RE2's syntax/))

  for (const [name, pattern] of [
    ['repetitions of repetitions', '((a{1000}){1000}){1000}'],
    ['repetitions side by side', 'a{1000}'.repeat(500)],
    ['a long group repeated', `(?:${'[ab]c'.repeat(50)}){1000}`],
    ['60 KB of parentheses', `${'('.repeat(30_000)}${')'.repeat(30_000)}`],
    ['parentheses up to the length bound', `${'('.repeat(2500)}${')'.repeat(2500)}`],
    ['60 KB of open parentheses', '('.repeat(60_000)],
    ['60 KB of open classes', '[[:'.repeat(20_000)],
    ['60 KB of open names', '\\p{'.repeat(20_000)],
    ['classes of Unicode by the thousand', '(?i)\\pL{1000}'],
    ['60 KB of text', 'a'.repeat(60_000)],
  ] as const)
    it(`is too large, which is found at once: ${name}`, () => {
      const start = performance.now()
      const { message } = refusal(pattern)
      assert.ok(performance.now() - start < 500)
      assert.ok(message.length < 300, message)
    })
})

describe('a pattern', () => {
  const holds = (pattern: string, text: string): boolean => compilePattern(pattern).test(text)

  it('matches anywhere unless it is anchored', () => {
    assert.ok(holds('b', 'abc'))
    assert.ok(!holds('^b', 'abc'))
    assert.ok(!holds('b$', 'abc'))
    assert.ok(holds('', ''))
    assert.ok(holds('^', 'a'))
  })

  it('takes ^ and $ as the ends of the text, of lines only with (?m)', () => {
    assert.ok(!holds('^b', 'a\nb'))
    assert.ok(!holds('a$', 'a\nb'))
    assert.ok(!holds('a$', 'a\n'))
    assert.ok(holds('(?m)^b', 'a\nb'))
    assert.ok(holds('(?m)a$', 'a\nb'))
  })

  it('is case-sensitive unless (?i) says otherwise', () => {
    assert.ok(!holds('abc', 'ABC'))
    assert.ok(holds('(?i)abc', 'ABC'))
    assert.ok(holds('(?i)é', 'É'))
    assert.ok(holds('a(?i)bc', 'aBC'))
    assert.ok(!holds('a(?i)bc', 'ABC'))
  })

  it('takes \\d, \\w and \\b as ASCII and \\p as Unicode', () => {
    assert.ok(holds('\\d', '7'))
    assert.ok(!holds('\\d', '\u0663'))
    assert.ok(!holds('\\w', 'é'))
    assert.ok(holds('\\bt', 'ét'))
    assert.ok(holds('^\\p{L}+$', 'éж日'))
    assert.ok(holds('^\\p{Greek}$', 'λ'))
  })

  it('takes a code point as one character', () => {
    assert.ok(holds('^.$', '\u{1f600}'))
    assert.ok(holds('^[\u{1f600}-\u{1f610}]$', '\u{1f605}'))
    assert.ok(!holds('^.$', 'e\u0301'))
  })

  it('needs time linear in the text', () => {
    const start = performance.now()
    assert.ok(!holds('^(a+)+$', `${'a'.repeat(100_000)}!`))
    assert.ok(performance.now() - start < 2000)
  })

  it('keeps no state between texts', () => {
    const { test } = compilePattern('a+b')
    assert.deepEqual([test('xaab'), test('xaab'), test('b'), test('ab')], [true, true, false, true])
  })

  it('costs nothing where it needs no engine, and what it is unrolled to elsewhere', () => {
    assert.equal(compilePattern('^a\\.b').cost, 0)
    // A hundred for any program; a, its repetition, five times a group of four, its repetition.
    assert.equal(compilePattern('a+(bc){5}').cost, 100 + 1 + 1 + 5 * 4 + 1)
    assert.ok(compilePattern('[a-z]{1000}').cost <= MAX_PATTERN_COST)
  })
})

describe('a cache of patterns', () => {
  it('gives a kept pattern back and lets go of the one that was used longest ago', () => {
    const compile = patternCache(2)
    const a = compile('a')
    const b = compile('b')
    assert.equal(compile('a'), a)
    compile('c')
    assert.equal(compile('a'), a)
    assert.notEqual(compile('b'), b)
  })

  it('keeps nothing of a pattern that is refused', () => {
    const compile = patternCache(2)
    assert.throws(() => compile('['), { code: 'invalid_pattern' })
    assert.throws(() => compile('['), { code: 'invalid_pattern' })
  })
})

const CONTAINS = { kind: 'contains', exact: true } as const
const PREFIX = { kind: 'prefix', exact: true } as const

describe('the literal of a pattern', () => {
  const expectations: readonly (readonly [string, LiteralParts | undefined])[] = [
    ['', { ...CONTAINS, literal: '' }],
    ['abc', { ...CONTAINS, literal: 'abc' }],
    ['a b]}-,', { ...CONTAINS, literal: 'a b]}-,' }],
    ['a\\.b', { ...CONTAINS, literal: 'a.b' }],
    ['\\^\\$\\\\\\/\\_', { ...CONTAINS, literal: '^$\\/_' }],
    ['\\Qa.b*\\Ec', { ...CONTAINS, literal: 'a.b*c' }],
    ['a{b', { ...CONTAINS, literal: 'a{b' }],
    ['é\u{1f600}', { ...CONTAINS, literal: 'é\u{1f600}' }],
    ['^', { ...PREFIX, literal: '' }],
    ['^abc', { ...PREFIX, literal: 'abc' }],
    ['^a\\.b', { ...PREFIX, literal: 'a.b' }],
    ['^abc$', { ...PREFIX, literal: 'abc', exact: false }],
    ['^abc.*d', { ...PREFIX, literal: 'abc', exact: false }],
    ['^abc(d|e)', { ...PREFIX, literal: 'abc', exact: false }],
    ['^abc[|]', { ...PREFIX, literal: 'abc', exact: false }],
    ['^ab*', { ...PREFIX, literal: 'a', exact: false }],
    ['^ab?c', { ...PREFIX, literal: 'a', exact: false }],
    ['^ab{0}', { ...PREFIX, literal: 'a', exact: false }],
    ['^ab+', { ...PREFIX, literal: 'ab', exact: false }],
    ['a\u{1f600}*', { ...CONTAINS, literal: 'a', exact: false }],
    ['abc\\d', { ...CONTAINS, literal: 'abc', exact: false }],
    ['abc(?i)d', { ...CONTAINS, literal: 'abc', exact: false }],
    ['abc(?i)?d', { ...CONTAINS, literal: 'ab', exact: false }],
    ['ab+(?i){0,1}', { ...CONTAINS, literal: 'a', exact: false }],
    ['abc(?i)d|e', undefined],
    ['a|b', undefined],
    ['^a|b', undefined],
    ['^ab(c)|d', undefined],
    ['^ab[)]|d', undefined],
    ['^ab[]|]|d', undefined],
    ['^ab[^]|]|d', undefined],
    ['^ab[[:alpha:]()]|d', undefined],
    ['^ab\\Q(\\E|d', undefined],
    ['^ab\\(|d', undefined],
    ['(?i)abc', undefined],
    ['(?m)^abc', undefined],
    ['(abc)', undefined],
    ['a*', undefined],
    ['\\n', undefined],
    ['\\x41', undefined],
    ['.abc', undefined],
  ]
  for (const [pattern, expected] of expectations)
    it(`${JSON.stringify(pattern)} has ${JSON.stringify(expected) ?? 'none'}`, () => {
      assert.deepEqual(literalParts(pattern), expected)
      assert.ok(RE2JS.compile(pattern))
    })

  it('stands in every text that matches, and is all there is to it where it is exact', () => {
    let matched = 0
    const cases = randomCases()
    fc.assert(
      fc.property(patterns(), texts(), (pattern, text) => {
        const engine = compiled(pattern)
        if (engine === undefined) return
        const expected = engine.test(text)
        if (expected) matched++
        const parts = literalParts(pattern)
        const stands =
          parts?.kind === 'prefix' ? text.startsWith(parts.literal) : text.includes(parts?.literal ?? '')
        if (expected) assert.ok(stands, `${pattern} matches ${text}`)
        if (parts?.exact) assert.equal(stands, expected)
        assert.equal(compilePattern(pattern).test(text), expected)
      }),
      cases,
    )
    assert.ok(matched > 0.05 * cases.numRuns, `only ${matched} of ${cases.numRuns} patterns matched`)
  })
})

function compiled(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}

function patterns(): fc.Arbitrary<string> {
  const chunks = [
    'a',
    'b',
    'a',
    '\u{1f600}',
    '^',
    '$',
    '.',
    '*',
    '+',
    '?',
    '|',
    '(',
    '(?:',
    ')',
    '(?i)',
    '(?P<n>',
  ]
  const more = [
    '{2}',
    '{0,1}',
    '{',
    '}',
    '[ab]',
    '[^a]',
    '[]|]',
    '[[:alpha:])]',
    ']',
    '\\.',
    '\\Q',
    '\\E',
    '\\d',
  ]
  const escapes = [
    '\\x61',
    '\\x{62}',
    '\\pL',
    '\\p{Greek}',
    '\\n',
    '\\b',
    '\\A',
    '\\(',
    '[\\](]',
    '\\141',
    '\\\\',
    '(?m)',
  ]
  return fc
    .array(fc.constantFrom(...chunks, ...more, ...escapes), { maxLength: 7 })
    .map((parts) => parts.join(''))
}

function texts(): fc.Arbitrary<string> {
  const chunks = ['a', 'b', 'a', 'A', '\u{1f600}', '(', ')', '|', '.', ']', '{', '}', '\n', 'E', '\\']
  return fc.array(fc.constantFrom(...chunks), { maxLength: 8 }).map((parts) => parts.join(''))
}
