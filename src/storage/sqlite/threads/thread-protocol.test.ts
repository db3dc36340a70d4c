import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../../../test/random-cases.ts'
import type { Failure } from '../protocol/failures.ts'
import {
  clientOf,
  MOST_CLIENTS,
  type Numbered,
  nextNumber,
  packReplies,
  packRequests,
  type Reply,
  type ThreadRequest,
  unpackReplies,
  unpackRequests,
} from './thread-protocol.ts'

/** Of one, two, three and four bytes in UTF-8, half a character, nothing, and what stands for something elsewhere. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\u0000', '\ud800', 'é', '漢字', '😀', 'get', 'undefined', '0'),
)
/** As structured clones of objects are, with the prototype of every object. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true })

const documentId = fc.oneof(text, fc.double({ noNaN: true }), fc.integer())
const address = { app: text, collection: text }
const since = fc.double({ noNaN: true })

const plainGet = record({ kind: fc.constant('get'), ...address, ids: fc.array(documentId) })
const otherRequest = fc.oneof(
  record({ kind: fc.constant('collections'), app: text }),
  record({ kind: fc.constant('drop'), ...address }),
  record({
    kind: fc.constant('get'),
    ...address,
    ids: fc.array(documentId),
    projection: fc.constant({ kind: 'include', paths: [['a']] }),
  }),
  record({
    kind: fc.constant('save'),
    ...address,
    documents: fc.array(record({ text }), { maxLength: 3 }),
  }),
)

/** Both kinds in any order, with numbers that go up. */
const requests = fc
  .array(fc.tuple(fc.oneof(plainGet, otherRequest), since))
  .map((drawn) =>
    drawn.map(([request, at], index) => [index + 1, request, at] as unknown as Numbered<ThreadRequest>),
  )

const failure = fc.record(
  { code: fc.constantFrom('internal', 'deadline_exceeded'), message: text, stack: text },
  { requiredKeys: ['code', 'message'], noNullPrototype: true },
) as fc.Arbitrary<Failure>
const value = fc.oneof(
  text,
  fc.constantFrom(undefined, null, 0, -0, true, Number.POSITIVE_INFINITY),
  record({ text, found: fc.nat(), done: fc.boolean() }),
  fc.float64Array({ maxLength: 5 }),
  fc.array(text, { maxLength: 3 }),
)
const replies = fc
  .array(fc.oneof(fc.tuple(value), fc.tuple(fc.constant(undefined), failure)))
  .map((drawn) => drawn.map((rest, index) => [index + 1, ...rest] as Reply))

function isPlainGet({ kind, ...rest }: ThreadRequest): boolean {
  return kind === 'get' && !('projection' in rest)
}

describe('what travels between threads', () => {
  it('comes out as the requests that went in, reads of single documents first, each kind in its order', () => {
    fc.assert(
      fc.property(requests, (sent) => {
        const messages = packRequests(sent).map((message) => structuredClone(message))
        const got = messages.flatMap((message) => unpackRequests<ThreadRequest>(message))
        const flat = sent.filter(([, request]) => isPlainGet(request))
        const others = sent.filter(([, request]) => !isPlainGet(request))
        // A read of one document waits for nothing that would ask since when.
        assert.deepEqual(got, [...flat.map(([id, request]) => [id, request, 0]), ...others])
        assert.ok(messages.length <= 2)
      }),
      randomCases(),
    )
  })

  it('comes out as the replies that went in, each failure as one, and no value as one', () => {
    fc.assert(
      fc.property(replies, (sent) => {
        const got: Reply[] = []
        for (const message of packReplies(sent))
          unpackReplies(structuredClone(message), {
            onValue: (id, found) => got.push([id, found]),
            onFailure: (id, why) => got.push([id, undefined, why]),
          })
        const values = sent.filter((reply) => reply.length === 2)
        const failures = sent.filter((reply) => reply.length === 3)
        assert.deepEqual(got, [...values, ...failures])
      }),
      randomCases(),
    )
  })

  it('comes out as it was where it is huge, and of any characters', () => {
    // 2.75 MB in UTF-8.
    const huge = 'aé漢😀'.repeat(275_000)
    const ids = Array.from({ length: 50_000 }, (_, index) => `${index}é`)
    const get: Numbered<ThreadRequest> = [1, { kind: 'get', app: 'a', collection: huge, ids }, 0]
    const [request] = packRequests([get])
    assert.deepEqual(unpackRequests(structuredClone(request!)), [get])
    const got: unknown[] = []
    for (const message of packReplies([
      [1, huge],
      [2, undefined, { code: 'internal', message: huge }],
    ]))
      unpackReplies(structuredClone(message), {
        onValue: (id, value) => got.push(id, value === huge),
        onFailure: (id, { message: why }) => got.push(id, why === huge),
      })
    assert.deepEqual(got, [1, true, 2, true])
  })

  it('is nothing where there is nothing to send', () => {
    assert.deepEqual([packRequests([]), packReplies([])], [[], []])
  })

  it('has a number that says whose it is, that no other client has, and that comes round', () => {
    const client = fc.integer({ min: 0, max: MOST_CLIENTS - 1 })
    fc.assert(
      fc.property(client, fc.integer({ min: 0, max: 2 ** 24 - 1 }), (whose, count) => {
        const number = nextNumber(whose, whose * 2 ** 24 + count)
        assert.equal(clientOf(number), whose)
        assert.equal(number - whose * 2 ** 24, count === 2 ** 24 - 1 ? 1 : count + 1)
      }),
      randomCases(),
    )
  })
})
