import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { THREAD_ADDRESSES } from './bounds.ts'
import type { RequestFacts } from './request-facts.ts'
import { OTHERS } from './traffic.ts'
import { TrafficCounter } from './traffic-counter.ts'

const DAY = 86_400
/** 2026-11-29T23:59:30Z in seconds, half a minute before the day changes. */
const EVENING = 1_795_996_770

const FACTS: RequestFacts = {
  ...{
    area: 'api',
    method: 'GET',
    status: 200,
    code: '',
    ms: 1,
    bytesIn: 0,
    bytesOut: 10,
    read: 1,
    written: 0,
  },
  ...{ app: 'a', key: 'k', keyName: 'Ada', collection: 'c', operation: 'get', address: '10.0.0.1' },
  ...{ target: '/apps/demo/collections/c/1?key=secret', requestId: 'r', visit: undefined },
}

function counting({ mostApps = 10 } = {}) {
  const clock = { now: EVENING * 1000 }
  const seen = { full: 0, failures: [] as unknown[] }
  const counter = new TrafficCounter({
    now: () => clock.now,
    redactTarget: (target) => target.split('?')[0]!,
    mostApps,
    onFull: () => {
      seen.full++
      counter.drain()
    },
    onFailure: (error) => seen.failures.push(error),
  })
  return { counter, clock, seen, add: (facts: Partial<RequestFacts>) => counter.add({ ...FACTS, ...facts }) }
}

describe('a thread that counts', () => {
  it('has nothing to hand over where nothing was asked', () => {
    assert.equal(counting().counter.drain(), undefined)
  })

  it('tells what it has counted once, and begins anew', () => {
    const { counter, add } = counting()
    add({})
    add({ ms: 100, read: 4 })
    const delta = counter.drain()!
    const counted = { requests: 2, bytesIn: 0, bytesOut: 20, read: 5, written: 0 }
    // 1 ms is in the bucket that ends at 0.05 · 2^(35/8) = 1.04, 100 ms in that at 0.05 · 2^(88/8) = 102.4.
    const latency = [35, 1, 88, 1]
    const name = { key: 'k', collection: 'c', operation: 'get', status: 200 }
    assert.deepEqual(delta.minutes, [
      { app: 'a', at: EVENING - 30, totals: { ...counted, errors: 0, failed: 0, latency } },
    ])
    assert.deepEqual(delta.hours, [
      { app: 'a', at: EVENING - 3570, cells: [{ ...name, ...counted, latency }] },
    ])
    assert.deepEqual(delta.addresses, [{ app: 'a', addresses: ['10.0.0.1'] }])
    assert.deepEqual(delta.server, {
      requests: [{ area: 'api', method: 'GET', status: 200, count: 2 }],
      areas: [{ area: 'api', latency, ms: 101, bytesIn: 0, bytesOut: 20 }],
      ...{ read: 5, written: 0 },
      apps: [{ app: 'a', requests: 2, errors: 0, failed: 0 }],
    })
    assert.equal(counter.drain(), undefined)
  })

  it('files requests under the minute, hour and day of the clock, whichever way it steps', () => {
    const { counter, clock, add } = counting()
    for (const step of [0, 3600, -3600, 0, DAY]) {
      clock.now = (EVENING + step) * 1000
      add({ status: 404, code: 'document_not_found' })
    }
    const { minutes, hours, errors } = counter.drain()!
    assert.deepEqual(
      minutes.map(({ at, totals }) => [at - EVENING + 30, totals.requests]),
      [
        [0, 2],
        [3600, 1],
        [-3600, 1],
        [DAY, 1],
      ],
    )
    assert.equal(hours.length, 4)
    assert.deepEqual(
      errors.map(({ day, count }) => [(day + DAY - 30 - EVENING) / DAY, count]),
      [
        [0, 3],
        [1, 2],
      ],
    )
  })

  it('counts every request, however many keys, collections, paths, referrers and codes there are', () => {
    const { counter, add } = counting()
    for (let i = 0; i < 20_000; i++) {
      const visit = { path: `/${i}`, referrer: `${i}.test` }
      add({ key: `k${i % 100}`, collection: `c${i}`, status: 400, code: `code ${i}`, visit })
    }
    const { hours, visits, errors } = counter.drain()!
    const [{ cells }] = hours as [(typeof hours)[0]]
    assert.equal(cells.length, 2001)
    assert.equal(cells.at(-1)!.key, OTHERS)
    assert.equal(cells.at(-1)!.requests, 18_000)
    const [{ paths, referrers }] = visits as [(typeof visits)[0]]
    for (const texts of [paths, referrers]) {
      assert.equal(texts.length, 1001)
      assert.deepEqual(texts.at(-1), [OTHERS, 19_000])
    }
    assert.equal(errors.length, 61)
    assert.equal(errors.at(-1)!.count, 19_940)
  })

  it('has a bound on the cells and apps of all, too', () => {
    const { counter, add } = counting({ mostApps: 20 })
    for (let app = 0; app < 25; app++)
      for (let i = 0; i < 1000; i++) add({ app: `a${app}`, collection: `c${i}` })
    const { hours, server } = counter.drain()!
    assert.equal(hours.length, 20)
    assert.equal(
      hours.reduce((sum, { cells }) => sum + cells.filter(({ key }) => key !== OTHERS).length, 0),
      8000,
    )
    assert.equal(server.requests[0]!.count, 25_000)
  })

  it('hands addresses over at once where there is room for no more', () => {
    const { add, seen } = counting()
    for (let i = 0; i < THREAD_ADDRESSES; i++) add({ address: `address ${i}` })
    assert.equal(seen.full, 1)
  })

  it('has a few redacted examples of each error, with nothing of the query', () => {
    const { counter, add } = counting()
    for (let i = 0; i < 5; i++) add({ status: 401, code: 'missing_credentials', requestId: `r${i}` })
    const { errors } = counter.drain()!
    const example = { at: EVENING * 1000, method: 'GET', path: '/apps/demo/collections/c/1', key: 'Ada' }
    assert.deepEqual(errors, [
      {
        ...{ app: 'a', day: EVENING + 30 - DAY, code: 'missing_credentials', status: 401, count: 5 },
        examples: ['r0', 'r1', 'r2'].map((requestId) => ({ ...example, requestId })),
      },
    ])
  })

  it('tells of dashboards, probes and sites of nobody with the server alone', () => {
    const { counter, add } = counting()
    add({ area: 'dashboard', app: '' })
    add({ area: 'probe', app: '', method: 'BREW' })
    add({ area: 'site', app: '' })
    const { minutes, server } = counter.drain()!
    assert.deepEqual(minutes, [])
    assert.deepEqual(
      server.requests.map(({ area, method }) => [area, method]),
      [
        ['dashboard', 'GET'],
        ['probe', 'other'],
        ['site', 'GET'],
      ],
    )
  })

  it('tells nobody of what came while another looked', () => {
    const { counter, add } = counting()
    counter.tail.watch(new Set([FACTS.app]))
    add({})
    counter.tail.watch(new Set())
    counter.tail.watch(new Set([FACTS.app]))
    assert.deepEqual(counter.tail.drain(), [])
  })

  it('throws nothing into a request', () => {
    const { add, seen } = counting()
    add({ latency: undefined, area: 'nowhere' } as unknown as Partial<RequestFacts>)
    assert.equal(seen.failures.length, 1)
  })
})
