import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Span } from './span.ts'
import { parseTraceparent } from './trace-context.ts'
import { Tracer } from './tracer.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const SAMPLED = `00-${TRACE}-${PARENT}-01`
const END = { name: 'GET', attributes: {}, isFailed: false }

describe('a traceparent', () => {
  it('says nothing where it is not as the standard has it', () => {
    for (const header of [
      undefined,
      '',
      'x'.repeat(10_000),
      `ff-${TRACE}-${PARENT}-01`,
      `00-${TRACE}-${PARENT}-01-more`,
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}-${PARENT}`,
      `00-${TRACE}-${PARENT}-1`,
      ` ${SAMPLED}`,
      `${SAMPLED}, ${SAMPLED}`,
      [SAMPLED],
    ])
      assert.equal(parseTraceparent(header), undefined, String(header).slice(0, 80))
  })

  it('is followed, in later versions, too', () => {
    const parent = { traceId: TRACE, spanId: PARENT, isSampled: true }
    assert.deepEqual(parseTraceparent(SAMPLED), parent)
    assert.deepEqual(parseTraceparent(`01-${TRACE}-${PARENT}-ff-more`), parent)
    assert.deepEqual(parseTraceparent(`00-${TRACE}-${PARENT}-02`), { ...parent, isSampled: false })
  })
})

describe('traces', () => {
  const sampled = (
    sampler: { followsParent: boolean; share: number },
    traceparent?: string,
    takesParent = true,
  ): boolean =>
    new Tracer({ settings: { sampler, takesParent }, add: () => {} }).begin(traceparent) !== undefined

  it('are sampled as the parent was where that is followed, else by their ids alone', () => {
    const none = { followsParent: true, share: 0 }
    assert.equal(sampled(none), false)
    assert.equal(sampled(none, SAMPLED), true)
    assert.equal(sampled(none, SAMPLED, false), false)
    assert.equal(sampled({ followsParent: false, share: 0 }, SAMPLED), false)
    assert.equal(sampled({ followsParent: true, share: 1 }, `00-${TRACE}-${PARENT}-00`), false)
    assert.equal(sampled({ followsParent: false, share: 1 }, `00-${TRACE}-${PARENT}-00`), true)
    // The last 56 bits, ce929d0e0e4736, are 0.80692 of all.
    const ratio = (share: number): boolean => sampled({ followsParent: false, share }, SAMPLED)
    assert.deepEqual([0.19, 0.2].map(ratio), [false, true])
  })

  it('have what is done for a request below its span, and nothing of another request', async () => {
    const spans: Span[] = []
    const settings = { sampler: { followsParent: true, share: 1 }, takesParent: true }
    const tracer = new Tracer({ settings, add: (span) => spans.push(span) })
    const work = (name: string, result: unknown) =>
      tracer.within({ name, attributes: {} }, () => {
        if (result instanceof Error) throw result
        return result
      })
    const one = tracer.begin(SAMPLED)!
    const other = tracer.begin(undefined)!
    work('alone', 1)
    await Promise.all([
      tracer.run(one, async () => {
        await null
        await work('find', Promise.resolve())
        assert.throws(() => work('get', new Error('x')))
      }),
      tracer.run(other, () => assert.rejects(work('save', Promise.reject(new Error('x'))) as Promise<void>)),
    ])
    tracer.end(one, END)
    tracer.end(other, { ...END, isFailed: true })
    const told = spans
      .map(({ name, traceId, parentId, kind, isFailed }) => [name, traceId, parentId, kind, isFailed])
      .sort()
    assert.deepEqual(
      told,
      [
        ['GET', other.traceId, undefined, 'server', true],
        ['GET', TRACE, PARENT, 'server', false],
        ['find', TRACE, one.spanId, 'internal', false],
        ['get', TRACE, one.spanId, 'internal', true],
        ['save', other.traceId, other.spanId, 'internal', true],
      ].sort(),
    )
    for (const { startedAt, endedAt } of spans) {
      assert.ok(startedAt <= endedAt)
      assert.ok(Math.abs(Date.now() - endedAt) < 60_000)
    }
  })
})
