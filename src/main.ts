import type { AddressInfo } from 'node:net'
import { linkOrigin, serverAddress } from './config/link-origin.ts'
import type { Config } from './config.ts'
import { createQuotaUses } from './credentials/quota-uses.ts'
import type { Alert } from './domain/alerts.ts'
import { AppError } from './errors.ts'
import { createLog, type Log } from './http/log/log.ts'
import { firstCertificate, keepCertificatesFresh } from './main/certificate-rotation.ts'
import { collectQueryStats } from './main/collect-query-stats.ts'
import { createAccountsWorker } from './main/create-accounts-worker.ts'
import { fitToMachine } from './main/fit-to-machine.ts'
import { keepBackups } from './main/keep-backups.ts'
import { keepBins } from './main/keep-bins.ts'
import { keepTidy } from './main/keep-tidy.ts'
import { keepTraffic } from './main/keep-traffic.ts'
import { type LocalService, type LocalServiceParts, openLocalService } from './main/local-service.ts'
import { memoryBytes } from './main/memory-bytes.ts'
import { MetricsReader } from './main/metrics-reader.ts'
import { openFilesLimit, watchOpenFiles } from './main/open-files.ts'
import { openHttp } from './main/open-http.ts'
import { openSiteCertificates } from './main/site-certificates.ts'
import { watchAlerts } from './main/watch-alerts.ts'
import { watchQuotas } from './main/watch-quotas.ts'
import { offerSetupLink } from './operations/offer-setup-link.ts'
import { type FirstStart, isProvisioned, provision } from './operations/provision.ts'
import { createSharedMemory, type SharedMemory } from './shared-memory/memory-budget.ts'
import { sitesToCollect } from './sites/to-collect.ts'
import type { OpenedSqliteStore } from './storage/sqlite/client/sqlite-store.ts'
import { openSqliteStore } from './storage/sqlite/client/store.ts'
import { type ControlFile, openControlFile } from './storage/sqlite/control/control-file.ts'
import { lockDataFolder, openDataFolder } from './storage/sqlite/files/data-folder.ts'
import { sweepTemporaryFolders } from './storage/sqlite/files/temporary-folder.ts'

export interface RunningServer {
  readonly addresses: readonly string[]
  /** Where there is no account yet: what makes the first one, for a day. */
  readonly setupLink: string | undefined
  /** Finishes what is in flight and closes every file. */
  close(): Promise<void>
}

const TOO_LITTLE_MEMORY =
  'this process has so little memory that clients can bring it to its end; give it 256 MiB, or fewer threads'

/**
 * Wires the parts and starts them: data folder, store, then the HTTPS service.
 * @param onFirstStart shows the key of a new data folder, which is shown nowhere else; where it throws, the start fails
 * @throws AppError `invalid_configuration` where the machine is too small, `data_folder_unusable`, `data_folder_in_use`, `invalid_certificate`, `port_unavailable`
 */
export async function startServer(
  wanted: Config,
  onFirstStart: (first: FirstStart) => void,
): Promise<RunningServer> {
  const fitted = fitToMachine(wanted, { openFiles: openFilesLimit(), memory: memoryBytes(wanted.memory) })
  const { config, memoryShares } = fitted
  const shared = { memory: createSharedMemory(memoryShares.budgetBytes), quotaUses: createQuotaUses() }
  const { dataDir, limits } = config
  const log = createLog(config.logLevel)
  const end = endBy(log)
  process.on('uncaughtException', end)
  const toClose: (() => unknown)[] = [() => log.close(), () => process.off('uncaughtException', end)]
  const closeAll = async (): Promise<void> => {
    for (const close of toClose.toReversed()) await close()
  }
  try {
    openDataFolder(dataDir)
    const lock = lockDataFolder(dataDir)
    toClose.push(() => lock.release())
    sweepTemporaryFolders(dataDir)
    const { tls, keeper, inTurn } = await firstCertificate(config, log)
    // Made here, so that a new data folder is whole before any thread looks at it.
    const control = await openControlFile(dataDir)
    toClose.push(() => control.close())
    const store = await openStore(fitted, { ...shared, log })
    toClose.push(() => store.close(), watchOpenFiles({ log, release: () => store.releaseFiles() }))
    if (!memoryShares.isSufficient) log.warn(TOO_LITTLE_MEMORY)
    const { observer, close: closeStats } = collectQueryStats({ config, store, control, log })
    let { port } = config
    const originOfLinks = (): string => linkOrigin(config, port)
    const sources = { note: (all: readonly Alert[]) => accounts.noteAlerts(all), traffic: () => traffic }
    const { board: alerts, close: closeAlerts } = watchAlerts({ config, control, log, ...sources })
    const accounts = createAccountsWorker(config, { memoryShares, ...shared, log, originOfLinks, alerts })
    const traffic = keepTraffic(config, { accounts, control, log })
    const toStore = [() => accounts.close(), () => traffic.close()]
    toClose.push(closeStats, ...toStore, closeAlerts, keepBins({ store, log }))
    const collecting = { sitesToCollect: () => sitesToCollect(dataDir) }
    toClose.push(keepTidy({ control, accounts, ...collecting, log }), keepBackups(config, { accounts, log }))
    toClose.push(watchQuotas({ dataDir, ...shared, store, control, ...collecting, log }))
    const metrics = new MetricsReader(config, { control, store, traffic, accounts, alerts })
    const sites = await openSiteCertificates({ config, tls, inTurn, store, log })
    const serving = { config, ...shared, store, observer, accounts, log }
    const service = await openHttp({ ...serving, traffic, metrics, tls, sites, onEnd: end })
    port = service.listening[0]!.port
    const freshness = { config, certificate: { tls, keeper }, service, sites, accounts, alerts, log }
    const local = await commandService(serving)
    toClose.push(() => Promise.all([service.close(), local?.close()]), keepCertificatesFresh(freshness))
    toClose.push(sites.keepFresh(service))
    if (!isProvisioned(control)) await firstStart({ dataDir, limits }, onFirstStart)
    // Whatever was made, by this start or one that was killed, is there when the first request comes.
    await service.refreshDirectory()
    const setupLink = setupLinkOf(control, { origin: originOfLinks(), log })
    return { addresses: addressesOf(config, service.listening), setupLink, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

function openStore(
  { config, openApps, memoryShares }: ReturnType<typeof fitToMachine>,
  { memory, log }: { readonly memory: SharedMemory; readonly log: Log },
): Promise<OpenedSqliteStore> {
  const { dataDir, limits, serviceNames } = config
  return openSqliteStore({
    ...{ dataDir, limits, serviceNames, openApps, memory, memoryShares },
    ...readerThreads(config),
    onFailure: (error) => log.fault('the store failed', error),
    onDamage: (line) => log.warn(line),
  })
}

/** The query builder is loaded for this, and not for the starts that follow. */
async function firstStart(
  options: { dataDir: string; limits: Config['limits'] },
  show: (first: FirstStart) => void,
): Promise<void> {
  const { openAccounts } = await import('./storage/sqlite/control/open-accounts.ts')
  const accounts = await openAccounts(options)
  try {
    await provision(accounts, { show })
  } finally {
    await accounts.close()
  }
}

/** Commands that need a server are refused where there can be no socket; everything else goes on. */
async function commandService(parts: LocalServiceParts): Promise<LocalService | undefined> {
  try {
    return await openLocalService(parts)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    parts.log.warn(error.message)
    return undefined
  }
}

/** What curl is given on this machine: the name that the self-made certificate is for, where that name leads here. */
function addressesOf(config: Config, listening: readonly AddressInfo[]): string[] {
  return [...new Set(listening.map(({ port }) => serverAddress(config, port)))]
}

/** A disk that is full keeps nobody from reading what is there. */
function setupLinkOf(
  control: ControlFile,
  { origin, log }: { readonly origin: string; readonly log: Log },
): string | undefined {
  try {
    return offerSetupLink(control, { origin, now: Date.now })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn(`no link for the first account was made: ${error.message}; "sheaf account setup-link" makes one`)
    return undefined
  }
}

/** After a failure that nobody expected nothing is known to be right any more; the log is the place to say why. */
function endBy(log: Log): (error: unknown) => void {
  return (error) => {
    log.fault('the server ends because of an unexpected failure', error)
    log.end()
    process.exit(1)
  }
}

/** Half of the readers are for the foreground. */
function readerThreads({ readerThreads: all }: Config): {
  foregroundThreads: number
  backgroundThreads: number
} {
  const foregroundThreads = Math.max(1, Math.floor(all / 2))
  return { foregroundThreads, backgroundThreads: Math.max(1, all - foregroundThreads) }
}
