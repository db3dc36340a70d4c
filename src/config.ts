import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { type AcmeConfig, acmeFrom } from './config/acme.ts'
import { type AlertArgs, type AlertConfig, alertsFrom } from './config/alerts.ts'
import { type BackupArgs, type BackupConfig, backupsFrom } from './config/backups.ts'
import { certificatesFrom } from './config/certificates.ts'
import { type MailArgs, mailFrom } from './config/mail.ts'
import { metricsTokenHashFrom } from './config/metrics.ts'
import { type OidcArgs, oidcFrom } from './config/oidc.ts'
import { publicUrlFrom } from './config/public-url.ts'
import {
  type Environment,
  integer,
  invalid,
  listSetting,
  type Range,
  setting,
  switchFrom,
} from './config/settings.ts'
import { sitesDomainFrom } from './config/site-origin.ts'
import { tracingFrom } from './config/tracing.ts'
import type { IdentityProviderSettings } from './domain/identity-provider.ts'
import { DEFAULT_LIMITS, type Limits } from './domain/limits.ts'
import { LOG_LEVELS, type LogLevel } from './domain/log-level.ts'
import type { MailServer } from './domain/mail.ts'
import { networkProblem } from './domain/network.ts'
import { serviceNamesFrom } from './domain/service-names.ts'
import type { TraceSettings } from './domain/trace-settings.ts'

/** Everything an operator can choose, checked and frozen. No other module reads the environment. */
export interface Config {
  /** Absolute. */
  readonly dataDir: string
  /** 0 takes any free port. */
  readonly port: number
  /** `localhost` means 127.0.0.1 and ::1, both. */
  readonly host: string
  /** The operator's own certificate, as absolute paths; both or neither. */
  readonly tlsCert?: string
  readonly tlsKey?: string
  /** The operator's certificate for hosts of sites, as absolute paths; both or neither. */
  readonly sitesCert?: string
  readonly sitesKey?: string
  /** Whether, and for which names, certificates come from an authority by ACME. */
  readonly acme?: AcmeConfig
  readonly alerts: AlertConfig
  /** Undefined where there is no folder for backups. */
  readonly backups: BackupConfig | undefined
  /** Undefined where no mail is sent. */
  readonly mail: MailServer | undefined
  /** The origin that browsers reach the server by, such as `https://db.example.org`; undefined where it was not given. */
  readonly publicUrl: string | undefined
  /** Below which apps have their sites, in lower case and ASCII; undefined where none are served. */
  readonly sitesDomain: string | undefined
  /** Whether anybody may make an account. */
  readonly isSignupOpen: boolean
  /** Undefined where accounts are signed in to without one. */
  readonly identityProvider: IdentityProviderSettings | undefined
  /** Names for the `X-<Name>-API-Key` header and `<Name>.ServerValue.…`; the first is always `Service`. */
  readonly serviceNames: readonly string[]
  /** Networks in CIDR form of the proxies whose word about a client's address is taken. */
  readonly trustProxy: readonly string[]
  /** SHA-256 of the token that opens the metrics from anywhere; undefined where only this machine may read them. */
  readonly metricsTokenHash: Uint8Array | undefined
  /** Undefined where nothing is traced. */
  readonly tracing: TraceSettings | undefined
  readonly limits: Limits
  /** Bytes of memory that the process may use; undefined where the system says it. */
  readonly memory?: number
  readonly readerThreads: number
  /** Threads that serve HTTP; one is the main thread itself. */
  readonly httpThreads: number
  /** Whether a failing command prints its stack. */
  readonly debug: boolean
  readonly logLevel: LogLevel
  /** Whether indexes are made and dropped without being asked for. */
  readonly autoIndex: boolean
  /** Whether answers are compressed for clients that ask for it. */
  readonly compression: boolean
  /** Milliseconds in the store from which on a read is slow. */
  readonly slowMs: number
}

/** Options of the command line as they were written; each one wins over its environment variable. */
export interface ConfigArgs extends AlertArgs, BackupArgs, MailArgs, OidcArgs {
  readonly data?: string | undefined
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
  readonly sitesCert?: string | undefined
  readonly sitesKey?: string | undefined
  readonly acmeDomain?: readonly string[] | undefined
  readonly acmeEmail?: string | undefined
  readonly acmeDirectory?: string | undefined
  readonly acmeHttpPort?: string | undefined
  readonly acmeSites?: string | undefined
  readonly publicUrl?: string | undefined
  readonly sitesDomain?: string | undefined
  readonly openSignup?: string | undefined
  readonly serviceName?: readonly string[] | undefined
  readonly trustProxy?: readonly string[] | undefined
  readonly httpThreads?: string | undefined
  readonly logLevel?: string | undefined
  readonly autoIndex?: string | undefined
  readonly compression?: string | undefined
  readonly slowMs?: string | undefined
}

const LIMIT_PREFIX = 'SHEAF_LIMIT_'
const PORTS: Range = { least: 0, most: 65_535 }
const READER_THREADS: Range = { least: 2, most: 64 }
const HTTP_THREADS: Range = { least: 1, most: 64 }
const LEAST_MEMORY = 64 * 2 ** 20
const TIMER_MS = 2 ** 31 - 1
const SLOW_MS: Range = { least: 1, most: TIMER_MS }

/**
 * How far each limit can be moved. The nesting stays under SQLite's 1,000 levels of JSON; bodies and documents
 * stay under the 512 MiB of text that the runtime can hold.
 */
const LIMIT_RANGES: Readonly<Record<keyof Limits, Range>> = {
  documentBytes: { least: 1, most: 256 * 1024 * 1024 },
  bodyBytes: { least: 1, most: 256 * 1024 * 1024 },
  nestingLevels: { least: 1, most: 500 },
  queryConditions: { least: 1, most: 10_000 },
  inValues: { least: 1, most: 1_000_000 },
  urlBytes: { least: 256, most: 1024 * 1024 },
  bulkDocuments: { least: 1, most: 1_000_000 },
  arrayPaddingElements: { least: 0, most: 1_000_000 },
  queryDeadlineMs: { least: 1, most: TIMER_MS },
  queuedRequests: { least: 1, most: 1_000_000 },
  openRequests: { least: 1, most: 1_000_000 },
  eventLoopDelayMs: { least: 1, most: TIMER_MS },
  openConnections: { least: 1, most: 1_000_000 },
  addressConnections: { least: 1, most: 1_000_000 },
  heldBodyBytes: { least: 1, most: 2 ** 33 },
  keys: { least: 1, most: 100_000 },
  apps: { least: 1, most: 100_000 },
  siteFiles: { least: 1, most: 100_000 },
  siteFileBytes: { least: 1, most: 2 ** 30 },
  siteBytes: { least: 1, most: 2 ** 33 },
  shutdownMs: { least: 0, most: TIMER_MS },
}

/**
 * Reads the configuration from the environment and the command line.
 * @param cores of the processor, which the number of threads follows
 * @throws AppError `invalid_configuration`
 */
export function configFrom(env: Environment, args: ConfigArgs = {}, cores = availableParallelism()): Config {
  const data = setting(args.data, '--data', env.SHEAF_DATA) ?? './data'
  const port = setting(args.port, '--port', env.SHEAF_PORT) ?? '8443'
  const certificates = certificatesFrom(env, args)
  const acme = acmeFrom(env, args)
  if (acme !== undefined && certificates.tlsCert !== undefined)
    throw invalid('--acme-domain and --tls-cert are two ways to a certificate; give one of them')
  const publicUrl = publicUrlFrom(setting(args.publicUrl, '--public-url', env.SHEAF_PUBLIC_URL))
  return Object.freeze({
    dataDir: resolve(data),
    port: integer('the port (--port, SHEAF_PORT)', port, PORTS),
    host: hostFrom(setting(args.host, '--host', env.SHEAF_HOST) ?? 'localhost'),
    ...certificates,
    ...(acme !== undefined && { acme }),
    alerts: alertsFrom(env, args),
    backups: backupsFrom(env, args),
    mail: mailFrom(env, args, publicUrl),
    publicUrl,
    sitesDomain: sitesDomainFrom(
      setting(args.sitesDomain, '--sites-domain', env.SHEAF_SITES_DOMAIN) ?? 'localhost',
    ),
    identityProvider: oidcFrom(env, args, publicUrl),
    isSignupOpen: switchFrom(
      '--open-signup',
      setting(args.openSignup, '--open-signup', env.SHEAF_OPEN_SIGNUP) ?? 'off',
    ),
    serviceNames: serviceNamesFrom(listSetting(args.serviceName, '--service-name', env.SHEAF_SERVICE_NAMES)),
    trustProxy: networksFrom(listSetting(args.trustProxy, '--trust-proxy', env.SHEAF_TRUST_PROXY)),
    metricsTokenHash: metricsTokenHashFrom(env),
    tracing: tracingFrom(env),
    limits: limitsFrom(env),
    ...memoryFrom(env.SHEAF_MEMORY),
    readerThreads: readerThreadsFrom(env.SHEAF_READER_THREADS, cores),
    httpThreads: httpThreadsFrom(setting(args.httpThreads, '--http-threads', env.SHEAF_HTTP_THREADS), cores),
    debug: debugFrom(env),
    logLevel: logLevelFrom(setting(args.logLevel, '--log-level', env.SHEAF_LOG_LEVEL) ?? 'warn'),
    autoIndex: switchFrom('--auto-index', setting(args.autoIndex, '--auto-index', env.SHEAF_AUTO_INDEX)),
    compression: switchFrom(
      '--compression',
      setting(args.compression, '--compression', env.SHEAF_COMPRESSION),
    ),
    slowMs: integer(
      'the time of a slow query (--slow-ms, SHEAF_SLOW_MS)',
      setting(args.slowMs, '--slow-ms', env.SHEAF_SLOW_MS) ?? '500',
      SLOW_MS,
    ),
  })
}

/** Whether failures print their stack; apart from `configFrom`, because that may itself be what fails. */
export function debugFrom(env: Environment): boolean {
  return env.SHEAF_DEBUG !== undefined && env.SHEAF_DEBUG !== '' && env.SHEAF_DEBUG !== '0'
}

/** The name of the variable that moves a limit: `documentBytes` is `SHEAF_LIMIT_DOCUMENT_BYTES`. */
export function limitVariable(limit: keyof Limits): string {
  return LIMIT_PREFIX + limit.replace(/[A-Z]/g, '_$&').toUpperCase()
}

function hostFrom(text: string): string {
  const host = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (host !== '' && !/[\s/[\]@?#]/.test(host)) return host
  throw invalid(`${JSON.stringify(text)} is not a host; use localhost, an IP address or a host name, no URL`)
}

function logLevelFrom(text: string): LogLevel {
  const level = LOG_LEVELS.find((one) => one === text)
  if (level !== undefined) return level
  throw invalid(`${JSON.stringify(text)} is no log level; there are ${LOG_LEVELS.join(', ')}`)
}

function networksFrom(networks: readonly string[]): readonly string[] {
  for (const text of networks) {
    const problem = networkProblem(text)
    if (problem !== undefined)
      throw invalid(
        `${JSON.stringify(text)} is no network to trust proxies in (--trust-proxy, SHEAF_TRUST_PROXY): ${problem}`,
      )
  }
  return Object.freeze(networks)
}

function limitsFrom(env: Environment): Limits {
  const limits: Record<keyof Limits, number> = { ...DEFAULT_LIMITS }
  const names = new Map((Object.keys(DEFAULT_LIMITS) as (keyof Limits)[]).map((l) => [limitVariable(l), l]))
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(LIMIT_PREFIX) || text === undefined || text === '') continue
    const limit = names.get(variable)
    // A limit that is misspelt and then not enforced would be found out too late.
    if (limit === undefined)
      throw invalid(`${variable} is no limit; there are ${[...names.keys()].join(', ')}`)
    limits[limit] = integer(variable, text, LIMIT_RANGES[limit])
  }
  return Object.freeze(limits)
}

/** With the unit that people write, and containers are given. */
function memoryFrom(text: string | undefined): { memory?: number } {
  if (text === undefined || text === '') return {}
  const [, digits, unit] = /^(\d{1,9})(MiB|GiB)$/.exec(text) ?? []
  const memory = Number(digits) * (unit === 'GiB' ? 2 ** 30 : 2 ** 20)
  if (memory >= LEAST_MEMORY) return { memory }
  throw invalid(`SHEAF_MEMORY must be at least 64MiB, as in 512MiB or 2GiB, not ${JSON.stringify(text)}`)
}

/** At least three, one of them for the foreground: so one long scan never stands before every other read. */
function readerThreadsFrom(text: string | undefined, cores: number): number {
  if (text === undefined || text === '') return Math.min(8, Math.max(3, cores))
  return integer('SHEAF_READER_THREADS', text, READER_THREADS)
}

/** All cores but one, which is left to the storage threads; on one or two cores more threads only cost. */
function httpThreadsFrom(text: string | undefined, cores: number): number {
  if (text === undefined) return cores <= 2 ? 1 : Math.min(8, cores - 1)
  return integer('the number of HTTP threads (--http-threads, SHEAF_HTTP_THREADS)', text, HTTP_THREADS)
}
