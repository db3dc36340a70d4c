import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { distinctAddresses, emptyRegisters, noteAddress } from '../../src/analytics/distinct-addresses.ts'
import { addDuration } from '../../src/analytics/histogram.ts'
import {
  emptyCell,
  emptyTotals,
  type Operation,
  OTHERS,
  type TrafficCell,
} from '../../src/analytics/traffic.ts'
import { emptyDelta, type TrafficDelta } from '../../src/analytics/traffic-delta.ts'
import { DELETED_APP_MS } from '../../src/domain/accounts.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import type { TrafficKind, TrafficRow } from '../../src/storage/traffic-store.ts'
import { ACTOR, NOW, type OpenTestAccounts } from './harness.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Midnight of UTC. */
const TODAY = NOW / 1000
const EVER = { from: 0, to: 2 ** 40 }

interface Counted {
  readonly app: string
  /** Of requests of 2 ms with 10 bytes of body each, answered with 100. */
  readonly requests: number
  readonly at?: number
  readonly key?: string
  readonly collection?: string
  readonly operation?: Operation
  readonly status?: number
}

export function deltaOf(...all: Counted[]): TrafficDelta {
  const delta = emptyDelta()
  for (const { app, requests, at = TODAY, status = 200, ...name } of all) {
    const counted = { requests, bytesIn: 10 * requests, bytesOut: 100 * requests, read: requests }
    const cell: TrafficCell = Object.assign(
      emptyCell({ key: 'key', collection: 'things', operation: 'find', ...name, status }),
      counted,
    )
    for (let n = 0; n < requests; n++) addDuration(cell.latency, 2)
    const totals = { ...emptyTotals(), ...counted, latency: [...cell.latency] }
    totals.errors = status >= 400 ? requests : 0
    delta.minutes.push({ app, at: at - (at % MINUTE), totals })
    const hour = at - (at % HOUR)
    const known = delta.hours.find((each) => each.app === app && each.at === hour)
    if (known === undefined) delta.hours.push({ app, at: hour, cells: [cell] })
    else known.cells.push(cell)
  }
  return delta
}

export async function rowsOf<Kind extends TrafficKind>(
  store: AccountStore,
  app: string,
  kind: Kind,
): Promise<TrafficRow<Kind>[]> {
  return Array.fromAsync(store.findTraffic({ app, kind, ...EVER }))
}

export async function requestsOf(store: AccountStore, app: string, kind: 'minute' | 'hour' | 'day') {
  return (await rowsOf(store, app, kind)).map(({ at, value }) => [at - TODAY, value.requests])
}

export async function appOf(store: AccountStore, slug = 'shop'): Promise<string> {
  return (await store.createApp({ slug, owner: null }, ACTOR)).id
}

/** As often as a clock that has changed is not gone by. */
async function tidyOften(store: AccountStore): Promise<void> {
  for (let n = 0; n < 24; n++) await store.tidyTraffic()
}

export function traffic(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: traffic`, () => {
    it('of no app that there is, or of a time far from now, is passed over', async (t) => {
      const { store } = await open(t)
      const app = await appOf(store)
      await store.addTraffic(
        deltaOf(
          { app: 'nobody', requests: 1 },
          { app: '', requests: 1 },
          { app, requests: 1, at: TODAY + 2 * DAY + HOUR },
          { app, requests: 1, at: TODAY - 800 * DAY },
          { app, requests: 1, at: TODAY - 8 * DAY },
          { app, requests: 1, at: TODAY + DAY },
        ),
      )
      assert.deepEqual(await requestsOf(store, app, 'minute'), [[DAY, 1]])
      assert.deepEqual(await requestsOf(store, app, 'hour'), [
        [-8 * DAY, 1],
        [DAY, 1],
      ])
      assert.deepEqual([await rowsOf(store, '', 'day'), await rowsOf(store, 'nobody', 'day')], [[], []])
    })

    it('adds up by minute, hour and day, over the end of a day and a second opening', async (t) => {
      const { store, open: again } = await open(t)
      const app = await appOf(store)
      const other = await appOf(store, 'blog')
      const eve = TODAY - 30
      await store.addTraffic(deltaOf({ app, requests: 2, at: eve }, { app: other, requests: 9 }))
      await store.addTraffic(deltaOf({ app, requests: 3, at: eve, status: 404 }))
      const second = await again()
      await second.addTraffic(
        deltaOf({ app, requests: 4, at: TODAY + 1 }, { app, requests: 5, at: TODAY + 61 }),
      )
      assert.deepEqual(await requestsOf(second, app, 'minute'), [
        [-60, 5],
        [0, 4],
        [60, 5],
      ])
      assert.deepEqual(await requestsOf(second, app, 'hour'), [
        [-HOUR, 5],
        [0, 9],
      ])
      assert.deepEqual(await requestsOf(second, app, 'day'), [
        [-DAY, 5],
        [0, 9],
      ])
      const [yesterday] = await rowsOf(second, app, 'day')
      const { latency, ...sums } = yesterday!.value
      assert.deepEqual(sums, {
        ...{ requests: 5, errors: 3, failed: 0, bytesIn: 50, bytesOut: 500, read: 5, written: 0 },
      })
      assert.deepEqual(
        latency.filter((_, index) => index % 2 === 1),
        [5],
      )
      const [cells] = await rowsOf(second, app, 'day-cells')
      assert.deepEqual(
        cells!.value.map(({ status, requests }) => [status, requests]),
        [
          [200, 2],
          [404, 3],
        ],
      )
      assert.equal((await rowsOf(second, app, 'hour-cells')).length, 2)
    })

    it('keeps the 4,000 cells of an hour that have most, and adds up the rest', async (t) => {
      const { store } = await open(t)
      const app = await appOf(store)
      const cells = (from: number, length: number, requests: number): Counted[] =>
        Array.from({ length }, (_, n) => ({ app, requests, key: `k${from + n}` }))
      await store.addTraffic(deltaOf(...cells(0, 4000, 1)))
      await store.addTraffic(deltaOf(...cells(4000, 100, 2)))
      const [{ value } = { value: [] }] = await rowsOf(store, app, 'hour-cells')
      const requests = (of: readonly TrafficCell[]): number =>
        of.reduce((sum, cell) => sum + cell.requests, 0)
      const others = value.filter(({ key }) => key === OTHERS)
      assert.deepEqual([value.length, requests(value), requests(others)], [4001, 4200, 100])
      assert.equal(value.filter((cell) => cell.requests === 2).length, 100)
    })

    it('has addresses, visits, errors and sizes of a day', async (t) => {
      const { store, clock } = await open(t)
      const app = await appOf(store)
      const registersOf = (...addresses: string[]): Uint8Array => {
        const registers = emptyRegisters()
        for (const address of addresses) noteAddress(registers, { salt: Buffer.alloc(16), app, address })
        return registers
      }
      const example = { method: 'GET', path: '/shop/things', key: 'web', requestId: 'r' }
      const error = (at: number) => ({
        code: 'not_found',
        status: 404,
        count: 1,
        examples: [{ at, ...example }],
      })
      const add = (address: string, at: number) =>
        store.addTraffic({
          ...emptyDelta(),
          addresses: [{ app, day: TODAY, registers: registersOf(address, '::1') }],
          visits: [{ app, day: TODAY, paths: [['/', 2]], referrers: [['example.org', 1]] }],
          errors: [{ app, day: TODAY, ...error(at) }],
        })
      for (const n of [1, 2, 3, 4]) await add(`192.0.2.${n}`, n)
      const [addresses] = await rowsOf(store, app, 'day-addresses')
      assert.equal(distinctAddresses(addresses!.value), 5)
      const [visits] = await rowsOf(store, app, 'day-visits')
      assert.deepEqual(visits!.value, { paths: [['/', 8]], referrers: [['example.org', 4]] })
      const [errors] = await rowsOf(store, app, 'day-errors')
      assert.deepEqual(
        errors!.value.map(({ count, examples }) => [count, examples.map(({ at }) => at)]),
        [[4, [2, 3, 4]]],
      )
      const sizeOf = (documents: number) => [{ name: 'things', documents, bytes: 100, indexBytes: 10 }]
      await store.noteStorage(new Map([[app, sizeOf(1)]]))
      clock.now += 90 * 60 * 1000
      await store.noteStorage(
        new Map([
          [app, sizeOf(2)],
          ['nobody', sizeOf(3)],
        ]),
      )
      const wanted = { app, kind: 'hour-storage', from: 0, to: TODAY + DAY } as const
      assert.deepEqual(await store.findNewestTraffic(wanted), { at: TODAY + HOUR, value: sizeOf(2) })
      assert.deepEqual(await store.findNewestTraffic({ ...wanted, to: TODAY + HOUR }), {
        at: TODAY,
        value: sizeOf(1),
      })
      assert.equal(await store.findNewestTraffic({ ...wanted, to: TODAY }), undefined)
      assert.deepEqual(await rowsOf(store, app, 'day-storage'), [{ at: TODAY, value: sizeOf(2) }])
    })

    it('that can not be read is as if it were not there, and is counted anew', async (t) => {
      const { store, run } = await open(t)
      const app = await appOf(store)
      await store.addTraffic(deltaOf({ app, requests: 2 }))
      await run('UPDATE traffic SET body = substr(body, 2)')
      assert.deepEqual(await requestsOf(store, app, 'hour'), [])
      await store.addTraffic(deltaOf({ app, requests: 3 }))
      assert.deepEqual(await requestsOf(store, app, 'hour'), [[0, 3]])
    })

    it('goes when its time is over: minutes after 7 days, hours after 90, days after two years', async (t) => {
      const { store, clock } = await open(t)
      const app = await appOf(store)
      await store.addTraffic(deltaOf({ app, requests: 1 }))
      const left = async (days: number) => {
        const before = clock.now
        clock.now = NOW + days * DAY * 1000 + 1000
        if (clock.now - before > 7 * DAY * 1000) await tidyOften(store)
        await store.tidyTraffic()
        const kinds = ['minute', 'hour', 'hour-cells', 'day', 'day-cells'] as const
        const rows = await Promise.all(kinds.map((kind) => rowsOf(store, app, kind)))
        return rows.map(({ length }) => length).join('')
      }
      assert.equal(await left(6), '11111')
      assert.equal(await left(7), '01111')
      assert.equal(await left(90), '00011')
      assert.equal(await left(730), '00011')
      assert.equal(await left(731), '00000')
    })

    it('that a wrong clock has counted far ahead goes when the clock is right again', async (t) => {
      const { store, clock } = await open(t)
      const app = await appOf(store)
      clock.now += 100 * DAY * 1000
      await store.addTraffic(deltaOf({ app, requests: 1, at: TODAY + 100 * DAY }))
      clock.now = NOW
      await store.addTraffic(deltaOf({ app, requests: 1 }))
      await store.tidyTraffic()
      assert.deepEqual(await requestsOf(store, app, 'day'), [[0, 1]])
    })

    it('is not what a clock makes old, or yet to come, that is wrong for less than a day', async (t) => {
      const { store, clock } = await open(t)
      const app = await appOf(store)
      /** The days from now of which there is something, after one more was counted. */
      const daysAt = async (days: number, tidy: typeof tidyOften) => {
        clock.now = NOW + days * DAY * 1000
        await store.addTraffic(deltaOf({ app, requests: 1, at: TODAY + days * DAY }))
        await tidy(store)
        return (await requestsOf(store, app, 'day')).map(([at]) => at! / DAY)
      }
      const tidyOnce = (): Promise<void> => store.tidyTraffic()
      assert.deepEqual(await daysAt(0, tidyOnce), [0])
      assert.deepEqual(await daysAt(3650, tidyOften), [0, 3650])
      assert.deepEqual(await daysAt(1, tidyOnce), [0, 1])
      assert.deepEqual(await daysAt(-3650, tidyOften), [-3650, 0, 1])
      assert.deepEqual(await daysAt(2, tidyOnce), [0, 1, 2])
      // A server that was off for years.
      assert.deepEqual(await daysAt(1000, tidyOften), [0, 1, 2, 1000])
      assert.deepEqual(await daysAt(1000, tidyOnce), [1000])
      assert.deepEqual(await daysAt(1001, tidyOnce), [1000, 1001])
    })

    it('stays with a deleted app, and goes with one that is removed for good', async (t) => {
      const { store, clock } = await open(t)
      const app = await appOf(store)
      await store.addTraffic(deltaOf({ app, requests: 1 }))
      await store.deleteApp('shop', ACTOR)
      await store.addTraffic(deltaOf({ app, requests: 1 }))
      assert.deepEqual(await requestsOf(store, app, 'day'), [[0, 2]])
      clock.now += DELETED_APP_MS + 1000
      await store.tidy()
      assert.deepEqual(await requestsOf(store, app, 'day'), [])
      await store.addTraffic(deltaOf({ app, requests: 1 }))
      assert.deepEqual(await requestsOf(store, app, 'day'), [])
    })

    it('is no change of the directory, and has no line in the audit trail', async (t) => {
      const { store, run } = await open(t)
      const app = await appOf(store)
      const lines = await store.listAudit({ limit: 10 })
      // Who made the directory another one would fail.
      await run('ALTER TABLE directory_version RENAME TO gone')
      await store.addTraffic(deltaOf({ app, requests: 1 }))
      await store.noteStorage(new Map([[app, []]]))
      await store.tidyTraffic()
      await run('ALTER TABLE gone RENAME TO directory_version')
      assert.deepEqual(await store.listAudit({ limit: 10 }), lines)
    })
  })
}
