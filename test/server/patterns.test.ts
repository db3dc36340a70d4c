import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, encoded } from './answers.ts'
import { Bystander, TARGET } from './bystander.ts'
import type { Answer } from './client.ts'
import { SeededRandom } from './seeded-random.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const C = '/apps/demo/collections/texts'
const LENGTH = 200_000
/** Patterns that take engines which try every way through a text longer than anybody waits. */
const QUADRATIC = ['(a|a)*z', '(a|aa)+c', '(.*)*x', '(a*)*z', '(?:a?){50}a{50}b', '(x+x+)+y', '(.+)+\\n']
const MORE = [
  '.*.*.*.*.*=',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a|ab|abc|abcd)*z',
  '(?i)(é|ё|😀)+x',
  '[ab]*a[ab]{50}z',
]
/** One whose states are more than any engine keeps, so that it takes seconds for one such text. */
const SLOW = 'a[ab]{400}[^ab]'

let server: ServerProcess
let bystander: Bystander
before(async () => {
  server = await startServer({ env: { SHEAF_LIMIT_QUERY_DEADLINE_MS: '1000' } })
  bystander = await Bystander.of(server)
  const random = new SeededRandom(1)
  const mixed = Array.from({ length: LENGTH }, () => random.pick(['a', 'b'])).join('')
  const texts = ['a'.repeat(LENGTH), 'ab'.repeat(LENGTH / 2), '😀é'.repeat(LENGTH / 8), mixed, mixed, mixed]
  const body = JSON.stringify(texts.map((text, _id) => ({ _id, text, list: [text] })))
  assert.equal((await server.client.send('POST', C, { body })).status, 201)
})
after(async () => {
  await bystander?.stop()
  await server?.dispose()
})

function ask(method: string, pattern: string, rest = '', body?: string): Promise<Answer> {
  const path = `${C}?q=${encoded({ text: { $regex: pattern } })}${rest}`
  return server.client.send(method, path, body === undefined ? {} : { body })
}

describe('a pattern', () => {
  it('that other engines take forever for is answered', async () => {
    await bystander.holdsDuring(async () => {
      for (const pattern of [...QUADRATIC, ...MORE]) {
        assert.equal((await ask('GET', pattern, '&c=true')).text, '0', pattern)
        assert.equal((await ask('DELETE', pattern)).text, '{"n":0}', pattern)
      }
      assert.equal((await ask('GET', '^(a+)+$', '&f={"_id":1}')).text, '[{"_id":0}]')
      const pull = JSON.stringify({ $pull: { list: { $regex: '^(b+)+$' } } })
      assert.equal((await ask('PUT', '(a|b)+', '', pull)).text, '{"n":5,"modified":0}')
    })
  })

  it('that does not compile is refused at once', async () => {
    const broken = [
      '[',
      '(',
      ')',
      '*',
      'a**',
      '+',
      '\\',
      '[z-a]',
      'a{2,1}',
      '(?',
      '(?i',
      '(?z)a',
      '(?P<n',
      '[[:foo:]]',
    ]
    const foreign = [
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(?<!a)',
      '(a)\\1',
      '\\k<n>',
      '(?>a)',
      'a++',
      '\\p{Foo}',
      '(?R)',
      '(*FAIL)',
    ]
    const large = [
      'a{1001}',
      '(a{100}){100}',
      '(?:(?:a{30}){30}){30}',
      '('.repeat(2000),
      `${'('.repeat(2000)}${')'.repeat(2000)}`,
    ]
    await bystander.holdsDuring(async () => {
      for (const pattern of [...broken, ...foreign, ...large, 'x'.repeat(5001)])
        for (const method of ['GET', 'DELETE'])
          assertRefused(await ask(method, pattern), 'invalid_pattern', pattern)
      const many = {
        $and: Array.from({ length: 100 }, (_, index) => ({ text: { $regex: `(a|b${index}){99}c` } })),
      }
      assertRefused(await server.client.send('GET', `${C}?q=${encoded(many)}`), 'invalid_pattern', 'many')
      const pull = JSON.stringify({ $pull: { a: { $regex: '[' } } })
      assertRefused(
        await server.client.send('PUT', `${TARGET}/1`, { body: pull }),
        'invalid_pattern',
        '$pull',
      )
    })
  })

  it('that takes too long is given up, and reads go on meanwhile', async () => {
    await bystander.holdsDuring(async () => {
      const began = performance.now()
      const answer = await ask('GET', SLOW)
      assertRefused(answer, 'deadline_exceeded', SLOW, 503)
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
      assert.ok(performance.now() - began < 15_000)
      assert.equal((await ask('GET', '^a+$', '&c=true')).text, '1')
    })
  })

  it('that takes too long in a write is given up, and nothing of the write was done', async () => {
    await bystander.holdsDuring(async () => {
      assertRefused(
        await ask('DELETE', `^a+$|${SLOW}`),
        ['deadline_exceeded', 'store_unavailable'],
        SLOW,
        503,
      )
      const update = await ask('PUT', `^a+$|${SLOW}`, '', '{"$set":{"b":1}}')
      assertRefused(update, ['deadline_exceeded', 'store_unavailable'], SLOW, 503)
    })
    assert.equal((await server.client.send('GET', `${C}?c=true`)).text, '6')
    assert.equal((await server.client.send('GET', `${C}?c=true&q={"b":1}`)).text, '0')
    assert.equal((await server.client.send('POST', C, { body: '{"_id":"after"}' })).status, 201)
  })
})
