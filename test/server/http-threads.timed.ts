import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertRefused, encoded } from './answers.ts'
import { clientsByThread, closeAll } from './by-thread.ts'
import type { Answer } from './client.ts'
import { SeededRandom } from './seeded-random.ts'
import { startServer } from './start-server.ts'

const TWO = { SHEAF_HTTP_THREADS: '2' }
const C = '/apps/demo/collections/c'
/** In a text without a pattern of its own this takes seconds, and its deadline is not noticed by itself. */
const HELD = { t: { $regex: '(a|b)*a(a|b){900}[cd]' } }

describe('a reader thread that a query holds too long', () => {
  it('is replaced, and nothing but that query is lost to either thread', async (t) => {
    const short = await startServer({ env: { ...TWO, SHEAF_LIMIT_QUERY_DEADLINE_MS: '200' } })
    const clients = await clientsByThread(short, { threads: 2, each: 4 })
    t.after(async () => {
      closeAll(clients)
      await short.dispose()
    })
    const random = new SeededRandom(7)
    const text = Array.from({ length: 1_000_000 }, () => random.pick(['a', 'b'])).join('')
    const saved = await clients[0]![0]!.send('POST', C, { body: `{"_id":1,"t":"${text}"}` })
    assert.equal(saved.status, 201)
    let held: Answer | undefined
    const holding = short.client.send('GET', `${C}?q=${encoded(HELD)}`).then((answer) => {
      held = answer
    })
    const counts = await Promise.all(
      clients.flat().map(async (client) => {
        let count = 0
        for (; held === undefined; count++) {
          const answer = await client.send('GET', `${C}?q={"t":1}`)
          assert.equal(answer.text, '[]')
          assert.equal((await client.send('GET', `${C}/2`)).status, 404)
          assert.equal((await client.send('PUT', `${C}/3`, { body: '{}' })).status < 300, true)
        }
        return count
      }),
    )
    await holding
    assertRefused(held!, 'deadline_exceeded', 'the query', 503)
    for (const count of counts) assert.ok(count > 0)
    assert.equal(short.log, '')
  })
})
