import { Resolver } from 'node:dns/promises'
import { availableParallelism } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { KeptAlerts } from '../alerts/alert-service.ts'
import { createSendWebhook } from '../alerts/send-webhook.ts'
import { WebhookQueue } from '../alerts/webhook-queue.ts'
import { siteUrl } from '../config/site-origin.ts'
import { OpenIdProvider } from '../credentials/identity-provider.ts'
import { createPasskeys } from '../credentials/passkeys.ts'
import { createPasswords } from '../credentials/password.ts'
import { QuotaUses } from '../credentials/quota-uses.ts'
import { createResetLimits } from '../credentials/reset-limits.ts'
import { createSignInLimits } from '../credentials/sign-in-limits.ts'
import { createTokenBuckets } from '../credentials/token-buckets.ts'
import { performCall } from '../dashboard-api/perform-call.ts'
import type { CertificateFacts, ServerFacts } from '../domain/server-facts.ts'
import { domainProblem } from '../domain/site-domain.ts'
import { reservedSlug } from '../domain/site-hosts.ts'
import { AppError } from '../errors.ts'
import { rareWarning } from '../http/log/rare-warning.ts'
import { createMailService } from '../mail/mail-service.ts'
import { backupConditions } from '../operations/backup-conditions.ts'
import type { AccountsContext } from '../operations/context.ts'
import { keepDueBackup, nextBackup } from '../operations/keep-backup.ts'
import { createLookup } from '../outbound/resolve-addresses.ts'
import { QueryStatsFile } from '../query-stats/query-stats-file.ts'
import { createProveDomain } from '../sites/prove-domain.ts'
import type { SiteDomains } from '../sites/site-domains.ts'
import type { AccountStore } from '../storage/account-store.ts'
import { openAccounts } from '../storage/sqlite/control/open-accounts.ts'
import { measureDisk, measureStorage } from '../storage/sqlite/files/measure-storage.ts'
import { SqliteIndexRegistry } from '../storage/sqlite/index-registry.ts'
import { failureOf } from '../storage/sqlite/protocol/failures.ts'
import { monotonicMs } from '../storage/sqlite/protocol/monotonic.ts'
import { SqliteBackups } from '../storage/sqlite/sqlite-backups.ts'
import { SqliteSites } from '../storage/sqlite/sqlite-sites.ts'
import type {
  AccountCallMessage,
  AccountResultMessage,
  AccountsThreadReport,
  AccountsThreadRequest,
  AccountsThreadSettings,
  AddTrafficRequest,
} from './accounts-thread-protocol.ts'
import { createTrafficUpkeep } from './create-traffic-upkeep.ts'
import { LOOK_MS } from './keep-backups.ts'
import { keepRunNotes } from './run-notes.ts'

/** Between two looks whether something is to be done about traffic, where none comes. */
const UPKEEP_MS = 60 * 1000
/** That one name server has for an answer. */
const RESOLVE_MS = 2_000

/*
 * Does what is done with accounts for all threads that serve HTTP, so that none of them waits for the disk or hashes a
 * password, and so that failed sign-ins and hashes under way are counted once for the process.
 */
const {
  dataDir,
  limits,
  origin,
  sitesDomain,
  ownHosts,
  isSignupOpen,
  mail: mailServer,
  slowMs,
  isAutoIndexOn,
  quotaUses: quotaMemory,
  identityProvider: providerSettings,
  pageBytes,
  backups: schedule,
  webhookHosts,
  process: started,
} = workerData as AccountsThreadSettings
const passwords = createPasswords({ cores: availableParallelism() })
// Sites have the port of whatever the dashboard is reached by.
const sites = { domain: sitesDomain, urlOf: (host: string) => siteUrl({ publicUrl: origin }, 0, host) }
const passkeys = createPasskeys(origin, monotonicMs)
const signInLimits = createSignInLimits(monotonicMs)
const limitResets = createResetLimits(monotonicMs)
const takeRequest = createTokenBuckets(monotonicMs)
const quotaUses = new QuotaUses(quotaMemory, Date.now)
const underWay = new Set<Promise<void>>()
const report = (of: AccountsThreadReport): void => parentPort!.postMessage(of)
const tell = (error: unknown): void => report({ failed: 'work', failure: failureOf(error) })
const indexes = new SqliteIndexRegistry({ dataDir, pageBytes, onFailure: tell })
const backups = new SqliteBackups({
  ...{ dataDir, schedule, limits, version: started.version, now: Date.now },
  onProblem: (line) => report({ failed: 'site', line }),
})
const siteFiles = new SqliteSites({
  ...{ dataDir, limits, onFailure: tell },
  keptOf: async (app) => (await (await open()).listDeploys(app)).map(({ manifest }) => manifest),
})
const mail = mailServer && createMailService(mailServer, { origin, onFailure: tellOfMail, now: monotonicMs })
const queryStats = new QueryStatsFile({ dataDir })
const tellOfSignIn = (line: string): void => report({ failed: 'sign-in', line })
const identityProvider =
  providerSettings &&
  new OpenIdProvider(providerSettings, {
    origin,
    now: monotonicMs,
    onFailure: rareWarning({ warn: tellOfSignIn }),
    onRefusal: rareWarning({ warn: tellOfSignIn }),
  })
const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 2 })
const lookup = createLookup(resolver, webhookHosts)
const alerts = new KeptAlerts({
  ...{ store: open, webhookHosts, server: origin },
  queue: new WebhookQueue({
    ...{ store: open, now: Date.now, random: Math.random },
    send: createSendWebhook({ lookup, hosts: webhookHosts, now: Date.now }),
    onProblem: (line) => report({ failed: 'webhook', line }),
  }),
})
let certificates: readonly CertificateFacts[] = []
const server: ServerFacts = {
  process: () => {
    const { memoryBytes, ...facts } = started
    return { ...facts, memory: { usedBytes: process.memoryUsage.rss(), mostBytes: memoryBytes } }
  },
  certificates: () => certificates,
  disk: () => measureDisk(dataDir),
  storage: () => measureStorage(dataDir),
}
/** Of the server itself. */
const hostNames = () => {
  const certified = certificates.filter(({ isOfSites }) => isOfSites !== true).flatMap(({ names }) => names)
  return { domain: sitesDomain, ownHosts: ownHosts.union(new Set(certified)) }
}
const siteDomains: SiteDomains = {
  problem: (domain) => domainProblem(domain, hostNames()),
  prove: createProveDomain({ resolver }),
}
const siteProblem = (slug: string): string | undefined => {
  const { ownHosts } = hostNames()
  if (sitesDomain !== undefined) return reservedSlug(slug, { domain: sitesDomain, ownHosts })
  return 'this server has no domain for sites (--sites-domain)'
}
const upkeep = createTrafficUpkeep({ dataDir, open, indexes })
const upkeepTimer = setInterval(lookAfterTraffic, UPKEEP_MS)
const runNotes = keepRunNotes({ open, startedAt: started.startedAt, onFailure: tellUnlessClosing })
let opening: Promise<AccountStore> | undefined
let nextLook: NodeJS.Timeout | undefined
let isClosing = false

/** What can't be opened is tried anew by the next call. */
function open(): Promise<AccountStore> {
  opening ??= openAccounts({ dataDir, limits }).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

function contextWith(accounts: AccountStore): AccountsContext {
  return {
    ...{
      accounts,
      passwords,
      passkeys,
      signInLimits,
      limitResets,
      mail,
      origin,
      sites,
      isSignupOpen,
      identityProvider,
    },
    ...{ siteFiles, siteProblem, siteDomains, quotaUses, alerts },
    ...{ slowMs, isAutoIndexOn, server, indexes, queryStats, backups, limits, now: Date.now },
  }
}

async function answer(port: MessagePort, [id, call]: AccountCallMessage): Promise<void> {
  const post = (message: AccountResultMessage): void => port.postMessage(message)
  try {
    const context = contextWith(await open())
    post([id, await performCall({ context, takeRequest }, call)])
  } catch (error) {
    post([id, undefined, failureOf(error)])
  }
}

function serve(port: MessagePort): void {
  // What went wrong is told to whoever calls.
  open().then(
    () => alerts.queue.resume(),
    () => undefined,
  )
  port.on('message', (message: AccountCallMessage) => {
    keep(answer(port, message))
  })
}

/** Nothing waits for it: what fails is told to the log, and tried again by whoever looks next. */
async function tidy(): Promise<void> {
  await open()
    .then((accounts) => accounts.tidy())
    .then(() => siteFiles.collectLeft())
    .catch(tell)
}

/** Whoever counted it keeps it where it can't be stored. */
async function addTraffic({ id, delta, note }: AddTrafficRequest): Promise<void> {
  try {
    await (await open()).addTraffic(delta, note)
    report({ addedTraffic: id })
    lookAfterTraffic()
  } catch (error) {
    report({ addedTraffic: id, failure: failureOf(error) })
  }
}

/** A stop doesn't wait for it. */
function lookAfterTraffic(): void {
  upkeep.look().catch(tellUnlessClosing)
}

function tellUnlessClosing(error: unknown): void {
  if (!isClosing) tell(error)
}

/** As with tidying. */
async function backUp(): Promise<void> {
  await open()
    .then(async (accounts) => {
      const context = contextWith(accounts)
      await keepDueBackup(context, { kind: 'command-line', actor: 'schedule' }).catch(tellOfBackup)
      report({ backups: await backupConditions(context, started.startedAt) })
      await lookWhenDue(context)
    })
    .catch(tell)
}

/** One that is given up because the server stops is no failure; all others are, and most say why in words. */
function tellOfBackup(error: unknown): void {
  if (!(error instanceof AppError)) tell(error)
  else if (!isClosing) report({ failed: 'backup', failure: failureOf(error) })
}

/** Messages that are given up say why in words. */
function tellOfMail(error: unknown): void {
  if (error instanceof AppError) report({ failed: 'mail', line: error.message })
  else tell(error)
}

/** Begins the next one at its time, and not when it is looked again, or it would come later each day. */
async function lookWhenDue(context: AccountsContext): Promise<void> {
  const waitMs = ((await nextBackup(context)) ?? Number.POSITIVE_INFINITY) - Date.now()
  clearTimeout(nextLook)
  // What is due already is under way, or has failed, and waits for the next look.
  if (waitMs > 0 && waitMs < LOOK_MS && !isClosing) nextLook = setTimeout(() => keep(backUp()), waitMs)
}

function keep(work: Promise<void>): void {
  underWay.add(work)
  void work.finally(() => underWay.delete(work))
}

async function close(): Promise<void> {
  isClosing = true
  clearTimeout(nextLook)
  clearInterval(upkeepTimer)
  runNotes.stop()
  // It would take minutes, and the next start makes another.
  await backups.close()
  await siteFiles.close()
  // First the webhook is given up, for which a call may wait.
  await Promise.all([alerts.close(), ...underWay])
  await mail?.close()
  await indexes.close()
  const accounts = await opening?.catch(() => undefined)
  await accounts?.close()
  // Ends this thread alone.
  process.exit(0)
}

parentPort!.on('message', (request: AccountsThreadRequest) => {
  if (request.ask === 'serve') serve(request.port)
  else if (request.ask === 'note-alerts') keep(alerts.note(request.alerts).catch(tell))
  else if (request.ask === 'tidy') keep(tidy())
  else if (request.ask === 'back-up') keep(backUp())
  else if (request.ask === 'add-traffic') keep(addTraffic(request))
  else if (request.ask === 'note-certificates') certificates = request.certificates
  else void close()
})
