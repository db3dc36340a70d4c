import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../test/random-cases.ts'
import { AppError } from '../errors.ts'
import { ExactParser, parseJson } from './exact.ts'
import { stringify } from './stringify.ts'

const LIMITS = { nestingLevels: 100 }

function codeOf(text: string): string | undefined {
  try {
    parseJson(text, LIMITS)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('the exact parser refuses', () => {
  const refused: readonly (readonly [code: string, ...texts: string[]])[] = [
    [
      'invalid_json',
      '',
      ' ',
      '{',
      '[1,]',
      '{"a":1,}',
      '{a:1}',
      "{'a':1}",
      'nul',
      'truex',
      '01',
      '1.',
      '.5',
      '+1',
      '-',
    ],
    [
      'invalid_json',
      '1e',
      '0x10',
      'NaN',
      'Infinity',
      '"a',
      '"\t"',
      '"\\x"',
      '"\\u12"',
      '[1 2]',
      '{"a" 1}',
      '1 1',
      '\ufeff1',
    ],
    [
      'duplicate_key',
      '{"a":1,"a":1}',
      '{"a":{"b":1,"c":2,"b":3}}',
      '{"\\u0061":1,"a":2}',
      '{"__proto__":1,"__proto__":2}',
    ],
    ['number_out_of_range', '1e999', '-1e309', `1${'0'.repeat(400)}`, '[1.8e308]'],
    ['invalid_unicode', '"\\ud800"', '"\\udc00\\ud800"', '{"\\ud83d":1}', '"\\ud83d\\u0041"'],
    ['null_character', '"\\u0000"', '{"a\\u0000":1}'],
    ['nesting_too_deep', `${'['.repeat(101)}${']'.repeat(101)}`, '{"a":'.repeat(100_000)],
  ]
  for (const [code, ...texts] of refused)
    for (const text of texts)
      it(`${JSON.stringify(text.slice(0, 30))} with ${code}`, () => assert.equal(codeOf(text), code))

  it('a value that no compact form brings under the limit, before it is read to its end', () => {
    const limits = { nestingLevels: 100, maxBytes: 100 }
    assert.throws(() => parseJson(`["${'x'.repeat(200)}",${'1,'.repeat(1e6)}`, limits), {
      code: 'document_too_large',
    })
    assert.deepEqual(parseJson(`[${' '.repeat(1000)}1]`, limits), [1])
    assert.deepEqual(parseJson(`["${'\\u0041'.repeat(90)}"]`, limits), ['A'.repeat(90)])
  })
})

describe('the exact parser keeps', () => {
  const kept = [
    '750727362669608961',
    '1.10',
    '1e0',
    '1E+5',
    '-0',
    '-0.0',
    '1e-400',
    '123456789012345678901234567890.000',
    '{"10":1,"2":2,"a":3,"1":4}',
    '{"__proto__":{"constructor":1},"":{"":0}}',
    '{"a.b":1,"$c":2,"\u00e9":3,"e\u0301":4,"\u2028":5,"\u{1f600}":6}',
    '"\\"\\\\\\b\\f\\n\\r\\t\\u001f"',
  ]
  for (const text of kept) it(text, () => assert.equal(stringify(parseJson(` ${text}\r\n\t`, LIMITS)), text))

  it('every text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5, stringUnit: 'binary' }), (text) => {
        fc.pre(text.isWellFormed() && !text.includes('\\u0000') && !text.includes('\\ud'))
        assert.equal(stringify(parseJson(text, LIMITS)), text)
      }),
      randomCases(),
    )
  })

  it('the value of every text that JSON.parse takes, and refuses every other', () => {
    const chunk = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '"a"',
        '"b":',
        '1',
        '-',
        '0',
        '.',
        'e',
        '1.50',
        'true',
        'null',
        ' ',
        '\n',
      ],
      ...['\\u00e9', '\\n', '\\/', 'x', '\u00e9', '\u{1f600}'],
    )
    const near = fc.oneof(
      fc.array(chunk, { maxLength: 12 }).map((chunks) => chunks.join('')),
      fc.tuple(fc.json({ maxDepth: 3 }), fc.nat(), chunk).map(([text, at, extra]) => {
        const position = at % (text.length + 1)
        return text.slice(0, position) + extra + text.slice(position)
      }),
    )
    fc.assert(
      fc.property(near, (text) => {
        const code = codeOf(text)
        if (!isJson(text)) return assert.notEqual(code, undefined, text)
        if (code === undefined)
          return assert.deepEqual(JSON.parse(stringify(parseJson(text, LIMITS))), JSON.parse(text))
        assert.ok(
          ['duplicate_key', 'number_out_of_range', 'invalid_unicode', 'null_character'].includes(code),
          text,
        )
      }),
      randomCases(),
    )
  })

  it('what stood in compact form as it was written', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n'), (text, space) => {
        const parser = new ExactParser(`${space}${text}${space}`, LIMITS)
        const mark = parser.mark()
        const value = parser.value()
        if (parser.compact) assert.equal(parser.since(mark), stringify(value))
      }),
      randomCases(),
    )
  })
})
