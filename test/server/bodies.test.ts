import { after, before, describe, it } from 'node:test'
import { assertRefused } from './answers.ts'
import { Bystander, TARGET } from './bystander.ts'
import { type ServerProcess, startServer } from './start-server.ts'

let server: ServerProcess
let bystander: Bystander
before(async () => {
  server = await startServer()
  bystander = await Bystander.of(server)
})
after(async () => {
  await bystander?.stop()
  await server?.dispose()
})

type Body = string | Buffer
type Bad = readonly [body: Body, code: string | readonly string[]]

/** Where a body can go that says what to save or how to update. */
const SAVES = [['POST', TARGET]] as const
const UPDATES = [
  ['PUT', `${TARGET}/1`],
  ['POST', `${TARGET}/1`],
  ['PUT', `${TARGET}/missing`],
  ['PUT', `${TARGET}?q={}`],
  ['PUT', `${TARGET}?q={"x":1}&u=true`],
] as const

/** Sends each body to each place, and checks that nothing came of it but a refusal. */
function refuses(
  bodies: readonly Bad[],
  places: readonly (readonly [string, string])[] = [...SAVES, ...UPDATES],
): Promise<void> {
  return bystander.holdsDuring(async () => {
    for (const [body, code] of bodies)
      for (const [method, path] of places) {
        const about = `${method} ${path} ${body.slice(0, 80)}`
        assertRefused(await server.client.send(method, path, { body }), code, about)
      }
  })
}

describe('a body', () => {
  it('that is empty, malformed or truncated is refused', async () => {
    const whole = '{"a":[1,{"b":"c\\n"},true],"d":-1.5e3}'
    const truncated = Array.from({ length: whole.length - 1 }, (_, length) => whole.slice(0, length + 1))
    const malformed = [
      '',
      ' ',
      '\n',
      '{',
      '}',
      '[',
      ']',
      '{]',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{,}',
      '{"a":1 "b":2}',
    ]
    const notJson = [
      'a=1&b=2',
      '<a/>',
      '{a:1}',
      "{'a':1}",
      '{"a":undefined}',
      '{"a":NaN}',
      '{"a":Infinity}',
      '{}{}',
    ]
    const numbers = ['01', '+1', '.5', '1.', '1e', '0x10', '1_000', '--1', '-', '1e+'].map(
      (n) => `{"a":${n}}`,
    )
    const texts = ['"\\x41"', '"\\u12"', '"\\u{41}"', '"a\nb"', '"a\tb"', '"', '"\\"'].map(
      (t) => `{"a":${t}}`,
    )
    const comments = ['{"a":1}//', '{/**/"a":1}', '#\n{"a":1}']
    const all = [...truncated, ...malformed, ...notJson, ...numbers, ...texts, ...comments]
    await refuses(all.map((body): Bad => [body, 'invalid_json']))
  })

  it('of another type than its place takes is refused', async () => {
    const scalars = ['1', '"a"', 'null', 'true', '-0', '""']
    await refuses(
      scalars.map((body): Bad => [body, 'invalid_document']),
      SAVES,
    )
    await refuses(
      [...scalars, '[]', '[{}]'].map((body): Bad => [body, 'invalid_update']),
      UPDATES,
    )
    await refuses(
      ['[1]', '[[]]', '[null]', '[{"_id":1},7]'].map((body): Bad => [body, 'invalid_document']),
      SAVES,
    )
  })

  it('with a key twice in one object is refused, however it is written', async () => {
    const bodies = [
      '{"a":1,"a":2}',
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '{"b":{"c":[{"d":1,"d":2}]}}',
      '{"_id":1,"_id":1}',
      '{"__proto__":1,"__proto__":2}',
      '{"":1,"":2}',
      '{"\\ud83d\\ude00":1,"😀":2}',
    ]
    await refuses(bodies.map((body): Bad => [body, 'duplicate_key']))
    await refuses([['{"$set":{"a":1},"$set":{"b":1}}', 'duplicate_key']])
    await refuses([['[{"_id":9},{"a":1,"a":2}]', 'duplicate_key']], SAVES)
  })

  it('with a number that no double can hold is refused', async () => {
    const numbers = ['1e999', '-1e999', '1e309', `1${'0'.repeat(400)}`, '1.8e308', `${'9'.repeat(310)}.5`]
    await refuses(numbers.map((n): Bad => [`{"a":[${n}]}`, 'number_out_of_range']))
    await refuses([
      ['{"$set":{"a":1e999}}', 'number_out_of_range'],
      ['{"_id":1e999}', 'number_out_of_range'],
    ])
  })

  it('with a lone surrogate is refused, escaped or in bytes', async () => {
    const escaped = ['\\ud800', '\\udfff', 'a\\udc00\\ud800', '\\ud83d', '\\ud83d\\u0041', '\\uD83DX']
    await refuses(
      escaped.flatMap((text): Bad[] => [
        [`{"a":"${text}"}`, 'invalid_unicode'],
        [`{"${text}":1}`, 'invalid_unicode'],
        [`{"_id":"${text}"}`, 'invalid_unicode'],
        [`{"$set":{"a":["${text}"]}}`, 'invalid_unicode'],
      ]),
    )
    const bytes = [
      [0xed, 0xa0, 0x80],
      [0xed, 0xbf, 0xbf],
      [0xff],
      [0xc0, 0x80],
      [0xc3],
      [0xf5, 0x80, 0x80, 0x80],
      [0x80],
    ]
    await refuses(
      bytes.map((raw): Bad => [Buffer.from([0x7b, 0x22, ...raw, 0x22, 0x3a, 0x31, 0x7d]), 'invalid_unicode']),
    )
    await refuses([
      [Buffer.from('{"a":1}', 'utf16le'), 'invalid_json'],
      [Buffer.from([0xfe, 0xff, 0, 0x7b]), 'invalid_unicode'],
    ])
  })

  it('with a NUL is refused, escaped or in bytes, in texts, keys and ids', async () => {
    await refuses([
      ['{"a":"\\u0000"}', 'null_character'],
      ['{"a":[{"b":"x\\u0000y"}]}', 'null_character'],
      ['{"\\u0000":1}', 'null_character'],
      ['{"a":{"b\\u0000":1}}', 'null_character'],
      ['{"_id":"\\u0000"}', 'null_character'],
      ['{"$set":{"a":"\\u0000"}}', 'null_character'],
      ['{"$set":{"a.\\u0000":1}}', 'null_character'],
      ['{"a":"\u0000"}', 'invalid_json'],
      ['{"\u0000":1}', 'invalid_json'],
      ['\u0000', 'invalid_json'],
      ['{"a":1}\u0000', 'invalid_json'],
    ])
  })

  it('may begin with one byte order mark, and no more', async () => {
    await refuses([
      ['\ufeff', 'invalid_json'],
      ['\ufeff\ufeff{"a":1}', 'invalid_json'],
      [' \ufeff{"a":1}', 'invalid_json'],
      ['{\ufeff"a":1}', 'invalid_json'],
    ])
    await bystander.holdsDuring(async () => {
      const path = '/apps/demo/collections/marked'
      await server.client.send('POST', path, { body: '\ufeff{"_id":1,"a":"\ufeff"}' })
      await server.client.send('PUT', `${path}/1`, { body: '\ufeff{"$set":{"b":"\\ufeff"}}' })
      const { text } = await server.client.send('GET', path)
      if (text !== '[{"_id":1,"a":"\ufeff","b":"\ufeff"}]') throw new Error(text)
    })
  })

  it('that modifies what may not be modified is refused', async () => {
    const bodies: readonly Bad[] = [
      ['{"$set":{"a":1},"b":1}', 'invalid_update'],
      ['{"b":1,"$set":{"a":1}}', 'invalid_update'],
      ['{"$sett":{"a":1}}', 'unknown_modifier'],
      ['{"$set":{"a.":1}}', ['invalid_update', 'invalid_path']],
      ['{"$set":{"":1}}', ['invalid_update', 'invalid_path']],
      ['{"$set":{"a":1},"$inc":{"a":1}}', 'conflicting_paths'],
      ['{"$set":{"a":1,"a.b":1}}', 'conflicting_paths'],
      ['{"$rename":{"a":"b"},"$set":{"b.c":1}}', 'conflicting_paths'],
      ['{"$set":{"a.$.b":1}}', ['invalid_update', 'invalid_path']],
      ['{"$set":{"a.$[]":1}}', ['invalid_update', 'invalid_path']],
      ['[{"$set":{"a":1}}]', 'invalid_update'],
    ]
    await refuses(bodies, UPDATES)
    await refuses([['{"$set":{"a":1}}', 'invalid_field_name']], SAVES)
  })
})
