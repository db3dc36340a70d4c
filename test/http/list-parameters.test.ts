import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FIND } from '../../src/http/request/parameters.ts'
import { startTestServer, type TestServer } from './start-test-server.ts'

const ROWS = '/apps/demo/collections/rows'

type Name = keyof typeof FIND

/** For each parameter of a list a value that changes the answer; `after` is taken from a link. */
const SAMPLES: Readonly<Record<Exclude<Name, 'after'>, string>> = {
  q: '{"g":0}',
  f: '{"g":1}',
  s: '{"g":-1}',
  sk: '1',
  l: '3',
  c: 'true',
  fo: 'true',
}

let server: TestServer
before(async () => {
  server = await startTestServer()
  const rows = Array.from({ length: 7 }, (_, i) => ({ _id: i, g: i % 3, t: 'x' }))
  assert.equal((await server.send('POST', ROWS, { body: JSON.stringify(rows) })).status, 201)
})
after(() => server.close())

async function get(query: string) {
  const { status, text, headers } = await server.send('GET', `${ROWS}?${query}`)
  assert.equal(status, 200, text)
  const next = headers.link && /^<\?([^>]*)>/.exec(String(headers.link))?.[1]
  return { text, next }
}

async function samples(): Promise<[Name, string][]> {
  const cursor = new URLSearchParams((await get('l=2')).next).get('after')!
  const named = Object.entries(SAMPLES) as [Name, string][]
  return [...named, ['after', cursor]]
}

describe('every parameter of a list', () => {
  it('is answered by itself, also where memory has the answer without it', async () => {
    const seen = new Set<string>()
    // Asked a third time, an answer comes from memory.
    for (const query of [
      '',
      ...(await samples()).map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
    ]) {
      const answers = new Set([(await get(query)).text, (await get(query)).text, (await get(query)).text])
      assert.equal(answers.size, 1, query)
      const [text = ''] = answers
      assert.ok(!seen.has(text), `${query} has the answer of another query`)
      seen.add(text)
    }
    assert.equal(seen.size, Object.keys(FIND).length + 1)
  })

  it('is in the link to the next page, where that would be a page of something else without it', async () => {
    for (const [name, value] of await samples()) {
      const query = `${name}=${encodeURIComponent(value)}`
      const whole = JSON.parse((await get(query)).text) as unknown
      const pages: unknown[] = []
      let next: string | undefined = name === 'l' ? query : `${query}&l=2`
      while (next !== undefined) {
        const page = await get(next)
        pages.push(...[JSON.parse(page.text)].flat())
        next = page.next
      }
      if (name === 'l') assert.equal(pages.length, 7)
      else assert.deepEqual(pages, [whole].flat(), query)
    }
  })

  it('is left out of the link where it is empty', async () => {
    const { next } = await get('q=&f=&s=&l=2')
    assert.match(next!, /^l=2&after=[\w-]+$/)
  })
})
