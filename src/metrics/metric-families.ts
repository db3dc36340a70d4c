import type { DatabaseBytes, StorageFacts } from '../domain/server-facts.ts'
import type { MetricFamily, Sample } from './exposition.ts'
import type { MetricFacts, ThreadFacts } from './metric-facts.ts'
import { trafficFamilies } from './traffic-families.ts'

/** The metrics of a server: names, units and meanings as `docs/operations/monitoring.md` has them. */
export function metricFamilies(facts: MetricFacts): MetricFamily[] {
  return [
    gauge('sheaf_build_info', 'Always 1; which version serves.', [
      { labels: { version: facts.version, node: facts.nodeVersion }, value: 1 },
    ]),
    ...trafficFamilies(facts),
    ...httpFamilies(facts),
    ...threadFamilies(facts.threads),
    ...storageFamilies(facts.storage),
    ...inventoryFamilies(facts),
    ...upkeepFamilies(facts),
    ...processFamilies(facts.process),
  ]
}

function httpFamilies({ http }: MetricFacts): MetricFamily[] {
  const { openConnections, openRequests, shedRequests, memory } = http
  return [
    gauge('sheaf_http_connections_open', 'Connections that are open.', one(openConnections)),
    gauge(
      'sheaf_http_requests_open',
      'Requests that have begun and are not answered yet.',
      one(openRequests),
    ),
    counter('sheaf_http_requests_shed_total', 'Requests turned away because of the load.', one(shedRequests)),
    gauge(
      'sheaf_memory_held_bytes',
      'Memory that connections, bodies and answers under way take from the budget.',
      one(memory.heldBytes),
    ),
    gauge('sheaf_memory_budget_bytes', 'Memory that they may take together.', one(memory.bytes)),
  ]
}

function threadFamilies(threads: readonly ThreadFacts[]): MetricFamily[] {
  const spans = threads.map((thread) => thread.spans).filter((counts) => counts !== undefined)
  const outcomes = (['exported', 'dropped'] as const).map((outcome) => ({
    labels: { outcome },
    value: sum(spans.map((counts) => counts[outcome])),
  }))
  return [
    gauge(
      'sheaf_event_loop_delay_seconds',
      'How late each thread that serves HTTP runs, over about the last second.',
      threads.map(({ eventLoopDelayMs }, index) => ({
        labels: { thread: String(index) },
        value: seconds(eventLoopDelayMs),
      })),
    ),
    counter(
      'sheaf_trace_spans_total',
      'Spans that a collector took, and that were dropped.',
      spans.length === 0 ? [] : outcomes,
    ),
  ]
}

function storageFamilies(storage: StorageFacts | undefined): MetricFamily[] {
  if (storage === undefined) return []
  const { control, apps, freeBytes, diskBytes } = storage
  const sizes = [...apps.values()]
  const both = (of: keyof DatabaseBytes): Sample[] => [
    { labels: { database: 'accounts' }, value: control[of] },
    { labels: { database: 'apps' }, value: sum(sizes.map((size) => size[of])) },
  ]
  const largest = Math.max(control.walBytes, ...sizes.map(({ walBytes }) => walBytes))
  return [
    gauge('sheaf_database_bytes', 'Database files: of accounts, and of all apps together.', both('bytes')),
    gauge('sheaf_wal_bytes', 'Their write-ahead logs.', both('walBytes')),
    gauge('sheaf_wal_largest_bytes', 'The largest write-ahead log.', one(largest)),
    gauge('sheaf_disk_free_bytes', "What may be written still to the data folder's disk.", one(freeBytes)),
    gauge('sheaf_disk_size_bytes', "All that the data folder's disk has.", one(diskBytes)),
  ]
}

function inventoryFamilies({ slugs, keys, accounts }: MetricFacts): MetricFamily[] {
  return [
    gauge('sheaf_apps', 'Apps, without deleted ones.', one(slugs.size)),
    gauge('sheaf_keys', 'API keys.', one(keys)),
    gauge('sheaf_accounts', 'Accounts.', maybe(accounts)),
  ]
}

function upkeepFamilies({ certificates, backups, alerts }: MetricFacts): MetricFamily[] {
  return [
    gauge(
      'sheaf_certificate_expiry_timestamp_seconds',
      'When each certificate that is served ends, by its first name.',
      certificates.map(({ source, names, fingerprint, validTo }) => ({
        labels: { source, name: names[0] ?? '', fingerprint: fingerprint.slice(0, 11) },
        value: seconds(validTo),
      })),
    ),
    gauge(
      'sheaf_backup_last_success_timestamp_seconds',
      'When the last backup in the folder for backups was made.',
      maybe(backups?.succeededAt, seconds),
    ),
    gauge(
      'sheaf_backup_last_failure_timestamp_seconds',
      'When the last one failed; missing once one has gone well.',
      maybe(backups?.failedAt, seconds),
    ),
    gauge(
      'sheaf_alerts_firing',
      "Alerts of Sheaf's own that fire.",
      [...alerts].map(([kind, value]) => ({ labels: { kind }, value })),
    ),
  ]
}

/** Named as the client libraries of Prometheus name them. */
function processFamilies(process: MetricFacts['process']): MetricFamily[] {
  const { startedAt, cpuSeconds, residentBytes, openFiles, mostOpenFiles } = process
  return [
    counter('process_cpu_seconds_total', 'CPU time of all threads, user and system.', one(cpuSeconds)),
    gauge('process_resident_memory_bytes', 'Resident memory.', one(residentBytes)),
    gauge('process_start_time_seconds', 'When the process started.', one(seconds(startedAt))),
    gauge('process_open_fds', 'Open file descriptors.', maybe(openFiles)),
    gauge('process_max_fds', 'Most that may be open.', maybe(mostOpenFiles)),
  ]
}

function gauge(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: 'gauge', samples }
}

function counter(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name, help, type: 'counter', samples }
}

function one(value: number): Sample[] {
  return [{ value }]
}

function maybe(value: number | undefined, unit = (number: number): number => number): Sample[] {
  return value === undefined ? [] : one(unit(value))
}

function seconds(ms: number): number {
  return ms / 1000
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
