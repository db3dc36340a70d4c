import type { IncomingMessage } from 'node:http'
import type { MayReadMetrics } from '../request/metrics-access.ts'
import { splitTarget } from '../request/request-target.ts'
import { methodNotAllowed } from '../request/route-request.ts'
import type { Reply } from '../response/reply.ts'

/** The metrics of the whole process. */
export interface Metrics {
  readonly mayRead: MayReadMetrics
  /** In Prometheus' text format, as they are at this moment. */
  readonly read: () => Promise<string>
}

const METRICS = /^\/_\/metrics\/?$/
const FILE = { type: 'text/plain; version=0.0.4; charset=utf-8', caching: 'no-store' }

export function isMetricsPath(path: string): boolean {
  return path.startsWith('/_/metrics') && METRICS.test(path)
}

/** Whether a request is for the metrics, by somebody who may read them: such a one is answered under any load. */
export function isScrape(request: IncomingMessage, metrics: Metrics | undefined): boolean {
  return isMetricsPath(splitTarget(request.url!).path) && metrics?.mayRead(request) === true
}

/** Undefined for whoever may not read them, to whom there is nothing at this path. */
export function metricsReply(
  request: IncomingMessage,
  metrics: Metrics | undefined,
): Reply | Promise<Reply> | undefined {
  if (metrics?.mayRead(request) !== true) return undefined
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed({ allow: 'GET, HEAD' })
  return metrics.read().then((body) => ({ status: 200, body, file: FILE }))
}
