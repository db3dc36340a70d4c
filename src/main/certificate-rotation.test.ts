import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type CertificatePair, loadOrCreateCertificate } from '../certificates/load-or-create-certificate.ts'
import { configFrom } from '../config.ts'
import type { TlsIdentity } from '../http/connection/tls-identity.ts'
import { keepCertificatesFresh } from './certificate-rotation.ts'

const DAY = 86_400_000
/** Later than the program was written, or the clock would be taken for wrong. */
const MADE = Date.UTC(2027, 0, 1)
const COPIES = 'clients that keep a copy of it, such as --cacert, need the new one'

async function place(t: TestContext, args: Parameters<typeof configFrom>[1] = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  mkdirSync(join(dataDir, 'tls'))
  const config = configFrom({}, { data: dataDir, ...args })
  const clock = { now: MADE }
  const told: string[] = []
  const log = { info: () => {}, warn: (line: string) => void told.push(line) }
  const pairAt = (now: number): Promise<CertificatePair> => loadOrCreateCertificate(dataDir, {}, { now })
  return { config, dataDir, clock, told, log, pairAt }
}

const ALERTS = { observe: () => {} }
const NO_SITES = { useMain: () => {}, ownCertificate: undefined }

type Parts = Parameters<typeof keepCertificatesFresh>[0]
type Place = Awaited<ReturnType<typeof place>>

/** Serves with certificates; answers what the next one is that is taken up, when the server has looked at its files. */
function serving(
  t: TestContext,
  { config, log, clock }: Place,
  certificate: Parts['certificate'],
  noteCertificates: Parts['accounts']['noteCertificates'] = () => {},
) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let used = Promise.withResolvers<TlsIdentity>()
  const service = { useCertificate: (tls: TlsIdentity) => used.resolve(tls) }
  const accounts = { noteCertificates }
  t.after(
    keepCertificatesFresh({
      config,
      certificate,
      service,
      sites: NO_SITES,
      accounts,
      alerts: ALERTS,
      log,
      now: () => clock.now,
    }),
  )
  return async (at: number): Promise<TlsIdentity> => {
    used = Promise.withResolvers()
    // The look before this one has its end still to come.
    await setImmediate()
    clock.now = at
    t.mock.timers.tick(2000)
    return used.promise
  }
}

describe('a self-made certificate of a server that runs', () => {
  it('is made anew when it has ended, or is not valid yet, and the log says so', async (t) => {
    const here = await place(t)
    const first = await here.pairAt(MADE)
    const next = serving(t, here, { tls: first, keeper: undefined })
    for (const [days, why] of [
      [900, 'ended on Apr  4 22:59:59 2029 GMT'],
      [1, 'was not valid before Jun 18 23:00:00 2029 GMT'],
    ] as const) {
      const { cert, key } = await next(MADE + days * DAY)
      assert.equal(Date.parse(new X509Certificate(cert).validFrom), here.clock.now - DAY / 24)
      assert.equal(key, first.key)
      assert.equal(readFileSync(join(here.dataDir, 'tls', 'cert.pem'), 'utf8'), cert)
      assert.equal(here.told.shift(), `the self-made certificate ${why}, and was made anew: ${COPIES}`)
    }
    assert.deepEqual(here.told, [])
  })

  it('is told of to operators beside that of an authority, and anew when it is another one', async (t) => {
    const here = await place(t, { acmeDomain: ['sheaf.example'] })
    const localhost = await here.pairAt(MADE)
    const authoritys = await loadOrCreateCertificate((await place(t)).dataDir, {}, { now: MADE + 880 * DAY })
    const keeper = { start: () => {}, stop: async () => {} }
    const told: [string, number][][] = []
    const next = serving(t, here, { tls: { ...authoritys, localhost }, keeper }, (certificates) =>
      told.push(certificates.map(({ source, validFrom }) => [source, validFrom])),
    )
    const made = (at: number): number => at - DAY / 24
    const acme = ['acme', made(MADE + 880 * DAY)]
    assert.deepEqual(told, [[acme, ['self-made', made(MADE)]]])
    await next(MADE + 900 * DAY)
    await setImmediate()
    assert.deepEqual(told[1], [acme, ['self-made', made(MADE + 900 * DAY)]])
    t.mock.timers.tick(10_000)
    await setImmediate()
    assert.equal(told.length, 2)
  })

  it('is made anew beside that of an authority, which stays', async (t) => {
    const here = await place(t, { acmeDomain: ['sheaf.example'] })
    const localhost = await here.pairAt(MADE)
    const authoritys = await loadOrCreateCertificate((await place(t)).dataDir, {}, { now: MADE + 880 * DAY })
    const keeper = { start: () => {}, stop: async () => {} }
    const next = serving(t, here, { tls: { ...authoritys, localhost }, keeper })
    const { localhost: renewed, ...main } = await next(MADE + 900 * DAY)
    assert.deepEqual(main, authoritys)
    assert.notEqual(renewed!.cert, localhost.cert)
    assert.ok(
      here.told.includes(
        `the self-made certificate ended on Apr  4 22:59:59 2029 GMT, and was made anew: ${COPIES}`,
      ),
    )
  })
})

describe('any other certificate', () => {
  it('is told of to operators where it is for sites, and as one of sites alone', async (t) => {
    const here = await place(t, { sitesCert: '/etc/sites.pem', sitesKey: '/etc/sites-key.pem' })
    const tls = await here.pairAt(MADE)
    const told: unknown[] = []
    t.mock.timers.enable({ apis: ['setInterval'] })
    const end = keepCertificatesFresh({
      ...{ config: here.config, certificate: { tls, keeper: undefined }, log: here.log, now: () => MADE },
      service: { useCertificate: () => {} },
      sites: { useMain: () => {}, ownCertificate: tls.cert },
      alerts: ALERTS,
      accounts: {
        noteCertificates: (certificates) =>
          told.push(certificates.map(({ source, isOfSites }) => [source, isOfSites])),
      },
    })
    t.after(end)
    assert.deepEqual(told, [
      [
        ['self-made', undefined],
        ['files', true],
      ],
    ])
  })

  it('is warned of when it ends within 21 days, and is left alone', async (t) => {
    const here = await place(t, { tlsCert: '/etc/cert.pem', tlsKey: '/etc/key.pem' })
    const tls = await here.pairAt(MADE)
    here.clock.now = Date.UTC(2029, 2, 20)
    serving(t, here, { tls, keeper: undefined })
    t.mock.timers.tick(10_000)
    assert.deepEqual(here.told, ['the certificate in /etc/cert.pem ends on 2029-04-04, in 15 days; renew it'])
  })
})
