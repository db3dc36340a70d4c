import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TailBatch, TailRequest } from '../analytics/tail-batch.ts'
import { type Tail, tailStream } from './tail-stream.ts'

const NOTHING: TailBatch = { requests: [], skipped: { errors: 0, others: 0 } }
const REQUEST: TailRequest = {
  ...{ at: 0, method: 'GET', path: '/a\u2028"', status: 200, code: '', ms: 1, bytesIn: 0, bytesOut: 2 },
  ...{ key: '', collection: 'line\nbreak', operation: 'get', requestId: 'r' },
}

function ended(reason: string): string {
  return `event: end\ndata: {"reason":"${reason}"}\n\n`
}

/** A tail that brings these batches, and then waits as long as it may; and a clock that its waits move. */
function streamOf(
  batches: readonly TailBatch[],
  {
    looks = 1,
    lengthMs = 1_800_000,
    shownKeys,
  }: { looks?: number; lengthMs?: number; shownKeys?: readonly string[] } = {},
) {
  const seen = { closed: 0, asked: 0, now: 0 }
  const left = [...batches]
  const tail: Tail = {
    next: async (waitMs) => {
      const batch = left.shift()
      if (batch === undefined) seen.now += waitMs
      return batch ?? NOTHING
    },
    close: () => seen.closed++,
  }
  const looking = { app: 'a', account: 'b', shownKeys }
  const lookAgain = async () => (++seen.asked <= looks ? looking : undefined)
  return { seen, events: tailStream({ tail, looking, lookAgain, lengthMs, now: () => seen.now }) }
}

describe('a stream of requests', () => {
  it('ends within 15 s where whoever looks no longer may', async () => {
    const { seen, events } = streamOf([])
    assert.deepEqual(await Array.fromAsync(events), [':\n\n', ended('no_right')])
    assert.deepEqual(seen, { closed: 1, asked: 2, now: 30_000 })
  })

  it('ends after its time, and is closed where nobody reads on', async () => {
    const { seen, events } = streamOf([], { looks: 1000, lengthMs: 60_000 })
    const texts = await Array.fromAsync(events)
    assert.deepEqual(texts, [...Array(4).fill(':\n\n'), ended('time')])
    assert.equal(seen.now, 60_000)
    const left = streamOf([{ ...NOTHING, requests: [REQUEST] }])
    for await (const _ of left.events) break
    assert.equal(left.seen.closed, 1)
  })

  it('has an event for each request, which no text of it breaks, and one for how many more there were', async () => {
    const { events } = streamOf([{ requests: [REQUEST], skipped: { errors: 3, others: 4 } }], { looks: 0 })
    const [text] = await Array.fromAsync(events)
    const [first, second, ...rest] = text!.split('\n\n')
    assert.deepEqual(rest, [''])
    const [, data] = /^event: request\ndata: ([^\n]*)$/.exec(first!) ?? []
    const { code, ...shown } = REQUEST
    assert.deepEqual(JSON.parse(data!), { ...shown, at: '1970-01-01T00:00:00.000Z' })
    assert.equal(second, 'event: skipped\ndata: {"count":7,"errors":3}')
  })

  it('names no key that is withheld from whoever looks', async () => {
    const requests = ['', 'phone', 'other'].map((key) => ({ ...REQUEST, key }))
    const { events } = streamOf([{ requests, skipped: NOTHING.skipped }], { looks: 0, shownKeys: ['phone'] })
    const [text] = await Array.fromAsync(events)
    const keys = Array.from(text!.matchAll(/^data: ([^\n]*)\n/gm), ([, data]) => JSON.parse(data!).key)
    assert.deepEqual(keys, ['', 'phone', null])
  })
})
