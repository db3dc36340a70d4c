import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storedDocument } from '../json/stored.ts'
import { stringify } from '../json/stringify.ts'
import { previewOf } from './preview.ts'

function preview(text: string): string {
  const document = storedDocument(text)
  return stringify(previewOf(document, { id: document.get('_id')!, bytes: Buffer.byteLength(text) }))
}

const x = (length: number): string => 'x'.repeat(length)

describe('the preview of a document', () => {
  const expectations: readonly (readonly [document: string, fields: string])[] = [
    ['{"_id":1}', '{}'],
    // Numbers keep every digit, and keys their order.
    ['{"b":1.10,"_id":1,"a":750727362669608961}', '{"b":1.10,"a":750727362669608961}'],
    ['{"_id":1,"a":null,"__proto__":true,"":false}', '{"a":null,"__proto__":true,"":false}'],
    [`{"_id":1,"a":"${x(100)}"}`, `{"a":"${x(100)}"}`],
    [`{"_id":1,"a":"${x(101)}"}`, `{"a":{"text":"${x(100)}","length":101}}`],
    // A code point is never cut in two; the length is in UTF-16 units.
    [`{"_id":1,"a":"${'😀'.repeat(100)}"}`, `{"a":"${'😀'.repeat(100)}"}`],
    [`{"_id":1,"a":"${'😀'.repeat(101)}"}`, `{"a":{"text":"${'😀'.repeat(100)}","length":202}}`],
    ['{"_id":1,"a":{},"b":[]}', '{"a":{"object":0,"first":[]},"b":{"array":0,"first":[]}}'],
    [
      '{"_id":1,"a":{"b":1.0,"c":{"d":1},"e":[1],"f":2}}',
      '{"a":{"object":4,"first":[["b",1.0],["c",{}],["e",[]]]}}',
    ],
    [
      `{"_id":1,"a":["${x(20)}","${x(21)}",null,4]}`,
      `{"a":{"array":4,"first":["${x(20)}",{"text":"${x(20)}","length":21},null]}}`,
    ],
    // What doesn't fit ends the list, also where something shorter comes behind it.
    [`{"_id":1,"a":[1,0.${'2'.repeat(600)},3]}`, '{"a":{"array":3,"first":[1]}}'],
  ]
  for (const [document, fields] of expectations)
    it(`of ${document.slice(0, 60)} shows ${fields.slice(0, 60)}`, () =>
      assert.equal(preview(document), `{"id":1,"bytes":${Buffer.byteLength(document)},"fields":${fields}}`))

  it('has the _id as it is stored', () =>
    assert.equal(preview('{"_id":9007199254740993}'), '{"id":9007199254740993,"bytes":24,"fields":{}}'))

  it('has as many fields as fit 8 KiB, and tells how many more there are', () => {
    // Each takes 82 bytes with its comma, of which 99 fit.
    const members = Array.from({ length: 110 }, (_, n) => `"f${String(n).padStart(3, '0')}":"${x(72)}"`)
    const { fields, left } = JSON.parse(preview(`{"_id":1,${members.join(',')}}`))
    assert.equal(Object.keys(fields).at(-1), 'f098')
    assert.equal(left, 11)
  })

  it('of a document above 64 KiB has as many as fit 2,400 bytes', () => {
    // The first takes 134 bytes with its comma; 27 of the others fit the 2,266 that are left.
    const members = Array.from({ length: 110 }, (_, n) => `"f${String(n).padStart(3, '0')}":"${x(72)}"`)
    const { fields, left } = JSON.parse(preview(`{"_id":1,"long":"${x(65_536)}",${members.join(',')}}`))
    assert.equal(Object.keys(fields).at(-1), 'f026')
    assert.equal(left, 83)
  })
})
