import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Bystander } from './bystander.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const DOCUMENTS = 10_000
const BODY_BYTES = 32 * 1024 * 1024

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

/** An array of as many documents as one request may save, of exactly as many bytes as it may have. */
function greatestBulk(): string {
  const padding = 'x'.repeat(Math.floor(BODY_BYTES / DOCUMENTS) - 60)
  const document = (n: number): string =>
    `{"_id":"${String(n).padStart(5, '0')}","n":${n},"text":"${padding}"}`
  const array = `[${Array.from({ length: DOCUMENTS }, (_, n) => document(n)).join(',')}]`
  return array + ' '.repeat(BODY_BYTES - array.length)
}

describe('the greatest bulk that one request may save', () => {
  it('leaves other clients their latency, when it is saved, read and updated', async () => {
    const body = greatestBulk()
    const path = '/apps/demo/collections/bulk'
    await bystander.holdsDuring(async () => {
      const saved = await server.client.send('POST', path, { body })
      assert.ok(saved.status === 201 || saved.status === 200)
      assert.equal(saved.text, body.trimEnd())
    })
    await bystander.holdsDuring(async () => {
      assert.equal((await server.client.send('GET', `${path}?l=${DOCUMENTS}`)).text, body.trimEnd())
    })
    await bystander.holdsDuring(async () => {
      const { text } = await server.client.send('PUT', `${path}?q={}`, { body: '{"$inc":{"n":1}}' })
      assert.equal(text, '{"n":10000,"modified":10000}')
    })
    assert.equal((await server.client.send('DELETE', `${path}?q={}`)).text, '{"n":10000}')
  })
})
