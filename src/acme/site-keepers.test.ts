import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { TestAuthority } from '../../test/acme/authority.ts'
import { freePort } from '../../test/free-port.ts'
import { writeFileAtomically } from '../certificates/write-file-atomically.ts'
import type { Clock } from './clock.ts'
import { createInTurn } from './in-turn.ts'
import { SiteKeepers } from './site-keepers.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const START = Date.UTC(2026, 0, 1)

/** It stands still until a test moves it: short waits take no time, long ones last until they are ended. */
class FrozenClock implements Clock {
  time = START
  now = (): number => this.time
  random = (): number => 0
  wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms >= 5_000) await once(signal, 'abort')
  }
}

async function house(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-acme-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const clock = new FrozenClock()
  const httpPort = await freePort()
  const { authority, close } = await TestAuthority.start({ httpPort, now: () => clock.time })
  t.after(close)
  const lines: string[] = []
  const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) }
  const wanted: string[] = []
  const keepers = (known: string[] = []) =>
    new SiteKeepers(
      {
        ...{ dataDir, clock, log, inTurn: createInTurn(), wanted: () => wanted },
        authority: { directory: authority.directory, httpPort },
        groupOf: (host) => host.split('.').slice(-2).join('.'),
      },
      known,
    )
  return { authority, clock, lines, wanted, keepers, folder: join(dataDir, 'tls', 'acme', 'sites') }
}

describe('certificates of sites by ACME', () => {
  it('are one for each host, of one account, and there after a restart', async (t) => {
    const { authority, wanted, keepers, folder } = await house(t)
    wanted.push('a.sites.example', 'shop.example.org')
    const running = keepers()
    let told = 0
    await running.check(() => {
      told += 1
    })
    assert.equal(told, 2)
    const { cert } = running.current('a.sites.example')!
    assert.equal(new X509Certificate(cert).subjectAltName, 'DNS:a.sites.example')
    assert.equal(running.current('b.sites.example'), undefined)
    assert.equal(authority.accounts.size, 1)
    await running.check(() => {})
    assert.equal(authority.orders.length, 2)
    assert.deepEqual(
      readdirSync(folder).filter((name) => !/^[0-9a-f]{64}$/.test(name)),
      ['journal.json'],
    )
    const again = keepers(wanted)
    assert.deepEqual(again.current('a.sites.example'), { ...running.current('a.sites.example')! })
    await again.check(() => {})
    assert.equal(authority.orders.length, 2)
  })

  it('are tried for again after a pause that grows, each by itself', async (t) => {
    const { authority, clock, wanted, keepers } = await house(t)
    authority.behaviour.refuseOrders = { status: 403, type: 'rejectedIdentifier', detail: 'not this name' }
    wanted.push('a.sites.example')
    const running = keepers()
    const asked: number[] = []
    for (let minute = 0; minute < 20; minute += 1) {
      const before = authority.requests.filter((path) => path.endsWith('/new-order')).length
      await running.check(() => {})
      if (authority.requests.filter((path) => path.endsWith('/new-order')).length > before) asked.push(minute)
      clock.time += MINUTE_MS
    }
    assert.deepEqual(asked, [0, 5, 15])
    authority.behaviour.refuseOrders = undefined
    wanted.push('b.sites.example')
    await running.check(() => {})
    assert.ok(running.current('b.sites.example'))
  })

  it('wait together where the authority asks to be left alone, over a restart, and after 10 failures in an hour', async (t) => {
    const { authority, clock, lines, wanted, keepers } = await house(t)
    const orders = () => authority.requests.filter((path) => path.endsWith('/new-order')).length
    const refused = { status: 429, type: 'rateLimited', detail: 'too many orders' }
    authority.behaviour.refuseOrders = { ...refused, retryAfter: '3600' }
    for (let n = 0; n < 15; n += 1) wanted.push(`${n}.sites.example`)
    await keepers().check(() => {})
    assert.equal(orders(), 1)
    await keepers(wanted).check(() => {})
    assert.equal(orders(), 1)
    const told =
      'no certificates of sites are ordered until 2026-01-01T01:00:00.000Z: the authority asks to be left alone'
    assert.ok(lines.includes(told))
    clock.time += 60 * MINUTE_MS
    authority.behaviour.refuseOrders = refused
    await keepers().check(() => {})
    assert.equal(orders(), 11)
    clock.time += 60 * MINUTE_MS
    authority.behaviour.refuseOrders = undefined
    const running = keepers()
    await running.check(() => {})
    assert.ok(running.current('14.sites.example'))
  })

  it('are ordered anew a week after it was lost what had come, and renewed meanwhile', async (t) => {
    const { clock, lines, wanted, keepers, folder } = await house(t)
    wanted.push('old.sites.example')
    await keepers().check(() => {})
    writeFileAtomically(join(folder, 'journal.json'), '{"issued":')
    clock.time += 60 * DAY_MS
    wanted.push('new.sites.example')
    const running = keepers(wanted)
    const before = running.current('old.sites.example')
    await running.check(() => {})
    assert.notEqual(running.current('old.sites.example'), before)
    assert.match(
      lines.join(),
      /journal\.json can't be used: .*until 2026-03-09T00:00:00.000Z, .*remove the file/,
    )
    assert.equal(keepers(wanted).current('new.sites.example'), undefined)
    clock.time += 7 * DAY_MS
    const later = keepers(wanted)
    await later.check(() => {})
    assert.ok(later.current('new.sites.example'))
  })

  it('are 40 new ones of a registered domain a week, and renewals besides', async (t) => {
    const { clock, lines, wanted, keepers, folder } = await house(t)
    wanted.push('old.sites.example')
    await keepers().check(() => {})
    clock.time += 60 * DAY_MS
    const times = Array.from({ length: 40 }, (_, n) => clock.time - 6 * DAY_MS + n)
    const asked = { issued: { 'sites.example': times }, orders: [], failed: [], pausedUntil: 0, newFrom: 0 }
    writeFileAtomically(join(folder, 'journal.json'), JSON.stringify(asked))
    const running = keepers(wanted)
    wanted.push('new.sites.example', 'shop.example.org')
    const before = running.current('old.sites.example')
    await running.check(() => {})
    assert.notEqual(running.current('old.sites.example'), before)
    assert.equal(running.current('new.sites.example'), undefined)
    assert.ok(running.current('shop.example.org'))
    assert.ok(
      lines.includes(
        'the certificate for new.sites.example waits until 2026-03-03T00:00:00.000Z: there may be no more new ones of sites.example in a week',
      ),
    )
    clock.time += DAY_MS
    await running.check(() => {})
    assert.ok(running.current('new.sites.example'))
  })

  it('of a site that is off are served until they end, and removed when its host is gone', async (t) => {
    const { authority, clock, wanted, keepers, folder } = await house(t)
    wanted.push('a.sites.example', 'b.sites.example')
    await keepers().check(() => {})
    wanted.length = 0
    const running = keepers(['a.sites.example'])
    assert.ok(running.current('a.sites.example'))
    await running.keepOnly([])
    assert.equal(readdirSync(folder).length, 3)
    clock.time += 91 * DAY_MS
    await running.keepOnly(['a.sites.example'])
    assert.equal(running.current('a.sites.example'), undefined)
    assert.equal(readdirSync(folder).length, 2)
    assert.equal(authority.orders.length, 2)
  })

  it('are given up at once where the server stops', async (t) => {
    const { authority, lines, wanted, keepers } = await house(t)
    wanted.push('a.sites.example')
    const asked = new Promise<void>((resolve) => {
      authority.behaviour.hang = resolve
    })
    const running = keepers()
    running.start(() => {})
    await asked
    await running.stop()
    assert.deepEqual(lines, [])
  })
})
