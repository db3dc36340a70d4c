import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, encoded } from './answers.ts'
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

type Code = string | readonly string[]

/** Sends each query to everything that takes one, and checks that nothing came of it but a refusal. */
function refuses(queries: readonly (readonly [q: unknown, code: Code])[]): Promise<void> {
  return bystander.holdsDuring(async () => {
    for (const [q, code] of queries)
      for (const [method, rest, body] of [
        ['GET', ''],
        ['GET', '&c=true'],
        ['GET', '&fo=true&s={"a":1}'],
        ['PUT', '', '{"$set":{"a":7}}'],
        ['PUT', '&u=true', '{"a":7}'],
        ['DELETE', ''],
      ] as const) {
        const path = `${TARGET}?q=${encoded(q)}${rest}`
        const answer = await server.client.send(method, path, body === undefined ? {} : { body })
        assertRefused(answer, code, `${method} ${path}`)
      }
  })
}

function get(path: string): Promise<string> {
  return server.client.send('GET', path).then(({ text }) => text)
}

describe('a query', () => {
  it('without quotes, or with others than JSON has, is refused', async () => {
    const unquoted = ['{a:1}', "{'a':1}", '{"a":{$gt:1}}', '{$and:[]}', '{a:{"$gt":1}}', '{"a":x}', '{“a”:1}']
    const broken = [
      '{',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1}}',
      '{"a":1}x',
      'undefined',
      '/a/',
      '{"a":/b/}',
      '%',
    ]
    await refuses([...unquoted, ...broken].map((q) => [q, 'invalid_query']))
    await refuses([...unquoted, ...broken].map((q) => [` ${q} `, 'invalid_query']))
  })

  it('that is no object is refused', async () => {
    await refuses(['[{}]', 'null', 'true', '1', '"x"', '"{}"'].map((q) => [q, 'invalid_query']))
  })

  it('with operators that there are not is refused', async () => {
    const others = [
      '$or',
      '$ne',
      '$nin',
      '$exists',
      '$where',
      '$nor',
      '$elemMatch',
      '$size',
      '$type',
      '$all',
      '$mod',
    ]
    const misspelt = ['$gtt', '$GT', '$', '$$gt', '$gt ', '$regexp', '$options', '$__proto__', '$constructor']
    await refuses([...others, ...misspelt].map((name) => [{ a: { [name]: 1 } }, 'unknown_operator']))
    await refuses([...others, ...misspelt].map((name) => [{ [name]: [{ a: 1 }] }, 'unknown_operator']))
    await refuses([
      [{ a: { $not: { $nope: 1 } } }, 'unknown_operator'],
      [{ $and: [{ a: { $nope: 1 } }] }, 'unknown_operator'],
    ])
  })

  it('with an operator that is near to the one meant is answered with that one', async () => {
    const { text } = await server.client.send('GET', `${TARGET}?q={"a":{"$gtt":1}}`)
    assert.match(text, /did you mean \$gt\?/)
  })

  it('with operators and fields mixed in one object is refused', async () => {
    await refuses([
      [{ a: { $gt: 1, b: 2 } }, 'invalid_query'],
      [{ a: { b: 2, $gt: 1 } }, 'invalid_query'],
      [{ a: { $not: { $gt: 1, b: 2 } } }, 'invalid_query'],
      [{ a: { $in: [{ $gt: 1 }] } }, 'invalid_query'],
    ])
  })

  it('with operands of a wrong kind is refused', async () => {
    await refuses([
      [{ $and: [] }, 'invalid_query'],
      [{ $and: {} }, 'invalid_query'],
      [{ $and: [1] }, 'invalid_query'],
      [{ $and: [[]] }, 'invalid_query'],
      [{ $and: null }, 'invalid_query'],
      [{ a: { $and: [{ b: 1 }] } }, 'invalid_query'],
      [{ $gt: 1 }, 'invalid_query'],
      [{ a: { $in: 1 } }, 'invalid_query'],
      [{ a: { $in: { 0: 1 } } }, 'invalid_query'],
      [{ a: { $regex: 1 } }, 'invalid_pattern'],
      [{ a: { $regex: null } }, 'invalid_pattern'],
      [{ a: { $regex: ['a'] } }, 'invalid_pattern'],
    ])
  })

  it('with what no document may hold is refused as it is there', async () => {
    await refuses([
      ['{"a":1,"a":2}', 'duplicate_key'],
      ['{"a":{"$gt":1,"$gt":2}}', 'duplicate_key'],
      ['{"a":1e999}', 'number_out_of_range'],
      ['{"a":{"$in":[1,-1e999]}}', 'number_out_of_range'],
      ['{"a":"\\ud800"}', 'invalid_unicode'],
      ['{"\\udc00":1}', 'invalid_unicode'],
      ['{"a":"\\u0000"}', 'null_character'],
      ['{"\\u0000":1}', 'null_character'],
      ['{"a":"\u0000"}', 'invalid_query'],
      ['\u0000', 'invalid_query'],
    ])
    await bystander.holdsDuring(async () => {
      for (const q of ['{"a":"%ED%A0%80"}', '{"a":"%FF"}', '{"a":"%C0%80"}', '{"a":"%"}', '{"a":"%zz"}'])
        assertRefused(await server.client.send('DELETE', `${TARGET}?q=${q}`), 'invalid_parameter', q)
    })
  })

  it('of more conditions, values or levels than there may be is refused', async () => {
    const conditions = (count: number) => Array.from({ length: count }, (_, index) => ({ [`f${index}`]: 1 }))
    const nots = (levels: number) => `${'{"$not":'.repeat(levels)}1${'}'.repeat(levels)}`
    const ands = (levels: number) => `${'{"$and":['.repeat(levels)}{}${']}'.repeat(levels)}`
    await refuses([
      [{ $and: conditions(1001) }, 'too_many_conditions'],
      [Object.assign({}, ...conditions(1001)), 'too_many_conditions'],
      [{ $and: [{ $and: conditions(600) }, { $and: conditions(401) }] }, 'too_many_conditions'],
      [{ a: { $in: Array(10_001).fill(1) } }, 'too_many_values'],
      [{ $and: [{ a: { $not: { $in: Array(10_001).fill(0) } } }] }, 'too_many_values'],
      [`{"a":${nots(101)}}`, 'nesting_too_deep'],
      [`{"a":${nots(2000)}}`, 'nesting_too_deep'],
      [ands(51), 'nesting_too_deep'],
      [ands(2000), 'nesting_too_deep'],
      [`{"a":${'['.repeat(15_000)}`, 'nesting_too_deep'],
      [{ ['a.'.repeat(100)]: 1 }, ['invalid_query', 'nesting_too_deep']],
    ])
  })

  it('of as much as there may be is answered', async () => {
    const fields = Array.from({ length: 1000 }, (_, index) => index)
    const path = '/apps/demo/collections/full'
    const wide = `{"_id":1,${fields.map((index) => `"f${index}":${index}`).join(',')}}`
    await server.client.send('POST', path, { body: `[${wide},{"_id":2,"f0":0},{"_id":"x","f0":[0,1]}]` })
    const all = { $and: fields.map((index) => ({ [`f${index}`]: index })) }
    const none = { $and: fields.map((index) => ({ [`f${index}`]: { $not: -1 } })) }
    const nots = `{"f0":${'{"$not":'.repeat(97)}0${'}'.repeat(97)}}`
    await bystander.holdsDuring(async () => {
      assert.equal(await get(`${path}?f={"_id":1}&q=${encoded(all)}`), '[{"_id":1}]')
      assert.equal(await get(`${path}?c=true&q=${encoded(none)}`), '3')
      assert.equal(await get(`${path}?c=true&q=${encoded(nots)}`), '0')
      const values = Array.from({ length: 10_000 }, (_, index) => index % 1000)
      assert.equal(await get(`${path}?c=true&q={"f7":{"$in":${JSON.stringify(values)}}}`), '1')
      assert.equal(await get(`${path}?c=true&q={"_id":{"$in":${JSON.stringify(values)}}}`), '2')
      assert.equal(await get(`${path}?c=true&q={"f0":{"$not":{"$in":${JSON.stringify(values)}}}}`), '0')
    })
  })

  it('of long paths is answered, and leaves nothing of its own in memory', async () => {
    const deep = '/apps/demo/collections/deep-paths'
    await server.client.send('POST', deep, { body: '[{"_id":1,"a":[{"a":1}]},{"_id":2,"b":1}]' })
    const path = (index: number) => `${'a.'.repeat(90)}${index}`
    const before = server.memoryMiB()
    for (let from = 0; from < 1000; from += 100) {
      const paths = Array.from({ length: 100 }, (_, index) => path(from + index))
      const q = encoded(Object.fromEntries(paths.map((one) => [one, null])))
      assert.equal(await get(`${deep}?c=true&q=${q}`), '2')
    }
    const after = server.memoryMiB()
    if (before !== undefined && after !== undefined)
      assert.ok(after - before < 100, `ten queries took ${Math.round(after - before)} MiB that stay taken`)
  })
})

describe('sk and l', () => {
  it('take decimal integers from 0 and nothing else', async () => {
    const wrong = [
      '-1',
      '-0',
      '1.5',
      '1.0',
      '1e3',
      '0x10',
      '0b1',
      '10abc',
      '',
      'NaN',
      'Infinity',
      'null',
      'true',
      '1,0',
    ]
    const odd = ['%2B1', '+1', '1+', '%201', '1_000', '-9223372036854775808', '١', '[]', '{}', '1%00']
    await bystander.holdsDuring(async () => {
      for (const value of [...wrong, ...odd].map((text) => encodeURI(decodeURI(text))))
        for (const name of ['sk', 'l'])
          for (const rest of ['', '&c=true', '&fo=true']) {
            const path = `${TARGET}?${name}=${value}${rest}`
            assertRefused(await server.client.send('GET', path), 'invalid_parameter', path)
          }
      for (const twice of ['sk=1&sk=1', 'l=1&l=2', 'sk=0&sk=', 'l=1&l=1&c=true', '%73k=1&sk=1'])
        assertRefused(await server.client.send('GET', `${TARGET}?${twice}`), 'duplicate_parameter', twice)
    })
  })

  it('may be as large as they like', async () => {
    await bystander.holdsDuring(async () => {
      assert.equal(await get(`${TARGET}?sk=9007199254740991&l=9007199254740991`), '[]')
      assert.equal(await get(`${TARGET}?sk=9007199254740991&l=9007199254740991&s={"a":1}`), '[]')
      assert.equal(await get(`${TARGET}?sk=2&l=9007199254740991`), '[{"_id":3.5,"__proto__":{"a":"x"}}]')
      const beyond = '9'.repeat(30)
      assert.equal(await get(`${TARGET}?sk=${beyond}&l=${beyond}`), '[]')
      assert.equal(await get(`${TARGET}?sk=2&l=${beyond}`), '[{"_id":3.5,"__proto__":{"a":"x"}}]')
      assert.equal(await get(`${TARGET}?l=0`), '[]')
      assert.equal(await get(`${TARGET}?l=0&fo=true`), '{"_id":1,"a":1}')
      assert.equal(await get(`${TARGET}?sk=007&l=007`), '[]')
    })
  })
})
