import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { checkDocument, isSameId } from '../../dashboard/src/data/document/check-document.ts'
import { textDifferences } from '../../dashboard/src/data/document/line-differences.ts'
import { isConflict, joinLines, mergeLines } from '../../dashboard/src/data/document/merge-lines.ts'
import { prettyPrint } from '../../dashboard/src/data/document/pretty-print.ts'
import { parseJson } from '../../src/json/exact.ts'
import { stringify } from '../../src/json/stringify.ts'
import type { JsonValue } from '../../src/json/value.ts'
import { jsonValues } from '../json-values.ts'
import { randomCases } from '../random-cases.ts'

const LIMITS = { nestingLevels: 1_000 }

/** A document of fields in an order of its own, printed. */
function printed(fields: Readonly<Record<string, JsonValue>>): string {
  return prettyPrint(stringify(new Map(Object.entries(fields))))
}

describe('the printer of documents', () => {
  it('changes no token, and prints as JSON.stringify does', () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        const text = stringify(value)
        assert.equal(stringify(parseJson(prettyPrint(text), LIMITS)), text)
        assert.equal(prettyPrint(prettyPrint(text)), prettyPrint(text))
      }),
      randomCases(),
    )
    const plain = { b: [1, [], {}, [{ c: 'x" {}[],: \\' }]], '': { d: null } }
    assert.equal(prettyPrint(JSON.stringify(plain)), JSON.stringify(plain, null, 2))
    const tokens = String.raw`{"a":1.10,"b":-0,"c":1E+5,"d":"\u0041\/","e":9007199254740993}`
    assert.equal(
      prettyPrint(tokens),
      `{\n  ${tokens
        .slice(1, -1)
        .replaceAll(/,(?=")/g, ',\n  ')
        .replaceAll('":', '": ')}\n}`,
    )
  })

  it('makes no text many times as long, however deep it is', () => {
    const deep = `${'['.repeat(99)}${'1,'.repeat(300_000)}1${']'.repeat(99)}`
    const text = prettyPrint(deep)
    assert.ok(text.length < deep.length * 8)
    assert.equal(text.replaceAll(/\s/g, ''), deep)
  })
})

describe('the check of a document', () => {
  const problemOf = (text: string) => {
    const { problem } = checkDocument(text)
    return problem && [text.slice(problem.from, problem.to), problem.message]
  }

  it('tells the _id as it is written', () => {
    for (const id of ['7', '1.10', '"7"', '9007199254740993', '"\\n"'])
      assert.deepEqual(checkDocument(`{"a":1,"_id":${id}}`), { id })
    assert.deepEqual(checkDocument('{}'), { id: undefined })
    assert.deepEqual(checkDocument(`{"_id":"${'é'.repeat(256)}"}`), { id: `"${'é'.repeat(256)}"` })
  })

  it('says what is wrong where it is', () => {
    const told = [
      ['{"a":1,}', '}', /a key in double quotes/],
      ['{"a":1 "b":2}', '"', /a , or } should stand here/],
      ['{"a":1', '', /the text ends too early/],
      ['{"a":{"b":1,"c":[1],"b":[2]}}', '"', /the key "b" stands twice/],
      ['{"a":1e999}', '}', /too large for a number/],
      ['[1]', '[', /should be a JSON object/],
      ['{"a":{"$x":1},"$set":{}}', '"$set"', /may not start with \$/],
      ['{"b":"_id","_id":true}', '"_id"', /_id should be a text or a number/],
      [`{"_id":"${'é'.repeat(257)}"}`, '"_id"', /at most 512 bytes/],
    ] as const
    for (const [text, place, message] of told) {
      const [at, words] = problemOf(text)!
      assert.equal(at, place, text)
      assert.match(words!, message)
    }
  })

  it('knows which ids are those of one document', () => {
    assert.ok(isSameId('7', '7.0'))
    assert.ok(isSameId('"a"', String.raw`"\u0061"`))
    assert.ok(!isSameId('7', '"7"'))
    assert.ok(!isSameId('9007199254740993', '9007199254740992'))
    assert.ok(!isSameId('7', undefined))
  })
})

describe('the difference of two texts', () => {
  it('makes the one of the other', () => {
    const texts = fc.array(fc.constantFrom('{', '  "a": 1', '  "a": 12,', '', '}'), { maxLength: 8 })
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [a, b] = [one.join('\n'), other.join('\n')]
        const made = textDifferences(a, b).reduceRight(
          (text, { fromA, toA, fromB, toB }) => text.slice(0, fromA) + b.slice(fromB, toB) + text.slice(toA),
          a,
        )
        assert.equal(made, b)
      }),
      randomCases(0.5),
    )
  })

  it('leaves out the lines between those that changed', () => {
    const [a, b] = ['x: 1\ny: 2\nz: 3', 'x: 10\ny: 2\nz: 30']
    assert.deepEqual(
      textDifferences(a, b).map(({ fromA, toA }) => a.slice(fromA, toA)),
      ['1', '3'].map(() => ''),
    )
  })
})

describe('a merge of three versions', () => {
  const merged = (versions: Parameters<typeof mergeLines>[0]) => {
    const parts = mergeLines(versions)
    assert.ok(!parts.some(isConflict), JSON.stringify(parts))
    return joinLines(parts.flat() as string[])
  }

  it('takes what one side alone changed, also on lines that touch, and at the end of an object', () => {
    const base = printed({ _id: 1, a: 1, b: 2, c: 3 })
    const theirs = printed({ _id: 1, a: 10, b: 2, c: 30 })
    const mine = printed({ _id: 1, a: 1, b: 20, c: 3, d: 4 })
    assert.equal(merged({ base, theirs, mine }), printed({ _id: 1, a: 10, b: 20, c: 30, d: 4 }))
    const parts = mergeLines({ base, theirs: printed({ _id: 1, a: 1, b: 20, c: 33 }), mine: theirs })
    assert.deepEqual(parts.filter(isConflict), [
      { base: ['  "c": 3'], theirs: ['  "c": 33'], mine: ['  "c": 30'] },
    ])
    assert.ok(parts.some((part) => !isConflict(part) && part.includes('  "b": 20')))
  })

  it('leaves to choose what both changed in their own ways, and nothing else', () => {
    const base = printed({ _id: 1, a: 1, b: 2 })
    const parts = mergeLines({
      base,
      theirs: printed({ _id: 1, a: 2, b: 2 }),
      mine: printed({ _id: 1, a: 3, b: 2, c: 1 }),
    })
    assert.deepEqual(parts, [
      ['{', '  "_id": 1'],
      { base: ['  "a": 1'], theirs: ['  "a": 2'], mine: ['  "a": 3'] },
      ['  "b": 2'],
      ['  "c": 1'],
      ['}'],
    ])
    const both = mergeLines({
      base,
      theirs: printed({ _id: 1, a: 1, b: 2, c: 3 }),
      mine: printed({ _id: 1, a: 1, b: 2, d: 4 }),
    })
    assert.deepEqual(both.filter(isConflict), [{ base: [], theirs: ['  "c": 3'], mine: ['  "d": 4'] }])
    const deleted = mergeLines({
      base,
      theirs: printed({ _id: 1, b: 2 }),
      mine: printed({ _id: 1, a: 9, b: 2 }),
    })
    assert.deepEqual(deleted.filter(isConflict), [{ base: ['  "a": 1'], theirs: [], mine: ['  "a": 9'] }])
  })

  it('is the side that changed where the other did not, and either where both did the same', () => {
    const documents = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), jsonValues()), { maxLength: 4 })
    fc.assert(
      fc.property(documents, documents, (one, two) => {
        const base = prettyPrint(stringify(new Map(one)))
        const other = prettyPrint(stringify(new Map(two)))
        assert.equal(merged({ base, theirs: base, mine: other }), other)
        assert.equal(merged({ base, theirs: other, mine: base }), other)
        assert.equal(merged({ base, theirs: other, mine: other }), other)
      }),
      randomCases(0.5),
    )
  })

  it('has the changes of both sides wherever they changed other fields', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const values = fc.array(jsonValues(), { minLength: 6, maxLength: 6 })
    const whose = fc.array(fc.constantFrom('theirs', 'mine', 'nobody'), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(values, values, whose, (before, after, changers) => {
        const changedBy = (...sides: string[]) =>
          printed(
            Object.fromEntries(
              names.map((name, i) => [name, sides.includes(changers[i]!) ? after[i]! : before[i]!]),
            ),
          )
        const parts = mergeLines({
          base: changedBy(),
          theirs: changedBy('theirs'),
          mine: changedBy('mine'),
        })
        if (parts.some(isConflict)) return
        assert.equal(joinLines(parts.flat() as string[]), changedBy('theirs', 'mine'))
      }),
      randomCases(0.5),
    )
  })
})
