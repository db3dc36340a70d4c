import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TestAuthority } from '../../test/acme/authority.ts'
import { freePort } from '../../test/free-port.ts'
import type { CertificatePair } from '../certificates/load-or-create-certificate.ts'
import { type AcmeSettings, CertificateKeeper } from './certificate-keeper.ts'
import type { Clock } from './clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const START = Date.UTC(2026, 0, 1)
const DOMAIN = 'sheaf.example'

/** A clock that stands still until a test moves it: short waits take no time, long ones last until they are ended. */
class FrozenClock implements Clock {
  time = START
  now = (): number => this.time
  random = (): number => 0
  wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms > MINUTE_MS) await once(signal, 'abort')
  }
}

interface House {
  readonly authority: TestAuthority
  readonly clock: FrozenClock
  readonly lines: string[]
  readonly served: CertificatePair[]
  readonly folder: string
  keeper(settings?: Partial<AcmeSettings>): CertificateKeeper
  /** One look, as a running server takes it. */
  check(keeper: CertificateKeeper): Promise<number>
}

async function house(t: TestContext, { aheadMs } = { aheadMs: 0 }): Promise<House> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-acme-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const clock = new FrozenClock()
  const httpPort = await freePort()
  const { authority, close } = await TestAuthority.start({ httpPort, now: () => clock.time - aheadMs })
  t.after(close)
  const lines: string[] = []
  const served: CertificatePair[] = []
  return {
    authority,
    clock,
    lines,
    served,
    folder: join(dataDir, 'tls', 'acme'),
    keeper(settings = {}) {
      const acme = { domains: [DOMAIN], directory: authority.directory, httpPort, ...settings }
      const log = { info: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) }
      return new CertificateKeeper({ dataDir, acme, clock, log })
    },
    check: (keeper) => keeper.check((pair) => served.push(pair)),
  }
}

test('a challenge that is answered wrongly gives no certificate, and the last one stays', async (t) => {
  const { authority, clock, lines, served, folder, keeper, check } = await house(t)
  const kept = keeper()
  await check(kept)
  const before = readFileSync(join(folder, 'certificate.pem'), 'utf8')
  clock.time += 60 * DAY_MS
  // Whoever answers there is not this server: the validation finds nothing.
  const stranger = keeper({ httpPort: await freePort() })
  assert.equal(await check(stranger), 5 * MINUTE_MS)
  assert.equal(authority.orders.at(-1)!.failure, `the key authorization at ${DOMAIN} was wrong`)
  assert.match(
    lines.at(-1)!,
    /^the certificate for sheaf\.example from localhost:\d+ did not come: the authority did not find this server at sheaf\.example: the key authorization at sheaf\.example was wrong; what is served stays, and the next try is at 2026-03-02T00:05:00Z$/,
  )
  assert.equal(readFileSync(join(folder, 'certificate.pem'), 'utf8'), before)
  assert.equal(served.length, 1)
  assert.deepEqual(stranger.current(), served[0])
})

test('a directory that is down is tried again, twice as late each time, and then gives a certificate', async (t) => {
  const { authority, clock, lines, served, keeper, check } = await house(t)
  const kept = keeper()
  authority.behaviour.down = true
  const pauses: number[] = []
  for (let tries = 0; tries < 9; tries++) {
    const pause = await check(kept)
    pauses.push(pause / MINUTE_MS)
    clock.time += pause
  }
  assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 720])
  assert.match(lines[0]!, /the authority refused the directory: HTTP status 503/)
  assert.equal(lines.length, 9)
  assert.equal(authority.orders.length, 0)
  assert.equal(kept.current(), undefined)
  authority.behaviour.down = false
  await check(kept)
  assert.equal(served.length, 1)
})

test('a directory that is not there is one clear line', async (t) => {
  const { lines, keeper, check } = await house(t)
  await check(keeper({ directory: `https://localhost:${await freePort()}/directory` }))
  assert.match(lines[0]!, /localhost:\d+ can't be reached: .*ECONNREFUSED/)
  await check(keeper({ directory: 'http://localhost/directory' }))
  assert.match(lines[1]!, /http:\/\/localhost\/directory is no https address/)
})

test('the first certificate is issued, kept for its owner alone, and served', async (t) => {
  const { authority, lines, served, folder, keeper, check } = await house(t)
  const before = process.umask(0)
  t.after(() => process.umask(before))
  const kept = keeper({ email: 'owner@sheaf.example', domains: [DOMAIN, 'www.sheaf.example'] })
  assert.equal(kept.current(), undefined)
  assert.equal(await check(kept), DAY_MS)
  const [pair] = served
  assert.ok(authority.issued(pair!.cert))
  assert.equal(new X509Certificate(pair!.cert).subjectAltName, 'DNS:sheaf.example, DNS:www.sheaf.example')
  assert.equal(pair!.cert.match(/BEGIN CERTIFICATE/g)!.length, 2, 'the chain is served, too')
  assert.deepEqual([...authority.accounts.values()][0]!.contact, ['mailto:owner@sheaf.example'])
  assert.equal(authority.validations.length, 2)
  assert.deepEqual(lines, [
    `the certificate for sheaf.example, www.sheaf.example from ${new URL(authority.directory).host} has come and is valid until 2026-04-01T00:00:00Z`,
  ])
  assert.deepEqual(readdirSync(folder).sort(), ['account-key.pem', 'certificate.pem', 'journal.json'])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
})

test('a certificate is renewed when two thirds of its life are over, with a new key', async (t) => {
  const { authority, clock, served, keeper, check } = await house(t)
  const kept = keeper()
  await check(kept)
  clock.time += 60 * DAY_MS - 1
  assert.equal(await check(kept), 1)
  assert.equal(served.length, 1)
  clock.time += 1
  await check(kept)
  assert.equal(served.length, 2)
  assert.notEqual(served[1]!.key, served[0]!.key)
  assert.deepEqual(kept.current(), served[1])
  assert.equal(authority.accounts.size, 1)
})

test('a restart reuses the account and the certificate, and asks nobody', async (t) => {
  const { authority, clock, served, keeper, check } = await house(t)
  await check(keeper())
  const asked = authority.requests.length
  const restarted = keeper()
  assert.deepEqual(restarted.current(), served[0])
  assert.equal(await check(restarted), DAY_MS)
  assert.equal(authority.requests.length, asked)
  clock.time += 61 * DAY_MS
  await check(keeper())
  assert.equal(served.length, 2)
  assert.equal(authority.accounts.size, 1)
})

test('another name, another authority or an unreadable file is a reason to order at once', async (t) => {
  const { authority, lines, served, folder, keeper, check } = await house(t)
  await check(keeper())
  const renamed = keeper({ domains: [DOMAIN, 'new.example'] })
  assert.deepEqual(renamed.current(), served[0], 'until then the last one is served')
  await check(renamed)
  assert.equal(served.length, 2)
  await check(keeper({ domains: ['new.example', DOMAIN] }))
  assert.equal(served.length, 2, 'the order of the names means nothing')
  await check(keeper({ domains: [DOMAIN, 'new.example'], directory: `${authority.directory}?` }))
  assert.match(lines.at(-1)!, /the authority refused/)
  writeFileSync(join(folder, 'certificate.pem'), 'nothing')
  const broken = keeper({ domains: [DOMAIN, 'new.example'] })
  assert.match(lines.at(-1)!, /certificate\.pem can't be used: it holds no private key/)
  assert.equal(broken.current(), undefined)
  await check(broken)
  assert.equal(served.length, 3)
})

test('four orders in an hour are the most, over restarts too', async (t) => {
  const { authority, clock, lines, keeper, check } = await house(t)
  authority.behaviour.refuseOrders = { status: 403, type: 'rejectedIdentifier', detail: 'not this name' }
  for (let tries = 0; tries < 4; tries++) {
    await check(keeper())
    clock.time += MINUTE_MS
  }
  assert.match(lines[3]!, /the authority refused \/new-order: not this name;/)
  const asked = authority.requests.length
  assert.equal(await check(keeper()), 56 * MINUTE_MS)
  assert.match(lines[4]!, /waits until 2026-01-01T01:00:00Z: there were too many orders lately/)
  assert.equal(authority.requests.length, asked)
  clock.time = START + HOUR_MS
  authority.behaviour.refuseOrders = undefined
  assert.equal(await check(keeper()), DAY_MS)
})

test('certificates that were asked for and lost are bounded for a week', async (t) => {
  const { authority, clock, lines, folder, keeper, check } = await house(t)
  authority.behaviour.issueForOtherName = true
  for (let tries = 0; tries < 4; tries++) {
    await check(keeper())
    clock.time += HOUR_MS
  }
  assert.match(lines[3]!, /the authority's certificate is not for sheaf\.example/)
  assert.equal(existsSync(join(folder, 'certificate.pem')), false)
  authority.behaviour.issueForOtherName = false
  assert.equal(await check(keeper()), 7 * DAY_MS - 4 * HOUR_MS)
  assert.equal(authority.orders.length, 4)
  clock.time = START + 7 * DAY_MS
  assert.equal(await check(keeper()), DAY_MS)
})

test("an authority's Retry-After is obeyed, and a bad nonce is taken with good humour", async (t) => {
  const { authority, lines, served, keeper, check } = await house(t)
  const detail = 'too many\ncertificates\u001b[2J already'
  authority.behaviour.refuseOrders = { status: 429, type: 'rateLimited', detail, retryAfter: '7200' }
  assert.equal(await check(keeper()), 2 * HOUR_MS)
  assert.match(lines[0]!, /: too many certificates \[2J already; .*the next try is at 2026-01-01T02:00:00Z$/)
  authority.behaviour.refuseOrders = { status: 429, type: 'rateLimited', detail, retryAfter: '99999999' }
  assert.equal(await check(keeper()), 7 * DAY_MS)
  authority.behaviour.refuseOrders = undefined
  authority.behaviour.badNonces = 7
  await check(keeper())
  assert.equal(served.length, 1)
})

test('a clock that is far ahead does not lead to one order after the other', async (t) => {
  const { clock, served, keeper, check } = await house(t, { aheadMs: 80 * DAY_MS })
  const kept = keeper()
  assert.equal(await check(kept), DAY_MS)
  clock.time += 30 * DAY_MS - 1
  assert.equal(await check(kept), 1)
  assert.equal(served.length, 1)
  clock.time += 1
  await check(kept)
  assert.equal(served.length, 2)
})

test('a port or a folder that is not to be had costs the authority nothing', async (t) => {
  const { authority, lines, folder, keeper, check } = await house(t)
  const other = createServer()
  const httpPort = await freePort()
  await new Promise<void>((resolve) => other.listen(httpPort, resolve))
  t.after(() => other.close())
  await check(keeper({ httpPort }))
  assert.match(lines[0]!, /can't listen on port \d+: another program uses it; the authority has to reach/)
  writeFileSync(join(folder, 'journal.json'), '{')
  await check(keeper())
  assert.match(lines[1]!, /journal\.json can't be used/)
  rmSync(folder, { recursive: true })
  mkdirSync(join(folder, '..'), { recursive: true })
  writeFileSync(folder, '')
  await check(keeper())
  assert.match(lines[2]!, /ENOTDIR|EEXIST/)
  assert.deepEqual(authority.requests, [])
})

test('a running keeper hands over the new certificate, and then only waits', async (t) => {
  const { authority, keeper, lines } = await house(t)
  const kept = keeper()
  const pair = await new Promise<CertificatePair>((resolve) => kept.start(resolve))
  assert.ok(authority.issued(pair.cert))
  await kept.stop()
  assert.equal(lines.length, 1)
})

test('stopping gives up an order that the authority does not answer, and says nothing of it', async (t) => {
  const { authority, keeper, lines, served } = await house(t)
  const kept = keeper()
  const asked = new Promise<void>((resolve) => {
    authority.behaviour.hang = resolve
  })
  kept.start((pair) => served.push(pair))
  await asked
  await kept.stop()
  assert.deepEqual([lines, served], [[], []])
})
