import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestFacts } from '../../analytics/request-facts.ts'
import type { Operation } from '../../analytics/traffic.ts'
import type { Area } from '../../analytics/traffic-delta.ts'
import { isForApp, isForCollection } from '../../domain/key-rules.ts'
import { isAppSlug, isCollectionName } from '../../domain/names.ts'
import type { Principal } from '../../domain/principal.ts'
import type { OperationContext } from '../../operations/context.ts'
import { shownCollection } from '../log/redact.ts'
import { isProbe } from '../routes/health.ts'
import type { ClientOf } from './client-address.ts'
import type { RequestState } from './request-state.ts'
import { splitTarget } from './request-target.ts'

type Directory = Pick<OperationContext, 'directory'>['directory']

/** What nginx notes where a client closed its connection; no answer is sent with it. */
const CLIENT_GONE = 499
const FAILED = 500
const METRICS = '/_/metrics'
const SLUG = /^\/apps\/([^/]+)/

/** What is done at a path of so many parts, `apps` the first, by each method. */
const OF_COLLECTION: Readonly<Record<string, Operation>> = {
  GET: 'find',
  HEAD: 'find',
  POST: 'save',
  PUT: 'update',
  DELETE: 'delete',
}
const OF_DOCUMENT: Readonly<Record<string, Operation>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'update',
  PUT: 'update',
  DELETE: 'delete',
}

interface Admitted {
  readonly principal: Principal
  /** The decoded parts of the path. */
  readonly parts: readonly string[]
  readonly method: string
}

/**
 * Notes which app, key and collection a request is for, once it is known who asks. A key is noted with an app alone that
 * it may reach, so that nobody finds a foreign one in the traffic of theirs, and a collection alone that the key may reach,
 * whatever it may do there.
 */
export function noteTarget(
  state: RequestState,
  { principal, parts, method }: Admitted,
  directory: Directory,
): void {
  const [apps, slug, , collection = ''] = parts
  if (apps !== 'apps' || slug === undefined) return
  const app = directory().apps.get(slug)
  if (app === undefined) return
  state.app = app.id
  state.operation = operationOf(parts, method)
  if (app.owner !== principal.owner || !isForApp(principal.rules, slug)) return
  state.key = principal.keyId
  if (isForCollection(principal.rules, collection)) state.collection = collection
}

/** Notes the one app of a key that a token is made of. */
export function noteToken(
  state: RequestState,
  { keyId, owner, rules }: Principal,
  directory: Directory,
): void {
  if (rules.apps === 'all' || rules.apps.length !== 1) return
  const app = directory().apps.get(rules.apps[0]!)
  if (app === undefined || app.owner !== owner) return
  state.app = app.id
  state.key = keyId
}

/** What is counted of a request whose answer was handed over. */
export function requestFacts(
  request: IncomingMessage,
  response: ServerResponse,
  state: RequestState,
  { clientOf, directory }: { readonly clientOf: ClientOf; readonly directory: Directory },
): RequestFacts {
  const target = request.url!
  const method = request.method!
  const area = areaOf(state, target)
  const status = statusOf(response, state)
  if (area === 'api' && state.app === undefined && status >= 400)
    noteRefused(state, { target, method }, directory)
  const { app = '', key = '', collection = '', readDocuments: read } = state
  return {
    ...{ area, method, status, app, key, target },
    code: status >= 400 ? codeOf(status, state) : '',
    ms: performance.now() - state.startedAt,
    bytesIn: state.requestBytes,
    bytesOut: state.responseBytes,
    read: typeof read === 'number' ? read : read(),
    written: state.writtenDocuments,
    keyName: key === '' ? '' : (state.keyName ?? ''),
    collection: isKnownCollection(collection, status) ? shownCollection(collection) : '',
    operation: area === 'site' ? 'site' : (state.operation ?? 'other'),
    address: app === '' ? '' : clientOf(request).address,
    requestId: state.id,
    visit: state.visit,
  }
}

function areaOf({ site, isDashboard }: RequestState, target: string): Area {
  if (site !== undefined) return 'site'
  if (!isDashboard && !target.startsWith('/_')) return 'api'
  if (isProbe(target)) return 'probe'
  return target.startsWith(METRICS) && splitTarget(target).path === METRICS ? 'metrics' : 'dashboard'
}

/** A part of an answer is none: its client had gone, or the server failed in the middle. */
function statusOf(response: ServerResponse, { isAbandoned }: RequestState): number {
  if (!response.headersSent || isAbandoned === true) return CLIENT_GONE
  return isAbandoned === false ? FAILED : response.statusCode
}

/** A request that was refused before anybody knew who asks is for the app that its path names, where there is one. */
function noteRefused(
  state: RequestState,
  { target, method }: { readonly target: string; readonly method: string },
  directory: Directory,
): void {
  const { path } = splitTarget(target)
  const slug = SLUG.exec(path)?.[1]
  if (slug === undefined || !isAppSlug(slug)) return
  const app = directory().apps.get(slug)
  if (app === undefined) return
  state.app = app.id
  state.operation = operationOf(path.split('/').slice(1), method)
}

function operationOf(parts: readonly string[], method: string): Operation {
  const length = parts.at(-1) === '' ? parts.length - 1 : parts.length
  if (parts[2] !== 'collections' || length < 4) return 'other'
  return (length === 4 ? OF_COLLECTION : OF_DOCUMENT)[method] ?? 'other'
}

/** What was answered with success is about a collection that there can be. */
function isKnownCollection(collection: string, status: number): boolean {
  return status < 400 || isCollectionName(collection)
}

/** Sites answer without codes. */
function codeOf(status: number, { errorCode }: RequestState): string {
  if (status === CLIENT_GONE) return 'client_gone'
  if (errorCode !== undefined) return errorCode
  if (status === FAILED) return 'internal'
  return CODES_OF_SITES[status] ?? `status_${status}`
}

const CODES_OF_SITES: Readonly<Record<number, string>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  416: 'range_not_satisfiable',
}
