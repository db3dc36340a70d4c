import type { CertificateKeeper } from '../acme/certificate-keeper.ts'
import { createInTurn, type InTurn } from '../acme/in-turn.ts'
import type { AlertBoard } from '../alerts/alert-board.ts'
import { dateConditions, ExpiryWarning, type ServedCertificate } from '../certificates/certificate-dates.ts'
import { CertificateWatch } from '../certificates/certificate-watch.ts'
import { describeCertificate } from '../certificates/describe-certificate.ts'
import {
  type CertificatePair,
  certificateFiles,
  isDueForRenewal,
  loadOrCreateCertificate,
} from '../certificates/load-or-create-certificate.ts'
import type { Config } from '../config.ts'
import type { AlertCondition } from '../domain/alerts.ts'
import type { CertificateFacts } from '../domain/server-facts.ts'
import type { TlsIdentity } from '../http/connection/tls-identity.ts'
import type { Log } from '../http/log/log.ts'
import type { AccountsWorker } from './accounts-worker.ts'
import type { HttpService } from './open-http.ts'
import type { SiteCertificates } from './site-certificates.ts'

export interface FirstCertificate {
  readonly tls: TlsIdentity
  /** Of certificates from an authority. */
  readonly keeper: Pick<CertificateKeeper, 'start' | 'stop'> | undefined
}

/** With what whoever orders certificates beside it has to hold to. */
interface FirstOfSeveral extends FirstCertificate {
  readonly inTurn: InTurn
}

/** What to start with, whatever an authority may bring later. ACME is loaded only where it was asked for. */
export async function firstCertificate(config: Config, log: Log): Promise<FirstOfSeveral> {
  const { dataDir, acme } = config
  const inTurn = createInTurn()
  if (acme === undefined) return { tls: await loaded(config, log), keeper: undefined, inTurn }
  const { CertificateKeeper } = await import('../acme/certificate-keeper.ts')
  const keeper = new CertificateKeeper({ dataDir, acme, log, inTurn })
  const current = keeper.current()
  if (current === undefined) {
    const localhost = await loaded(config, log)
    return { tls: { ...localhost, localhost }, keeper, inTurn }
  }
  return { tls: { ...current, localhost: await selfMadeIfUsable(config, log) }, keeper, inTurn }
}

function loaded(config: Config, log: Pick<Log, 'warn'>, now = Date.now()): Promise<CertificatePair> {
  return loadOrCreateCertificate(config.dataDir, config, { now, warn: (message) => log.warn(message) })
}

/** With a certificate from an authority the self-made one is of use on this machine alone, and no start fails over it. */
async function selfMadeIfUsable(config: Config, log: Log): Promise<CertificatePair | undefined> {
  try {
    return await loaded(config, log)
  } catch (error) {
    log.warn(`https://localhost is served with the certificate for other names: ${(error as Error).message}`)
    return undefined
  }
}

type Served = Pick<ServedCertificate, 'cert'>
type KnownCertificate = ServedCertificate & Pick<CertificateFacts, 'source' | 'isOfSites'>

/** Orders that failed one after the other: the first ones may be passing trouble. */
const TOLD_FAILURES = 3

const SELF_MADE = { source: 'self-made', name: 'the self-made certificate' } as const

interface FreshnessParts {
  readonly config: Config
  readonly certificate: FirstCertificate
  readonly service: Pick<HttpService, 'useCertificate'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly now?: () => number
  readonly sites: Pick<SiteCertificates, 'useMain' | 'ownCertificate'>
  /** Told of what is served, at once and whenever it is something else. */
  readonly accounts: Pick<AccountsWorker, 'noteCertificates'>
  readonly alerts: Pick<AlertBoard, 'observe'>
}

/**
 * A certificate that was renewed, by whatever means, is taken up without a restart, and one that was made here is made
 * anew when it is time. Of one that ends, or is not valid, the log tells. Answers how to end that.
 */
export function keepCertificatesFresh(parts: FreshnessParts): () => Promise<void> {
  const { config, certificate, sites, log, accounts, alerts, now = Date.now } = parts
  const { keeper } = certificate
  // That of an authority, or the operator's own, or the self-made one; and the self-made one beside an authority's.
  let { localhost, ...main } = certificate.tls
  const isSelfMadeServed = config.tlsCert === undefined && (keeper === undefined || localhost !== undefined)
  const expiry = new ExpiryWarning(log)
  const use = (tls: TlsIdentity): void => {
    sites.useMain(tls)
    parts.service.useCertificate(tls)
  }
  let told: unknown
  let orders: readonly AlertCondition[] = []
  const look = (): void => {
    const served = servedCertificates(config, { main, localhost, ofSites: sites.ownCertificate })
    expiry.check(served, now())
    alerts.observe('certificate', [...dateConditions(served, now()), ...orders])
    const certs = served.map(({ cert }) => String(cert)).join('')
    if (certs === told) return
    told = certs
    accounts.noteCertificates(
      served.map(({ name: _, cert, ...known }) => ({ ...known, ...describeCertificate(cert) })),
    )
  }
  const watch = new CertificateWatch({
    files: certificateFiles(config.dataDir, config),
    isDue: () => isSelfMadeServed && isDueForRenewal((localhost ?? main).cert, now()),
    async reload() {
      const pair = await loaded(config, log, now())
      if (keeper === undefined || main.cert === localhost?.cert) main = pair
      if (keeper !== undefined) localhost = pair
      use({ ...main, ...(localhost !== undefined && { localhost }) })
    },
    onCheck: look,
    log,
  })
  keeper?.start(
    (pair) => {
      orders = []
      main = pair
      use(pair)
    },
    (line, failures) => {
      if (failures >= TOLD_FAILURES) orders = [{ subject: 'renewal', message: line }]
    },
  )
  look()
  return async () => {
    watch.close()
    await keeper?.stop()
  }
}

function servedCertificates(
  config: Config,
  {
    main,
    localhost,
    ofSites,
  }: { main: Served; localhost: Served | undefined; ofSites: Served['cert'] | undefined },
): readonly KnownCertificate[] {
  const served: KnownCertificate[] = []
  // Until an authority has given one, the self-made one is served to everybody.
  if (main.cert !== localhost?.cert) served.push({ ...mainCertificate(config), cert: main.cert })
  if (localhost !== undefined) served.push({ ...SELF_MADE, cert: localhost.cert })
  if (ofSites !== undefined) served.push({ ...siteCertificate(config), cert: ofSites })
  return served
}

function mainCertificate({ acme, tlsCert }: Config): Omit<KnownCertificate, 'cert'> {
  if (acme !== undefined) return { source: 'acme', name: `the certificate for ${acme.domains.join(', ')}` }
  return tlsCert === undefined ? SELF_MADE : { source: 'files', name: `the certificate in ${tlsCert}` }
}

function siteCertificate({ sitesCert }: Config): Omit<KnownCertificate, 'cert'> {
  return { source: 'files', isOfSites: true, name: `the certificate in ${sitesCert}` }
}
