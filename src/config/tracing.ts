import { readFileSync } from 'node:fs'
import type { BatchSettings, SamplerSettings, TraceSettings } from '../domain/trace-settings.ts'
import { packageVersion } from './package-version.ts'
import { type Environment, integer, invalid, type Range } from './settings.ts'

const MILLISECONDS: Range = { least: 1, most: 2 ** 31 - 1 }
const SPANS: Range = { least: 1, most: 1_000_000 }
const PROTOCOLS = ['http/protobuf', 'http/json'] as const
const COMPRESSIONS = ['none', 'gzip'] as const
/** By the names of the specification: whether they follow a parent, and the share without one. */
const SAMPLERS = {
  always_on: [false, 1],
  always_off: [false, 0],
  traceidratio: [false, undefined],
  parentbased_always_on: [true, 1],
  parentbased_always_off: [true, 0],
  parentbased_traceidratio: [true, undefined],
} as const
const PROPAGATORS: ReadonlySet<string> = new Set(['tracecontext', 'baggage', 'none'])
/** RFC 9110, sections 5.1 and 5.5. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/**
 * Traces by the environment variables that OpenTelemetry has for all programs; undefined where no endpoint is named, or they are
 * turned off.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 * @throws AppError `invalid_configuration` where something is asked for that isn't there
 */
export function tracingFrom(environment: Environment): TraceSettings | undefined {
  // An empty variable counts as not set, as the specification has it, too.
  const env: Environment = Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== ''))
  const url = endpointFrom(env)
  if (url === undefined || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  if (oneOf('OTEL_TRACES_EXPORTER', env, ['otlp', 'none']) === 'none') return undefined
  return {
    url,
    protocol: oneOf(otlp('PROTOCOL', env), env, PROTOCOLS),
    headers: pairsFrom(otlp('HEADERS', env), env, isHeader),
    timeoutMs: number(otlp('TIMEOUT', env), env, { standard: 10_000, range: MILLISECONDS }),
    isCompressed: oneOf(otlp('COMPRESSION', env), env, COMPRESSIONS) === 'gzip',
    ca: contentOf(otlp('CERTIFICATE', env), env),
    clientKey: contentOf(otlp('CLIENT_KEY', env), env),
    clientCertificate: contentOf(otlp('CLIENT_CERTIFICATE', env), env),
    sampler: samplerFrom(env),
    takesParent: takesParentFrom(env.OTEL_PROPAGATORS ?? 'tracecontext,baggage'),
    resource: resourceFrom(env),
    batch: batchFrom(env),
  }
}

/** The name of a variable of the exporter: the one for traces wins over the one for all. */
function otlp(what: string, env: Environment): string {
  const ofTraces = `OTEL_EXPORTER_OTLP_TRACES_${what}`
  return env[ofTraces] === undefined ? `OTEL_EXPORTER_OTLP_${what}` : ofTraces
}

function endpointFrom(env: Environment): string | undefined {
  const name = otlp('ENDPOINT', env)
  const text = env[name]
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw invalid(`${name} must be a URL such as http://localhost:4318, with credentials in headers`)
  if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT') url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  url.hash = ''
  return url.href
}

/** The first of them is the standard. */
function oneOf<Value extends string>(name: string, env: Environment, values: readonly Value[]): Value {
  const text = env[name]?.trim().toLowerCase()
  const value = text === undefined ? values[0] : values.find((each) => each === text)
  if (value !== undefined) return value
  throw invalid(`${name} can be ${values.join(' or ')} here, not ${JSON.stringify(env[name])}`)
}

function number(
  name: string,
  env: Environment,
  { standard, range }: { readonly standard: number; readonly range: Range },
): number {
  const text = env[name]
  return text === undefined ? standard : integer(name, text, range)
}

function contentOf(name: string, env: Environment): string | undefined {
  const file = env[name]
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw invalid(`${name} names a file that can't be read: ${(error as Error).message}`)
  }
}

/** `name=value` with commas between, percent-encoded. What it holds may be secret, and is in no message. */
function pairsFrom(
  name: string,
  env: Environment,
  isGood: (key: string, value: string) => boolean = () => true,
): Record<string, string> {
  const pairs: [string, string][] = []
  for (const text of (env[name] ?? '').split(',').filter((each) => each.trim() !== '')) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    const pair = [key.trim(), decoded(value.trim())] as const
    if (pair[0] === '' || pair[1] === undefined || !isGood(pair[0], pair[1]))
      throw invalid(`${name} must be a list of name=value with commas between, percent-encoded`)
    pairs.push([pair[0], pair[1]])
  }
  return Object.fromEntries(pairs)
}

function isHeader(key: string, value: string): boolean {
  return HEADER_NAME.test(key) && HEADER_VALUE.test(value)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function samplerFrom(env: Environment): SamplerSettings {
  const names = Object.keys(SAMPLERS) as (keyof typeof SAMPLERS)[]
  const standard = env.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on'
  const name = oneOf('OTEL_TRACES_SAMPLER', { OTEL_TRACES_SAMPLER: standard }, names)
  const [followsParent, fixed] = SAMPLERS[name]
  if (fixed !== undefined) return { followsParent, share: fixed }
  const argument = env.OTEL_TRACES_SAMPLER_ARG ?? '1'
  const share = /^\d*\.?\d+$/.test(argument) ? Number(argument) : Number.NaN
  if (share <= 1) return { followsParent, share }
  throw invalid(
    `OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1 for ${name}, not ${JSON.stringify(argument)}`,
  )
}

function takesParentFrom(list: string): boolean {
  const names = list.split(',').map((name) => name.trim().toLowerCase())
  const unknown = names.find((name) => !PROPAGATORS.has(name))
  if (unknown === undefined) return names.includes('tracecontext')
  throw invalid(`OTEL_PROPAGATORS can be tracecontext, baggage or none here, not ${JSON.stringify(unknown)}`)
}

function resourceFrom(env: Environment): Record<string, string> {
  return {
    'service.name': 'sheaf',
    'service.version': packageVersion(),
    ...pairsFrom('OTEL_RESOURCE_ATTRIBUTES', env),
    ...(env.OTEL_SERVICE_NAME !== undefined && { 'service.name': env.OTEL_SERVICE_NAME }),
  }
}

function batchFrom(env: Environment): BatchSettings {
  const queueSpans = number('OTEL_BSP_MAX_QUEUE_SIZE', env, { standard: 2048, range: SPANS })
  const batchSpans = number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', env, { standard: 512, range: SPANS })
  return {
    delayMs: number('OTEL_BSP_SCHEDULE_DELAY', env, { standard: 5000, range: MILLISECONDS }),
    queueSpans,
    batchSpans: Math.min(batchSpans, queueSpans),
    exportMs: number('OTEL_BSP_EXPORT_TIMEOUT', env, { standard: 30_000, range: MILLISECONDS }),
  }
}
