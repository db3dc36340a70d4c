import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { configFrom } from '../config.ts'
import { UNBOUNDED_MEMORY } from '../domain/memory.ts'
import { unboundedMemory } from '../shared-memory/memory-budget.ts'
import { createSeqlockCells } from '../storage/sqlite/protocol/seqlock-table.ts'
import { HttpThreads } from './http-threads.ts'
import { createSharedLimits } from './shared-limits.ts'

const FILE = new URL('../../test/ending-thread.ts', import.meta.url)

/** Threads that do as `test/ending-thread.ts` does for a port, and what becomes of them. */
function threadsOn(port: number) {
  const config = configFrom({})
  const ended = Promise.withResolvers<unknown>()
  const lines: string[] = []
  const threads = new HttpThreads({
    count: 2,
    data: () => ({
      config,
      store: {
        client: 0,
        limits: config.limits,
        foregroundThreads: 0,
        waiting: new Int32Array(new SharedArrayBuffer(4)),
        versions: createSeqlockCells(),
        memory: unboundedMemory(),
        memoryShares: UNBOUNDED_MEMORY,
        sharers: 2,
        port: new MessageChannel().port1,
        directoryAge: new Int32Array(new SharedArrayBuffer(4)),
      },
      tls: { key: '', cert: '' },
      shared: createSharedLimits(config.limits),
      port,
    }),
    writeLines: (text) => lines.push(text),
    onObservations: () => {},
    onTraffic: () => {},
    tails: { tell: () => {}, open: () => {} },
    onAccounts: () => {},
    findCertificate: async () => undefined,
    readMetrics: async () => '',
    onEnd: ended.resolve,
    file: FILE,
  })
  return { threads, lines, ended: ended.promise }
}

test('a thread that can not start says why', async () => {
  const { threads } = threadsOn(1)
  await assert.rejects(threads.listening(), /it does not start/)
  await threads.close()
})

test('a thread that fails is told of, behind what it has logged', async () => {
  const { threads, lines, ended } = threadsOn(2)
  await threads.listening()
  void threads.refreshDirectory()
  assert.match(String(await ended), /it fails/)
  assert.ok(lines.includes('its last line\n'))
})

test('a thread that ends by itself is told of, too, and one that is asked to is not', async () => {
  const one = threadsOn(3)
  await one.threads.listening()
  void one.threads.refreshDirectory()
  assert.match(String(await one.ended), /a thread that serves HTTP ended/)
  const other = threadsOn(3)
  await other.threads.listening()
  await other.threads.close()
  assert.equal(await Promise.race([other.ended, Promise.resolve('nothing')]), 'nothing')
})

test('a certificate that no thread could use reaches none of them', async () => {
  const { threads } = threadsOn(2)
  await threads.listening()
  const broken = { key: 'no key', cert: 'no certificate' }
  assert.throws(() => threads.useCertificate(broken), { code: 'invalid_certificate' })
  // One that had got it would have failed before it got this.
  await Promise.all([threads.close(), threads.close()])
})
