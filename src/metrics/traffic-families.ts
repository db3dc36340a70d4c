import { countOf, countUpTo, upperBoundMs } from '../analytics/histogram.ts'
import type { AreaTotals, ServerTotals } from '../analytics/traffic-delta.ts'
import { type MetricFamily, numberText, type Sample } from './exposition.ts'
import type { MetricFacts } from './metric-facts.ts'

/** Ends of buckets of the histograms that are counted, so that nothing is estimated: 0.2 ms, and doubled up to 26 s. */
const BOUNDS_MS = Array.from({ length: 18 }, (_, doublings) => upperBoundMs(16 + 8 * doublings))
/** Apps that have series of their own. */
const TOLD_APPS = 100
/** The label of all others, which no slug can be. */
const OTHER_APPS = '*'

/** What was counted of requests. */
export function trafficFamilies({ totals, slugs }: MetricFacts): MetricFamily[] {
  const { requests, areas, read, written } = totals
  const byArea = (value: (totals: AreaTotals) => number): Sample[] =>
    areas.map((each) => ({ labels: { area: each.area }, value: value(each) }))
  const counter = (name: string, help: string, samples: readonly Sample[]): MetricFamily => ({
    ...{ name, help, samples },
    type: 'counter',
  })
  return [
    counter(
      'sheaf_http_requests_total',
      'Requests that were answered; the status 499 is of clients that went away before.',
      requests.map(({ area, method, status, count }) => ({
        labels: { area, method, status: String(status) },
        value: count,
      })),
    ),
    {
      name: 'sheaf_http_request_duration_seconds',
      help: "From a request's head to the end of its answer.",
      type: 'histogram',
      samples: areas.flatMap(histogramSamples),
    },
    counter(
      'sheaf_http_request_bytes_total',
      'Bytes of bodies that came.',
      byArea(({ bytesIn }) => bytesIn),
    ),
    counter(
      'sheaf_http_response_bytes_total',
      'Bytes of bodies that went.',
      byArea(({ bytesOut }) => bytesOut),
    ),
    counter('sheaf_documents_read_total', 'Documents in answers.', [{ value: read }]),
    counter('sheaf_documents_written_total', 'Documents saved, changed and deleted.', [{ value: written }]),
    ...appFamilies(totals, slugs),
  ]
}

/**
 * The first apps that were asked for have series of their own, and keep them: were it the busiest at each moment, what the
 * others have together would fall when one of them comes up, which is no counter any more.
 */
function appFamilies({ apps }: ServerTotals, slugs: MetricFacts['slugs']): MetricFamily[] {
  const known = apps.filter(({ app }) => app !== '')
  const labelled = known.map((totals, index) => ({ ...totals, app: labelOf(totals.app, index, slugs) }))
  const byLabel = Map.groupBy(labelled, ({ app }) => app)
  const family = (name: string, help: string, of: 'requests' | 'errors' | 'failed'): MetricFamily => ({
    ...{ name, help },
    type: 'counter',
    samples: [...byLabel].map(([app, all]) => ({
      labels: { app },
      value: all.reduce((sum, totals) => sum + totals[of], 0),
    })),
  })
  return [
    family('sheaf_app_requests_total', 'Requests to the API and the sites of apps.', 'requests'),
    family('sheaf_app_errors_total', 'Those answered with 400 to 599.', 'errors'),
    family('sheaf_app_failures_total', 'Those answered with 500 to 599.', 'failed'),
  ]
}

/** An app that was deleted has its id, for its slug may be another's by then. */
function labelOf(app: string, index: number, slugs: MetricFacts['slugs']): string {
  return index >= TOLD_APPS ? OTHER_APPS : (slugs.get(app) ?? app)
}

function histogramSamples({ area, latency, ms }: AreaTotals): Sample[] {
  const bucket = (le: number, value: number): Sample => ({
    suffix: '_bucket',
    labels: { area, le: numberText(le) },
    value,
  })
  const count = countOf(latency)
  return [
    ...BOUNDS_MS.map((bound) => bucket(secondsOf(bound), countUpTo(latency, bound))),
    bucket(Number.POSITIVE_INFINITY, count),
    { suffix: '_sum', labels: { area }, value: ms / 1000 },
    { suffix: '_count', labels: { area }, value: count },
  ]
}

/** Without the noise of binary fractions: `0.0016`, as it will be typed. */
function secondsOf(ms: number): number {
  return Number((ms / 1000).toPrecision(12))
}
