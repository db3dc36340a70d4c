import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Bystander } from './bystander.ts'
import { startServer } from './start-server.ts'

it('a bystander notices a server that pauses, and one that changes', async (t) => {
  const server = await startServer()
  const bystander = await Bystander.of(server)
  t.after(async () => {
    await bystander.stop()
    await server.dispose()
  })
  await bystander.holdsDuring(() => server.client.send('GET', '/'))
  await assert.rejects(
    bystander.holdsDuring(async () => {
      process.kill(server.pid, 'SIGSTOP')
      // Not until something happens: this is the pause that has to be noticed.
      await wait(700)
      process.kill(server.pid, 'SIGCONT')
    }),
    /another client's reads took \d{3,} ms/,
  )
  await assert.rejects(
    bystander.holdsDuring(() => server.client.send('DELETE', '/apps/demo/collections/target/1')),
    /the target was changed/,
  )
})
