import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Bystander } from './bystander.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const C = '/apps/demo/collections/large'
const DOCUMENTS = 40_000
/** Time that one of these requests may take on a slow machine; on a fast one it is some milliseconds. */
const ANSWER_MS = 3000

let server: ServerProcess
let bystander: Bystander
before(async () => {
  server = await startServer()
  for (let from = 0; from < DOCUMENTS; from += 10_000) {
    const documents = Array.from({ length: 10_000 }, (_, index) => {
      const n = from + index
      return `{"_id":${n},"n":${n},"third":${n % 3},"list":[${n % 5}],"text":"${'x'.repeat(100)}"}`
    })
    const saved = await server.client.send('POST', C, { body: `[${documents.join(',')}]` })
    assert.equal(saved.status, 201)
  }
  bystander = await Bystander.of(server)
})
after(async () => {
  await bystander?.stop()
  await server?.dispose()
})

/** Checks answers and the time they take, and that the reads of another client go on as ever. */
function answers(expected: Readonly<Record<string, string>>): Promise<void> {
  return bystander.holdsDuring(async () => {
    for (const [query, text] of Object.entries(expected)) {
      const began = performance.now()
      assert.equal((await server.client.send('GET', `${C}?${query}`)).text, text, query)
      assert.ok(performance.now() - began < ANSWER_MS, `${query} took ${performance.now() - began} ms`)
    }
  })
}

describe('a large collection', () => {
  it('is counted, whole or in part, beside the reads of others', async () => {
    await answers({
      'c=true': '40000',
      'c=true&q={}': '40000',
      'c=true&q={"third":1}': '13333',
      'c=true&q={"third":{"$not":1}}': '26667',
      'c=true&q={"list":{"$has":4}}': '8000',
      'c=true&q={"missing":null}': '40000',
      'c=true&q={"text":{"$regex":"x{50}y"}}': '0',
    })
  })

  it('is paged through to its end', async () => {
    await answers({
      'f={"_id":1}&sk=39998': '[{"_id":39998},{"_id":39999}]',
      'f={"_id":1}&sk=39999&l=1&s={"_id":-1}': '[{"_id":0}]',
      'f={"_id":1}&sk=39999&l=1&s={"third":1}': '[{"_id":39998}]',
      'f={"_id":1}&sk=13332&l=1&q={"third":1}': '[{"_id":39997}]',
      'f={"_id":1}&sk=39990&l=1&s={"list":-1,"n":1}': '[{"_id":39950}]',
      'f={"_id":1}&sk=40000': '[]',
    })
  })

  it('is answered whole where that is asked for', async () => {
    await bystander.holdsDuring(async () => {
      const { text } = await server.client.send('GET', `${C}?f={"n":1,"_id":0}&l=100000`)
      assert.equal(text, `[${Array.from({ length: DOCUMENTS }, (_, n) => `{"n":${n}}`).join(',')}]`)
      const sorted = await server.client.send('GET', `${C}?f={"n":1,"_id":0}&l=100000&s={"third":1,"n":-1}`)
      const numbers = Array.from({ length: DOCUMENTS }, (_, n) => DOCUMENTS - 1 - n)
      const expected = [0, 1, 2].flatMap((third) => numbers.filter((n) => n % 3 === third))
      assert.equal(sorted.text, JSON.stringify(expected.map((n) => ({ n }))))
    })
  })
})
