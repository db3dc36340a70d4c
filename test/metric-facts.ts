import type { MetricFacts } from '../src/metrics/metric-facts.ts'

/** Facts of which none is missing. */
export const METRIC_FACTS: MetricFacts = {
  version: '1.2.3',
  nodeVersion: 'v26.0.0',
  totals: { requests: [], areas: [], read: 3, written: 4, apps: [] },
  slugs: new Map([['id-1', 'shop']]),
  http: { openConnections: 1, openRequests: 2, shedRequests: 3, memory: { heldBytes: 4, bytes: 5 } },
  threads: [{ eventLoopDelayMs: 1.5, spans: { exported: 1, dropped: 2 } }],
  storage: { freeBytes: 1, diskBytes: 2, control: { bytes: 3, walBytes: 4 }, apps: new Map() },
  accounts: 6,
  keys: 7,
  certificates: [],
  backups: { succeededAt: 1_790_000_000_000, failedAt: undefined },
  alerts: new Map(),
  process: {
    startedAt: 1_790_000_000_000,
    cpuSeconds: 12.5,
    residentBytes: 1024,
    openFiles: 10,
    mostOpenFiles: 1024,
  },
}
