import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readFile, readInPieces } from '../../test/read-import.ts'
import type { ImportOptions } from './import-options.ts'

const csv = (file: string | Buffer, more: Partial<ImportOptions> = {}) =>
  readInPieces(file, { format: 'csv', ...more })

describe('a file of CSV', () => {
  it('has lines that end in any way, also in one file, and cells with line ends in quotes', async () => {
    const { records } = await csv('a,b\r\n1,x\n2,"y\r\nz"\r3,"\n\n"\n\n\r\n4,"w"\r\n5,v')
    assert.deepEqual(records, [
      '2 {"a":1,"b":"x"}',
      '3 {"a":2,"b":"y\\r\\nz"}',
      '5 {"a":3,"b":"\\n\\n"}',
      '10 {"a":4,"b":"w"}',
      '11 {"a":5,"b":"v"}',
    ])
  })

  it('has cells between which stands what its header has most of, where that is not said', async () => {
    const cases: [file: string, records: string[]][] = [
      ['a;b\n1,5;2', ['2 {"a":"1,5","b":2}']],
      ['a\tb, c\td\r\n1\t2\t3', ['2 {"a":1,"b, c":2,"d":3}']],
      ['\n\r\n"a,\n,";b\n1;2\n', ['5 {"a,\\n,":1,"b":2}']],
      ['"a,",b;c\n1,2', ['2 {"a,":1,"b;c":2}']],
      ['a;b', []],
      ['a\n1', ['2 {"a":1}']],
    ]
    for (const [file, records] of cases) assert.deepEqual((await csv(file)).records, records, file)
    assert.deepEqual((await csv('a;b\n1;2', { delimiter: ',' })).records, ['2 {"a;b":"1;2"}'])
  })

  it('has numbers with their digits, texts, and no empty cells', async () => {
    const cells = [
      '1',
      '-1.50',
      '007',
      '+1',
      '1e999',
      '1e3',
      '.5',
      '1.',
      '-0',
      ' 1',
      'NaN',
      '0x10',
      'true',
      'True',
      '""',
      '=1+1',
    ]
    const { records } = await csv(`_id,v\n${cells.map((cell, index) => `k${index},${cell}`).join('\n')}\n`)
    assert.deepEqual(
      records.map((record) => JSON.stringify(record.match(/"v":(.*)\}/)?.[1])),
      [
        '1',
        '-1.50',
        '"007"',
        '"+1"',
        '"1e999"',
        '1e3',
        '".5"',
        '"1."',
        '-0',
        '" 1"',
        '"NaN"',
        '"0x10"',
        'true',
        '"True"',
        undefined,
        '"=1+1"',
      ].map((value) => JSON.stringify(value)),
    )
  })

  it('has what the types of its columns say, and a fault where a cell is none of that', async () => {
    const types = new Map([
      ['t', 'text'],
      ['n', 'number'],
      ['b', 'boolean'],
      ['j', 'json'],
    ] as const)
    const rows = [
      '1,2,true,"{""x"": [1.0]}"',
      ',,,',
      'x,y,true,1',
      'x,1,yes,1',
      'x,1,true,{',
      'x,1e999,true,1',
    ]
    const { records, messages } = await csv(`t,n,b,j\n${rows.join('\n')}`, { types })
    assert.deepEqual(records, [
      '2 {"t":"1","n":2,"b":true,"j":{"x":[1.0]}}',
      '3 {"t":""}',
      '4 invalid_csv',
      '5 invalid_csv',
      '6 invalid_json',
      '7 invalid_csv',
    ])
    assert.match(messages[0]!, /the column "n" should hold a number as JSON writes it, and has "y"/)
    assert.match((await csv('a\n1', { types })).fatal!, /^invalid_parameter: types names the column "t"/)
  })

  it('has a fault on each row that is uneven, or has a quote or a NUL where none should be', async () => {
    const { records } = await csv('a,b\n1\n1,2,3\n1,5" pipe\n1,x"y"z"\n1,"q"\n1,\u0000\n1,\\u0000\n,\n')
    assert.deepEqual(records, [
      '2 invalid_csv',
      '3 invalid_csv',
      '4 invalid_csv',
      '5 invalid_csv',
      '6 {"a":1,"b":"q"}',
      '7 null_character',
      '8 {"a":1,"b":"\\\\u0000"}',
      '9 {}',
    ])
  })

  it('with a quote that is not closed, or closed too early, ends on the line where that begins', async () => {
    const open = await csv('a,b\n1,"x\ny"\n2,"open\n3,z\n4,')
    assert.deepEqual(open.records, ['2 {"a":1,"b":"x\\ny"}'])
    assert.match(open.fatal!, /^invalid_csv: line 4: .*no quote closes it/)
    assert.match((await csv('a,b\r\n"x\r\n\r\ny","open\r\n3,z')).fatal!, /^invalid_csv: line 4: /)
    assert.match((await csv('a,b\n1,2\n1,"x"y\n3,4')).fatal!, /^invalid_csv: line 3: .*goes on behind/)
  })

  it('may have a cell far too long, which is a fault, and rows behind it', async () => {
    const { records } = await readFile(`a,b\n1,${'x'.repeat(10_000)}\n2,y\n`, { format: 'csv' }, 65_536)
    assert.deepEqual(records, ['2 document_too_large', '3 {"a":2,"b":"y"}'])
    const { fatal } = await readFile(`a,b\n1,2\n3,"${'x'.repeat(17_000)}`, { format: 'csv' }, 65_536)
    assert.match(fatal!, /^invalid_csv: line 3: the row of this line does not end/)
  })

  it('with a header that names no fields is refused', async () => {
    const cases: [header: string, fatal: RegExp][] = [
      ['a,b,a', /^invalid_csv: line 1: two columns of the header are called "a"/],
      ['a,,b', /^invalid_csv: line 1: column 2 has no name/],
      ['a,"$b"', /^invalid_field_name: line 1: /],
      ['a,"b\u0000"', /^null_character: line 1: /],
      ['"a', /^invalid_csv: line 1: .*no quote closes it/],
      ['a"b', /^invalid_csv: line 1: a quote/],
      ['\n\n', /^invalid_csv: the file has no header/],
      [`a,${'x'.repeat(1025)}`, /^invalid_csv: line 1: the name of column 2 is longer/],
    ]
    for (const [header, fatal] of cases) assert.match((await csv(`${header}\n`)).fatal ?? '', fatal, header)
    const wide = ','.repeat(10_000)
    assert.match((await readFile(wide, { format: 'csv' })).fatal!, /at most 10000 columns/)
  })

  it('may have any other name in its header', async () => {
    const names = ['__proto__', 'constructor', 'a.b', 'é "quoted"', "it's", '10', '2', ' ']
    const header = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(';')
    const { records } = await csv(`${header}\n1;2;3;4;5;6;7;8`, { delimiter: ';' })
    assert.deepEqual(records, [
      '2 {"__proto__":1,"constructor":2,"a.b":3,"é \\"quoted\\"":4,"it\'s":5,"10":6,"2":7," ":8}',
    ])
    assert.deepEqual((await csv('a\tb\n1\tx,y', { delimiter: '\t' })).records, ['2 {"a":1,"b":"x,y"}'])
  })

  it('that is not UTF-8 is refused with the line', async () => {
    const latin1 = Buffer.from('a,b\r\n1,x\r2,caf\xe9\n3,y\n', 'latin1')
    for (const length of [1, 100])
      assert.match(
        (await readFile(latin1, { format: 'csv' }, length)).fatal!,
        /^invalid_unicode: line 3: the file is not UTF-8/,
      )
    const cut = Buffer.from('a\né').subarray(0, -1)
    assert.match((await csv(cut)).fatal!, /^invalid_unicode: line 2: /)
    assert.deepEqual((await csv('a\né€😀\n')).records, ['2 {"a":"é€😀"}'])
  })

  it('has ids as documents have', async () => {
    const { records } = await csv('_id,a\n1,x\n1.0,y\nk,z\n,w\ntrue,v\n')
    assert.deepEqual(records, [
      '2 {"_id":1,"a":"x"}',
      '3 {"_id":1.0,"a":"y"}',
      '4 {"_id":"k","a":"z"}',
      '5 {"a":"w"}',
      '6 invalid_id',
    ])
  })
})
