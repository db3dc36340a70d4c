import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { emptyTotals } from '../analytics/traffic.ts'
import type { ThreadDelta } from '../analytics/traffic-counter.ts'
import { emptyDelta, type TrafficDelta } from '../analytics/traffic-delta.ts'
import { AppError } from '../errors.ts'
import { KeptTraffic } from './keep-traffic.ts'
import { TrafficLeft } from './traffic-left.ts'

const DAY = 86_400
/** 2026-11-29T12:00:00Z */
const NOON = 1_795_953_600

/** So many requests of each app in one minute, from one address. */
function deltaOf(requests: number, address = '10.0.0.1', apps = ['a']): ThreadDelta {
  return {
    ...emptyDelta(),
    minutes: apps.map((app) => ({ app, at: NOON, totals: { ...emptyTotals(), requests } })),
    addresses: apps.map((app) => ({ app, addresses: [address] })),
    server: { ...emptyDelta().server, read: requests },
  }
}

/** A thread of accounts that does as it is told, and a data folder. */
function world(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-traffic-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const clock = { now: NOON * 1000 }
  const stored: TrafficDelta[] = []
  const lines: string[] = []
  const accounts = {
    isRunning: true,
    failure: undefined as AppError | undefined,
    /** Whether it fails when all is done. */
    failsLate: false,
    added: undefined as string | undefined,
    addTraffic: async (delta: TrafficDelta, note: string) => {
      if (accounts.failure !== undefined && !accounts.failsLate) throw accounts.failure
      stored.push(structuredClone(delta))
      accounts.added = note
      if (accounts.failure !== undefined) throw accounts.failure
    },
  }
  const settings = { salt: undefined as string | undefined }
  const keep = (stopMs?: number): KeptTraffic =>
    new KeptTraffic({
      ...(stopMs !== undefined && { stopMs }),
      added: () => accounts.added,
      accounts,
      salts: {
        get: () => settings.salt,
        put: (text) => {
          settings.salt = text
        },
      },
      left: new TrafficLeft({ dataDir, mostBytes: 100_000 }),
      log: {
        warn: (line) => lines.push(line),
        fault: (line, error) => lines.push(`${line}: ${(error as Error).message}`),
      },
      now: () => clock.now,
    })
  return { file: join(dataDir, 'traffic-left'), accounts, clock, stored, lines, settings, keep }
}

function requestsOf(deltas: readonly TrafficDelta[]): number[] {
  return deltas.map(({ minutes }) => minutes.reduce((sum, { totals }) => sum + totals.requests, 0))
}

describe('what was counted', () => {
  it('is kept where it can not be stored, with one line for it, and stored later', async (t) => {
    const { accounts, stored, lines, keep } = world(t)
    const kept = keep()
    accounts.failure = new AppError('store_unavailable', 'the disk is full')
    for (const requests of [1, 2, 4]) {
      kept.take(deltaOf(requests))
      await new Promise(setImmediate)
    }
    assert.equal(kept.failure, 'the disk is full')
    accounts.failure = undefined
    kept.take(deltaOf(8))
    await kept.close()
    assert.deepEqual(requestsOf(stored), [1, 14])
    assert.equal(kept.failure, undefined)
    assert.deepEqual(lines, [
      "what is counted of requests can't be stored, and is kept in memory until it can: the disk is full",
      'what is counted of requests can be stored again',
    ])
  })

  it('is stored one app after the other, and what failed alone is tried again', async (t) => {
    const { accounts, stored, keep } = world(t)
    const kept = keep()
    const { addTraffic } = accounts
    accounts.addTraffic = async (delta, note) => {
      if (stored.length === 2) accounts.failure = new AppError('store_unavailable', 'the disk is full')
      return addTraffic(delta, note)
    }
    kept.take(deltaOf(1, '10.0.0.1', ['a', 'b', 'c', 'd']))
    kept.take(deltaOf(2))
    kept.take(deltaOf(4))
    await new Promise(setImmediate)
    assert.equal(stored.length, 2)
    Object.assign(accounts, { addTraffic, failure: undefined })
    await kept.close()
    const apps = stored.map(({ minutes }) => minutes.map(({ app }) => app).join())
    assert.deepEqual(apps, ['a', 'b', 'c', 'd', 'a'])
    assert.deepEqual(requestsOf(stored), [1, 1, 1, 1, 6])
  })

  it('is stored once where nobody knows whether it was', async (t) => {
    for (const failsLate of [false, true]) {
      const { accounts, stored, keep } = world(t)
      const kept = keep()
      Object.assign(accounts, { failsLate, failure: new AppError('outcome_unknown', 'the thread ended') })
      kept.take(deltaOf(1, '10.0.0.1', ['a', 'b']))
      await new Promise(setImmediate)
      accounts.failure = undefined
      kept.take(deltaOf(2))
      await kept.close()
      assert.deepEqual(requestsOf(stored), [1, 1, 2])
    }
  })

  it('is left for the next start where a stop has no time, and is stored once though a crash lies between', async (t) => {
    const { accounts, stored, lines, file, keep } = world(t)
    const going = Promise.withResolvers<void>()
    const { addTraffic } = accounts
    accounts.addTraffic = (delta, note) => going.promise.then(() => addTraffic(delta, note))
    const first = keep(0)
    first.take(deltaOf(1, '10.0.0.1', ['a', 'b', 'c', 'd']))
    first.take(deltaOf(2, '10.0.0.1', ['e']))
    const closed = first.close()
    going.resolve()
    await closed
    assert.deepEqual(requestsOf(stored), [1])
    // The next one stores two apps, and ends in the middle of the third.
    const left = readFileSync(file)
    accounts.addTraffic = async (delta, note) => {
      if (stored.length === 3) throw new AppError('store_unavailable', 'stop')
      return addTraffic(delta, note)
    }
    const second = keep()
    second.take(deltaOf(0))
    await new Promise(setImmediate)
    await second.close()
    writeFileSync(file, left)
    accounts.addTraffic = addTraffic
    await keep().close()
    const apps = stored.map(({ minutes }) => minutes.map(({ app }) => app).join())
    assert.deepEqual(apps, ['a', 'b', 'c', 'd', 'e'])
    assert.ok(!existsSync(file))
    assert.equal(lines.length, 1)
  })

  it('is lost with a line in the log where it is more than may be left', async (t) => {
    const { accounts, lines, file, keep } = world(t)
    accounts.isRunning = false
    const kept = keep()
    kept.take({
      ...deltaOf(1),
      visits: [{ app: 'a', day: NOON, paths: [['/'.repeat(100_000), 1]], referrers: [] }],
    })
    await kept.close()
    assert.match(
      lines.join(),
      /^what was counted last of requests is lost: its 1\d{5} bytes are more than the 100000 that are kept$/,
    )
    assert.ok(!existsSync(file))
  })

  it('starts no thread for a server that stops again at once, and is there at the next start', async (t) => {
    const { accounts, stored, file, keep } = world(t)
    accounts.isRunning = false
    const first = keep()
    first.take(deltaOf(1))
    await first.close()
    assert.deepEqual(stored, [])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const second = keep()
    second.take(deltaOf(2))
    await second.close()
    accounts.isRunning = true
    const third = keep()
    await third.close()
    assert.deepEqual(requestsOf(stored), [3])
    assert.ok(!existsSync(file))
  })

  it('is what it was, addresses by their registers alone', async (t) => {
    const { accounts, stored, keep } = world(t)
    accounts.isRunning = false
    const first = keep()
    first.take(deltaOf(1))
    await first.close()
    accounts.isRunning = true
    const second = keep()
    second.take(deltaOf(0))
    await second.close()
    const [{ addresses }] = stored as [TrafficDelta]
    assert.equal(addresses.length, 1)
    assert.equal(addresses[0]!.day, NOON - DAY / 2)
    // One address, though a restart lies between.
    assert.equal(addresses[0]!.registers.filter((register) => register > 0).length, 1)
  })

  it('has another salt each day, and none of the day before is left', async (t) => {
    const { clock, settings, keep } = world(t)
    const kept = keep()
    kept.take(deltaOf(1))
    const before = settings.salt!
    clock.now += DAY * 1000
    kept.take(deltaOf(1))
    assert.notEqual(settings.salt!.split(' ')[1], before.split(' ')[1])
    assert.equal(settings.salt!.split(' ')[0], String(NOON + DAY / 2))
    await kept.close()
  })

  it('begins anew where a file can not be read, and where a salt is none', async (t) => {
    const { stored, file, settings, keep } = world(t)
    writeFileSync(file, '{"version":1,"delta":')
    settings.salt = 'nonsense'
    const kept = keep()
    kept.take(deltaOf(1))
    await kept.close()
    assert.deepEqual(requestsOf(stored), [1])
  })

  it('adds up since the start, also what is stored already', async (t) => {
    const { keep } = world(t)
    const kept = keep()
    for (const requests of [1, 2]) kept.take(deltaOf(requests))
    assert.equal(kept.totals.read, 3)
    await kept.close()
  })
})
