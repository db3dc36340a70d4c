import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Attributes } from '../../tracing/span.ts'
import type { OpenSpan, Tracer } from '../../tracing/tracer.ts'
import { redactedPath } from '../log/redact.ts'
import { findResource, RESOURCES } from '../router.ts'
import { isProbe } from '../routes/health.ts'
import { isMetricsPath } from '../routes/metrics.ts'
import type { RequestState } from './request-state.ts'
import { pathParts, splitTarget } from './request-target.ts'

const PATH_CHARACTERS = 300
/** Others are whatever a client likes. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const ROUTES: ReadonlyMap<object, string> = new Map(
  Object.entries(RESOURCES).map(([route, resource]) => [resource, route]),
)

interface Answered {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly state: RequestState
}

/** Begins the span of a request, but for those that ask all the time how the server is. */
export function beginSpan(tracer: Tracer, request: IncomingMessage): OpenSpan | undefined {
  const target = request.url!
  if (isProbe(target) || isMetricsPath(splitTarget(target).path)) return undefined
  return tracer.begin(request.headers.traceparent)
}

/**
 * Ends the span of a request, with what the semantic conventions of HTTP have of it. Nothing of a key, a query or an
 * address is in it.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function endSpan(tracer: Tracer, span: OpenSpan, { request, response, state }: Answered): void {
  const { path } = splitTarget(request.url!)
  const method = METHODS.has(request.method!) ? request.method! : '_OTHER'
  const route = state.site === undefined ? routeOf(path) : undefined
  // A client that hung up was told nothing.
  const status = response.headersSent ? response.statusCode : undefined
  const isFailed = status !== undefined && status >= 500
  const attributes: Attributes = {
    'http.request.method': method,
    'http.route': route,
    'url.scheme': 'https',
    'url.path': redactedPath(path).slice(0, PATH_CHARACTERS),
    'network.protocol.version': request.httpVersion,
    'http.response.status_code': status,
    'error.type': status === undefined ? 'client_gone' : isFailed ? String(status) : undefined,
    'http.response.body.size': state.responseBytes,
    'sheaf.request_id': state.id,
    'sheaf.site': state.site,
  }
  const verb = method === '_OTHER' ? 'HTTP' : method
  tracer.end(span, { name: route === undefined ? verb : `${verb} ${route}`, attributes, isFailed })
}

/** As the reference writes it; undefined where there is none. */
function routeOf(path: string): string | undefined {
  if (path === '/') return path
  if (path === '/_' || path.startsWith('/_/')) return path.startsWith('/_/api/') ? '/_/api' : '/_'
  try {
    return ROUTES.get(findResource(pathParts(path)) ?? {})
  } catch {
    // No path at all, which its request was told.
    return undefined
  }
}
