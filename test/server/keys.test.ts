import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encoded } from './answers.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const C = '/apps/demo/collections/keys'

/** Keys that have meant something to some server, and are only keys here. */
const KEYS = [
  ...[
    '"',
    "'",
    '`',
    '\\',
    '\\"',
    "\\'",
    '""',
    "''",
    '#',
    '@',
    '*',
    '[0]',
    '[#-1]',
    'a[0]',
    '(',
    ')',
    '%',
    '?',
  ],
  ...[':a', '--', ';', "' OR '1'='1", '"); DROP TABLE c1; --', "a'b", 'a"b', 'a\\b', 'a b', 'a\nb', 'a\tb'],
  ...[
    '\u007f',
    '\u2028',
    '\ufeff',
    'é',
    'e\u0301',
    '😀',
    '\uff61',
    '10',
    '2',
    '-1',
    '01',
    '1e3',
    'length',
    '_ID',
  ],
  ...['@ref', 'doc', 'seq', 'null', 'true', 'k'.repeat(1000), 'a$', '-$gt'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'],
]

let server: ServerProcess
before(async () => {
  server = await startServer()
})
after(async () => {
  assert.equal(server.log, '')
  await server.dispose()
})

async function answered(method: string, path: string, body?: string): Promise<string> {
  const { status, text } = await server.client.send(method, path, body === undefined ? {} : { body })
  assert.ok(status === 200 || status === 201, `${method} ${path}: ${status} ${text}`)
  return text
}

/** `JSON.stringify` would lose `__proto__`. */
function object(key: string, value: string): string {
  return `{${JSON.stringify(key)}:${value}}`
}

describe('a key of a document', () => {
  for (const key of KEYS)
    it(`may be ${JSON.stringify(key.slice(0, 40))}`, async () => {
      const k = JSON.stringify(key)
      await answered('DELETE', `${C}?drop=true`)
      await answered('POST', C, `[{"_id":1,${k}:1,"a":{${k}:[{${k}:5}]}},{"_id":2,${k}:3},{"_id":3}]`)
      const ids = (query: string): Promise<string> => answered('GET', `${C}?f={"_id":1}&${query}`)
      assert.equal(await ids(`q=${encoded(object(key, '3'))}`), '[{"_id":2}]')
      assert.equal(await ids(`q=${encoded(object(key, '{"$gt":1}'))}`), '[{"_id":2}]')
      assert.equal(await ids(`q=${encoded(object(key, '{"$in":[1,2]}'))}`), '[{"_id":1}]')
      assert.equal(await ids(`q=${encoded(object(key, 'null'))}`), '[{"_id":3}]')
      assert.equal(await ids(`q=${encoded(object(`a.${key}.${key}`, '5'))}`), '[{"_id":1}]')
      assert.equal(await ids(`q=${encoded(object('a', `{${k}:[{${k}:5}]}`))}`), '[{"_id":1}]')
      assert.equal(await ids(`s=${encoded(object(key, '-1'))}`), '[{"_id":2},{"_id":1},{"_id":3}]')
      assert.equal(
        await ids(`s=${encoded(object(`a.${key}.${key}`, '-1'))}`),
        '[{"_id":1},{"_id":2},{"_id":3}]',
      )
      assert.equal(await answered('GET', `${C}/2?f=${encoded(object(key, '1'))}`), `{"_id":2,${k}:3}`)
      assert.equal(await answered('GET', `${C}/2?f=${encoded(object(key, '0'))}`), '{"_id":2}')
      assert.equal(await answered('PUT', `${C}/2`, `{"$inc":{${k}:1}}`), `{"_id":2,${k}:4}`)
      assert.equal(
        await answered('PUT', `${C}/3`, `{"$set":{${JSON.stringify(`b.${key}`)}:1}}`),
        `{"_id":3,"b":{${k}:1}}`,
      )
      assert.equal(
        await answered('PUT', `${C}/3`, `{"$unset":{${JSON.stringify(`b.${key}`)}:1}}`),
        '{"_id":3,"b":{}}',
      )
      assert.equal(await answered('PUT', `${C}/3`, `{"$rename":{"b":${k}}}`), `{"_id":3,${k}:{}}`)
      assert.equal(await answered('DELETE', `${C}?q=${encoded(object(key, '4'))}`), '{"n":1}')
      assert.equal(({} as Record<string, unknown>).polluted, undefined)
    })

  it('may hold dots, dollars or nothing at all where no path can name it', async () => {
    const text = '{"_id":1,"a.b":1,"":{"":2},"c":{"$set":3,"$gt":4,"d.e":5,"":6,".":7}}'
    await answered('DELETE', `${C}?drop=true`)
    assert.equal(await answered('POST', C, text), text)
    const count = (q: string): Promise<string> => answered('GET', `${C}?c=true&q=${encoded(q)}`)
    assert.equal(await count('{"a.b":1}'), '0')
    assert.equal(await count('{"c.d.e":5}'), '0')
    assert.equal(await count('{"":{"":2}}'), '1')
    assert.equal(await count('{".":2}'), '1')
    assert.equal(await count('{"c.":6}'), '1')
    assert.equal(await count('{"c.$gt":4}'), '1')
    const whole = '{"c":{"$eq":{".":7,"":6,"d.e":5,"$gt":4,"$set":3}}}'
    assert.equal(await count(whole), '1')
    assert.equal(await answered('GET', `${C}?f={"":1}`), '[{"_id":1,"":{"":2}}]')
    assert.equal(await answered('GET', `${C}?f={"c.":1,"c.$gt":1}`), '[{"_id":1,"c":{"$gt":4,"":6}}]')
    assert.equal(await answered('PUT', `${C}/1`, '{"$set":{"a.b":9}}'), `${text.slice(0, -1)},"a":{"b":9}}`)
    assert.equal(await answered('PUT', `${C}/1`, '{"":{"":3},"x.y":1}'), '{"_id":1,"":{"":3},"x.y":1}')
    const refused = await server.client.send('PUT', `${C}/1`, { body: '{"$set":{"":1}}' })
    assert.equal(refused.status, 400)
  })
})
