import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encoded } from './answers.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const C = '/apps/demo/collections/large'
const DOCUMENTS = 200_000
const BULK = 10_000
/** Saves of others that an update has to let through; some hundreds fit beside each on a fast machine. */
const LEAST_SAVES = 20
/** Takes a second for all documents, for each array is looked through; holds for those alone that others save. */
const SLOW = { list: { $has: 'wanted' } }
const LIST = Array.from({ length: 40 }, (_, n) => `"element ${n}"`).join(',')

let server: ServerProcess
before(async () => {
  server = await startServer()
  for (let from = 0; from < DOCUMENTS; from += BULK) {
    const documents = Array.from({ length: BULK }, (_, index) => `{"_id":${from + index},"list":[${LIST}]}`)
    assert.equal((await server.client.send('POST', C, { body: `[${documents.join(',')}]` })).status, 201)
  }
})
after(() => server?.dispose())

/** Saves documents that match, one after the other, until something is over; answers how many. */
async function saveUntil(over: Promise<unknown>, name: string): Promise<number> {
  let isOver = false
  void over.finally(() => {
    isOver = true
  })
  let saved = 0
  for (; !isOver; saved++) {
    const body = `{"_id":"${name}${saved}","list":[${LIST},"wanted"]}`
    assert.equal((await server.client.send('POST', C, { body })).status, 201)
  }
  return saved
}

async function idsOf(q: unknown, name: string): Promise<string[]> {
  const answer = await server.client.send('GET', `${C}?q=${encoded(q)}&f={"_id":1}&l=100000`)
  const ids = (JSON.parse(answer.text) as { _id: string | number }[]).map(({ _id }) => String(_id))
  return ids.filter((id) => id.startsWith(name))
}

function names(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`)
}

describe('a write by a slow query on a large collection', () => {
  it('lets others save meanwhile, and updates exactly what was there before it', async () => {
    const body = '{"$set":{"seen":true}}'
    const update = server.client.send('PUT', `${C}?q=${encoded(SLOW)}`, { body })
    const saved = await saveUntil(update, 'put')
    // Those that were saved before it was done, none left out.
    const seen = await idsOf({ seen: true }, 'put')
    assert.deepEqual(seen, names('put', seen.length))
    assert.ok(seen.length >= LEAST_SAVES && seen.length <= saved, `${seen.length} of ${saved} saves`)
    assert.deepEqual(JSON.parse((await update).text), { n: seen.length, modified: seen.length })
  })

  it('lets others save meanwhile, and deletes exactly what was there before it', async () => {
    const others = (await idsOf(SLOW, '')).length
    const removal = server.client.send('DELETE', `${C}?q=${encoded(SLOW)}`)
    const saved = await saveUntil(removal, 'delete')
    const left = await idsOf(SLOW, 'delete')
    const deleted = saved - left.length
    assert.deepEqual(left, names('delete', saved).slice(deleted))
    assert.ok(deleted >= LEAST_SAVES, `${deleted} of ${saved} saves`)
    assert.deepEqual(JSON.parse((await removal).text), { n: others + deleted })
  })
})
