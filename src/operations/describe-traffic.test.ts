import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openAccountContext, type TestAccountContext } from '../../test/account-context.ts'
import { emptyRegisters, noteAddress } from '../analytics/distinct-addresses.ts'
import { addDuration } from '../analytics/histogram.ts'
import { addCellToTotals, emptyCell, emptyTotals, OTHERS, type TrafficCell } from '../analytics/traffic.ts'
import { TrafficCounter } from '../analytics/traffic-counter.ts'
import { emptyDelta, type TrafficDelta } from '../analytics/traffic-delta.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { isCollectionName } from '../domain/names.ts'
import { describeTraffic, type TrafficInput } from './describe-traffic.ts'
import { exportTraffic } from './export-traffic.ts'
import { listAccountApps } from './list-account-apps.ts'

const COMMAND = { kind: 'command-line', actor: 'cli:test' } as const
/** Half past three. */
const NOW = Date.UTC(2026, 10, 29, 15, 30)
const HOUR = 60 * 60
const HERE = Date.UTC(2026, 10, 29, 15) / 1000
const DAY = Date.UTC(2026, 10, 29) / 1000

let test: TestAccountContext
let app: string
let key: string

/** As many requests of 10 ms as are said, with 100 bytes answered. The middle of their bucket is 0.05 · 2^(61.5/8) = 10.3 ms. */
function cell(requests: number, name: Partial<TrafficCell> = {}): TrafficCell {
  const made = emptyCell({ key, collection: 'things', operation: 'find', status: 200, ...name })
  for (let n = 0; n < requests; n++) addDuration(made.latency, 10)
  return { ...made, requests, bytesOut: 100 * requests, read: requests }
}

async function add(at: number, cells: TrafficCell[], more: Partial<TrafficDelta> = {}): Promise<void> {
  const totals = emptyTotals()
  for (const each of cells) addCellToTotals(totals, each)
  const hour = at - (at % HOUR)
  const counted = { minutes: [{ app, at, totals }], hours: [{ app, at: hour, cells }] }
  await test.context.accounts.addTraffic({ ...emptyDelta(), ...counted, ...more })
}

const view = (input: Partial<TrafficInput>) =>
  describeTraffic(test.context, COMMAND, { app: 'shop', range: 'day', ...input })

before(async () => {
  test = await openAccountContext()
  test.clock.now = NOW
  const { accounts } = test.context
  app = (await accounts.createApp({ slug: 'shop', owner: null }, 'test')).id
  const hash = '1'.repeat(64)
  key = (await accounts.createKey({ owner: null, name: 'web', hash, rules: UNLIMITED }, 'test')).id
})
after(() => test?.close())

describe('the traffic of an app', () => {
  it('is that of nobody else, and of a time that there is', async () => {
    const none = { code: 'app_not_found' }
    await assert.rejects(describeTraffic(test.context, COMMAND, { app: 'blog', range: 'day' }), none)
    await assert.rejects(view({ range: 'year' }), { code: 'invalid_parameter' })
    await assert.rejects(view({ range: undefined }), { code: 'invalid_parameter' })
  })

  it('is nothing, in every step, where nothing was counted', async () => {
    const { points, totals, before, breakdown, storage, visits } = await view({})
    assert.equal(points.length, 24)
    assert.ok(points.every(({ p50 }) => p50 === null))
    // When the server did not run, nothing is known, and now it does.
    assert.deepEqual(
      points.map(({ requests }) => requests),
      [...Array(23).fill(null), 0],
    )
    assert.deepEqual([totals.requests, before, breakdown.keys, storage, visits], [0, null, [], [], null])
  })

  it('is what was counted, beside what it was the day before', async () => {
    const registers = emptyRegisters()
    for (const address of ['192.0.2.1', '::1'])
      noteAddress(registers, { salt: Buffer.alloc(16), app, address })
    const example = { at: NOW, method: 'GET', path: '/shop/none', key: 'web', requestId: 'r' }
    await add(HERE - 24 * HOUR, [cell(2)])
    await add(HERE - 60, [cell(3, { status: 404, key: 'gone' })])
    await add(HERE + 60, [cell(5), cell(4, { operation: 'get', collection: 'other' })], {
      addresses: [{ app, day: DAY, registers }],
      visits: [
        {
          app,
          day: DAY,
          paths: [
            ['/', 3],
            ['/a', 1],
          ],
          referrers: [['example.org', 1]],
        },
      ],
      errors: [{ app, day: DAY, code: 'not_found', status: 404, count: 3, examples: [example] }],
    })
    const { points, totals, before, breakdown, errors, addresses, visits } = await view({})
    assert.deepEqual(
      points.slice(-2).map(({ at, requests, errors, p95 }) => [at, requests, errors, p95]),
      [
        ['2026-11-29T14:00:00.000Z', 3, 3, 10.3],
        ['2026-11-29T15:00:00.000Z', 9, 0, 10.3],
      ],
    )
    assert.deepEqual([totals.requests, totals.errors, totals.bytesOut, before?.requests], [12, 3, 1200, 2])
    assert.deepEqual(totals.addresses, { at: '2026-11-29T00:00:00.000Z', count: 2 })
    assert.deepEqual(addresses, [totals.addresses])
    assert.deepEqual(
      breakdown.keys.map(({ id, name, requests, errors }) => [id, name, requests, errors]),
      [
        [key, 'web', 9, 0],
        ['gone', null, 3, 3],
      ],
    )
    assert.deepEqual(
      breakdown.pairs.map((pair) => [pair.key?.name, pair.collection, pair.operation, pair.requests]),
      [
        ['web', 'things', 'find', 5],
        ['web', 'other', 'get', 4],
        [null, 'things', 'find', 3],
      ],
    )
    assert.deepEqual(breakdown.statuses, [
      { status: 200, requests: 9 },
      { status: 404, requests: 3 },
    ])
    assert.deepEqual(errors[0]?.examples, [{ ...example, at: '2026-11-29T15:30:00.000Z' }])
    assert.deepEqual(visits?.paths, [
      { path: '/', visits: 3 },
      { path: '/a', visits: 1 },
    ])
    assert.equal(visits?.total, 4)
  })

  it('is told in the list of apps, too', async () => {
    const { id } = await test.addAccount('ada')
    const { accounts } = test.context
    const other = await accounts.createApp({ slug: 'idle', owner: id }, 'test')
    await accounts.setShare({ app: 'shop', account: id, role: 'viewer' }, 'test')
    const { caller } = await test.enter('ada@example.org')
    const listed = async () =>
      (await listAccountApps(test.context, caller)).map((each) => [each.requestsToday, each.lastRequestAt])
    assert.deepEqual(await listed(), [
      [0, null],
      [12, '2026-11-29T15:01:00.000Z'],
    ])
    // Minutes are kept no more, and days are.
    test.clock.now += 30 * 24 * HOUR * 1000
    await accounts.tidyTraffic()
    const again = (await test.enter('ada@example.org')).caller
    const [, shop] = await listAccountApps(test.context, again)
    assert.deepEqual([shop?.requestsToday, shop?.lastRequestAt], [0, '2026-11-29T00:00:00.000Z'])
    test.clock.now = NOW
    await accounts.deleteApp(other.slug, 'test')
  })

  it('of one key, or of one collection, is that alone', async () => {
    await test.context.accounts.noteRun({ from: HERE - HOUR, to: HERE })
    const ofKey = await view({ key })
    assert.deepEqual([ofKey.totals.requests, ofKey.before?.requests], [9, 2])
    assert.deepEqual(ofKey.points.at(-2)?.requests, 0)
    const ofOther = await view({ collection: 'other', range: 'hour' })
    assert.deepEqual([ofOther.totals.requests, ofOther.points.length, ofOther.stepSeconds], [4, 2, HOUR])
    assert.deepEqual((await view({ key: 'none' })).totals.requests, 0)
  })

  it('has gaps where the server did not run, to two minutes', async () => {
    const { accounts } = test.context
    await accounts.noteRun({ from: HERE - 20 * HOUR - 600, to: HERE - 18 * HOUR })
    await accounts.noteRun({ from: HERE - 16 * HOUR + 600, to: HERE - 16 * HOUR + 700 })
    const seen = async (input: Partial<TrafficInput>) =>
      (await view(input)).points.slice(0, 9).map((each) => each.requests)
    // From 16 h of the day before on; the newest hour, at 15 h, is the 24th.
    assert.deepEqual(await seen({}), [null, null, 0, 0, 0, 0, null, 0, null])
    assert.deepEqual(await seen({ key: 'none' }), [null, null, 0, 0, 0, 0, null, 0, null])
  })

  it('names a hundred of each kind, and adds up the others', async () => {
    await add(HERE - 2 * HOUR, [
      ...Array.from({ length: 120 }, (_, n) => cell(1, { key: `k${n}` })),
      cell(7, { key: OTHERS, collection: OTHERS }),
    ])
    const { keys, collections, pairs } = (await view({})).breakdown
    assert.deepEqual([keys.length, pairs.length], [101, 101])
    const { others, requests, id } = keys.at(-1)!
    // Two keys had traffic before.
    assert.deepEqual([others, requests, id], [true, 120 - 98 + 7, undefined])
    assert.deepEqual(collections.at(-1)?.others, true)
    assert.deepEqual(pairs.at(-1)?.key, null)
  })

  it('has the sizes that were measured last in every step since', async () => {
    const sizeOf = (name: string, documents: number) => ({ name, documents, bytes: 1000, indexBytes: 10 })
    test.clock.now = NOW - 2 * HOUR * 1000
    const { accounts } = test.context
    await accounts.noteStorage(new Map([[app, [sizeOf('things', 1)]]]))
    test.clock.now = NOW
    await accounts.noteStorage(new Map([[app, [sizeOf('things', 2), sizeOf('other', 3)]]]))
    const { storage, storageByCollection } = await view({})
    assert.deepEqual(
      storage.map(({ at, documents, bytes }) => [at.slice(11, 13), documents, bytes]),
      [
        ['13', 1, 1000],
        ['14', 1, 1000],
        ['15', 5, 2000],
      ],
    )
    assert.deepEqual(
      storageByCollection.map(({ name, documents }) => [name, documents]),
      [
        ['things', 2],
        ['other', 3],
      ],
    )
    test.clock.now = NOW + 3 * 24 * HOUR * 1000
    const later = await view({})
    assert.deepEqual([later.storage.length, later.storage[0]?.documents], [24, 5])
    test.clock.now = NOW
  })
})

describe('the traffic of an app as a table', () => {
  const table = async (of: string): Promise<string[]> => {
    const { text } = await exportTraffic(test.context, COMMAND, { app: 'shop', range: 'day', table: of })
    return text.split('\r\n')
  }

  it('is one that there is', async () => {
    for (const name of ['none', '', 'toString'])
      await assert.rejects(table(name), { code: 'invalid_parameter' })
  })

  it('has a row for each step', async () => {
    const rows = await table('points')
    assert.equal(rows[0], 'at,requests,errors,failed,p50,p95,p99,bytesIn,bytesOut,read,written')
    assert.deepEqual([rows.length, rows.at(-1)], [1 + 24 + 1, ''])
    assert.equal(rows[24], '2026-11-29T15:00:00.000Z,9,0,0,10.3,10.3,10.3,0,900,9,0')
    assert.equal(rows[1], '2026-11-28T16:00:00.000Z,,,,,,,,,,')
  })

  it('has all keys, not a hundred, and what no spreadsheet takes for a formula', async () => {
    const keys = await table('keys')
    assert.equal(keys[0], 'id,name,withheld,others,requests,errors,p95,bytesIn,bytesOut')
    assert.equal(keys[1], `${key},web,,,9,0,10.3,0,900`)
    assert.equal(keys.length, 1 + 122 + 1 + 1)
    assert.equal(keys.at(-2), ',,,true,7,0,10.3,0,700')
    await add(HERE, [cell(1, { collection: '=1+1, "x"' })])
    assert.ok((await table('collections')).some((row) => row.startsWith(`"'=1+1, ""x""",`)))
  })

  it('is of every kind that the view has', async () => {
    for (const name of ['operations', 'statuses', 'pairs', 'errors', 'paths', 'referrers', 'storage'])
      assert.ok((await table(name)).length > 2, name)
    assert.equal((await table('errors'))[1], 'not_found,404,3')
    assert.equal(
      (await table('pairs'))[0],
      'keyId,keyName,keyWithheld,collection,operation,others,requests,errors,p50,p95,read,written',
    )
  })

  it('has by its name what is in a collection, on a path or of a code that is called as a wildcard is', async () => {
    const day = DAY - 40 * 24 * HOUR
    const at = day + HOUR
    const clock = test.clock.now
    test.clock.now = (at + 60) * 1000
    const counter = new TrafficCounter({
      ...{ now: () => test.clock.now, redactTarget: (target: string) => target, mostApps: 2 },
      onFull: () => assert.fail('it is full'),
      onFailure: assert.ifError,
    })
    counter.add({
      ...{ area: 'api', method: 'GET', status: 404, code: '*', ms: 1, bytesIn: 0, bytesOut: 0, read: 0 },
      ...{ written: 0, app, key: '*', keyName: '*', collection: '*', operation: 'find', address: '' },
      ...{ target: '*', requestId: '*', visit: { path: '*', referrer: '*' } },
    })
    const delta = counter.drain()!
    await test.context.accounts.addTraffic({ ...delta, addresses: [] })
    const size = { name: '*', documents: 1, bytes: 1, indexBytes: 0 }
    await test.context.accounts.noteStorage(new Map([[app, [size]]]))
    const { breakdown, errors, visits, storageByCollection } = await view({})
    const { keys, collections, pairs } = breakdown
    for (const list of [keys, collections, pairs, visits!.paths, visits!.referrers, storageByCollection])
      assert.deepEqual([list.length, list[0]?.others], [1, undefined])
    assert.deepEqual([keys[0]?.id, collections[0]?.name, pairs[0]?.collection], ['*', '*', '*'])
    assert.deepEqual([visits!.paths[0]?.path, visits!.referrers[0]?.host], ['*', '*'])
    assert.deepEqual([errors[0]?.code, storageByCollection[0]?.name], ['*', '*'])
    assert.equal(isCollectionName(OTHERS), false)
    test.clock.now = clock
  })
})
