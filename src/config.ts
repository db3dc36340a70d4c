import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { DEFAULT_LIMITS, type Limits } from './domain/limits.ts'
import { AppError } from './errors.ts'

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
  /** Names for the `X-<Name>-API-Key` header and `<Name>.ServerValue.…`; the first is always `Service`. */
  readonly serviceNames: readonly string[]
  readonly limits: Limits
  readonly readerThreads: number
  /** Whether a failing command prints its stack. */
  readonly debug: boolean
}

/** Options of the command line as they were written; each one wins over its environment variable. */
export interface ConfigArgs {
  readonly data?: string | undefined
  readonly port?: string | undefined
  readonly host?: string | undefined
  readonly tlsCert?: string | undefined
  readonly tlsKey?: string | undefined
  readonly serviceName?: readonly string[] | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

interface Range {
  readonly least: number
  readonly most: number
}

const SERVICE_NAME = /^[A-Za-z][A-Za-z0-9-]{0,62}$/
const LIMIT_PREFIX = 'SHEAF_LIMIT_'
const PORTS: Range = { least: 0, most: 65_535 }
const READER_THREADS: Range = { least: 2, most: 64 }
const TIMER_MS = 2 ** 31 - 1

/**
 * How far each limit can be moved. The nesting stays under SQLite's 1,000 levels of JSON; bodies and documents
 * stay under the 512 MiB of text that the runtime can hold.
 */
const LIMIT_RANGES: Readonly<Record<keyof Limits, Range>> = {
  documentBytes: { least: 1, most: 256 * 1024 * 1024 },
  bodyBytes: { least: 1, most: 256 * 1024 * 1024 },
  nestingLevels: { least: 1, most: 500 },
  queryConditions: { least: 1, most: 100_000 },
  inValues: { least: 1, most: 1_000_000 },
  urlBytes: { least: 256, most: 1024 * 1024 },
  bulkDocuments: { least: 1, most: 1_000_000 },
  arrayPaddingElements: { least: 0, most: 1_000_000 },
  queryDeadlineMs: { least: 1, most: TIMER_MS },
  queuedRequests: { least: 1, most: 1_000_000 },
  shutdownMs: { least: 0, most: TIMER_MS },
}

/**
 * Reads the configuration from the environment and the command line.
 * @throws AppError `invalid_configuration`
 */
export function configFrom(env: Environment, args: ConfigArgs = {}): Config {
  const data = setting(args.data, '--data', env.SHEAF_DATA) ?? './data'
  const port = setting(args.port, '--port', env.SHEAF_PORT) ?? '8443'
  const tlsCert = setting(args.tlsCert, '--tls-cert', env.SHEAF_TLS_CERT)
  const tlsKey = setting(args.tlsKey, '--tls-key', env.SHEAF_TLS_KEY)
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw invalid(
      '--tls-cert and --tls-key belong together: give both, or neither for a self-made certificate',
    )
  return Object.freeze({
    dataDir: resolve(data),
    port: integer('the port (--port, SHEAF_PORT)', port, PORTS),
    host: hostFrom(setting(args.host, '--host', env.SHEAF_HOST) ?? 'localhost'),
    ...(tlsCert !== undefined && { tlsCert: resolve(tlsCert) }),
    ...(tlsKey !== undefined && { tlsKey: resolve(tlsKey) }),
    serviceNames: serviceNamesFrom(args.serviceName ?? env.SHEAF_SERVICE_NAMES?.split(',')),
    limits: limitsFrom(env),
    readerThreads: readerThreadsFrom(env.SHEAF_READER_THREADS),
    debug: debugFrom(env),
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

/** An empty variable counts as not set, as shells and containers leave them; an empty option is a mistake. */
function setting(option: string | undefined, name: string, variable: string | undefined): string | undefined {
  if (option === '') throw invalid(`${name} is empty; give it a value or leave it out`)
  return option ?? (variable === '' ? undefined : variable)
}

function hostFrom(text: string): string {
  const host = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (host !== '' && !/[\s/[\]@?#]/.test(host)) return host
  throw invalid(`${JSON.stringify(text)} is not a host; use localhost, an IP address or a host name, no URL`)
}

function serviceNamesFrom(names: readonly string[] | undefined): readonly string[] {
  const others = (names ?? []).map((name) => name.trim()).filter((name) => name !== '')
  const wrong = others.find((name) => !SERVICE_NAME.test(name))
  if (wrong !== undefined)
    throw invalid(
      `${JSON.stringify(wrong)} can't be a service name; use letters, digits and -, a letter first`,
    )
  return Object.freeze([...new Set(['Service', ...others])])
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

/** At least two, so that a long scan never stands before every other read. */
function readerThreadsFrom(text: string | undefined): number {
  if (text === undefined || text === '') return Math.min(8, Math.max(2, availableParallelism()))
  return integer('SHEAF_READER_THREADS', text, READER_THREADS)
}

function integer(name: string, text: string, { least, most }: Range): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalid(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`)
}

function invalid(message: string): AppError {
  return new AppError('invalid_configuration', message)
}
