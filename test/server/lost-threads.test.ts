import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer } from './client.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const C = '/apps/demo/collections/things'
const DEADLINE_MS = 300
/** Takes minutes on the thread that writes, for an update by id is made there. */
const SLOW_UPDATE = JSON.stringify({ $pull: { text: { $regex: '(a|b)*a(a|b){900}[cd]' } } })

let server: ServerProcess
before(async () => {
  server = await startServer({ env: { SHEAF_LIMIT_QUERY_DEADLINE_MS: String(DEADLINE_MS) } })
  const text = Array.from({ length: 900_000 }, (_, n) => (Math.sin(n) > 0 ? 'a' : 'b')).join('')
  await server.client.send('POST', C, { body: JSON.stringify({ _id: 'slow', text: [text], n: 0 }) })
})
after(() => server?.dispose())

function codeOf({ text }: { text: string }): unknown {
  return JSON.parse(text).code
}

async function countOf(query: string): Promise<number> {
  const { text } = await server.client.send('GET', `${C}?q=${encodeURIComponent(query)}&c=true`)
  return Number(text)
}

describe('a write that the storage thread is replaced for', () => {
  it('is not done, and those that wait behind it are', async () => {
    let isOver = false
    const slow = server.client.send('PUT', `${C}/slow`, { body: SLOW_UPDATE }).finally(() => {
      isOver = true
    })
    const behind: Promise<Answer>[] = []
    // Some come so early that they wait for longer than they may, and some so late that they don't.
    for (; !isOver; await wait(DEADLINE_MS / 4))
      behind.push(server.client.send('PUT', `${C}/${behind.length}`, { body: '{"$inc":{"n":1}}' }))
    assert.equal(codeOf(await slow), 'deadline_exceeded')
    for (const [n, answer] of (await Promise.all(behind)).entries()) {
      const isDone = answer.status === 201
      // Those that have waited for too long are told that they were not done.
      if (!isDone) assert.equal(codeOf(answer), 'deadline_exceeded')
      assert.equal(await countOf(`{"_id":"${n}"}`), isDone ? 1 : 0)
    }
    assert.equal(await countOf('{"_id":"slow","text":[]}'), 0)
  })

  it('holds others up no longer than the next one can not start', async () => {
    // A thread that starts opens it.
    const file = join(server.folder, 'control.sqlite')
    renameSync(file, `${file}.away`)
    const slow = server.client.send('PUT', `${C}/slow`, { body: SLOW_UPDATE })
    assert.equal(codeOf(await slow), 'deadline_exceeded')
    const behind = await server.client.send('POST', C, { body: '{"_id":"held"}' })
    assert.equal(codeOf(behind), 'store_unavailable')
    assert.equal((await server.client.send('GET', `${C}?c=true`)).status, 200)
    renameSync(`${file}.away`, file)
    let status = 0
    while (status !== 201) ({ status } = await server.client.send('POST', C, { body: '{"_id":"after"}' }))
    assert.equal(await countOf('{"_id":"held"}'), 0)
    // What is read may be kept again, once nothing of the old thread can come any more.
    let timing = ''
    while (!/memory/.test(timing))
      timing = String((await server.client.send('GET', `${C}/after`)).headers['server-timing'])
    assert.match(server.log, /control\.sqlite is gone/)
    assert.equal(await server.stop(), 0)
  })
})
