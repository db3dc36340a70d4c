import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'
import type { HandleDashboard } from '../http/request/handle-request.ts'
import { refuseUnknownParameters } from '../http/request/parameters.ts'
import { pathParts, queryParameters } from '../http/request/request-target.ts'
import { methodNotAllowed } from '../http/request/route-request.ts'
import type { Reply } from '../http/response/reply.ts'
import type { OperationContext } from '../operations/context.ts'
import type { AccountService } from './account-service.ts'
import { DashboardRequest } from './dashboard-request.ts'
import { createDashboardRouter } from './dashboard-router.ts'
import { refuseForeign } from './refuse-foreign.ts'
import type { RequesterOf } from './requester-of.ts'
import { requireMediaType } from './require-media-type.ts'
import { isDocumentPath, routeDocuments } from './route-documents.ts'
import { ROUTES } from './routes/routes.ts'
import type { OpenTail } from './tail-stream.ts'

/** Answers with a page or a file of one. @throws AppError `unknown_path` */
export type ServePages = (request: IncomingMessage, path: string) => Promise<Reply>

export interface DashboardOptions {
  readonly accounts: AccountService
  /** Of documents, for programs with a token. */
  readonly context: OperationContext
  /** The same for sessions, whose reads leave no trace in query statistics and make no indexes. */
  readonly unobservedContext: OperationContext
  readonly requesterOf: RequesterOf
  /** Where the dashboard is known to be, such as `https://db.example.org`. */
  readonly origin?: string | undefined
  /** Resolves when this thread knows every change of apps and keys that was made before. */
  readonly refreshDirectory: () => Promise<void>
  /** Tells of an app's requests while they come. */
  readonly openTail: OpenTail
  /** What is under `/_` beside `/_/api`. */
  readonly servePages: ServePages
}

const API = ['_', 'api'] as const
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const JSON_TYPES: ReadonlySet<string> = new Set(['application/json'])

/**
 * The second way in, under `/_/api`: for accounts in a session, which is a cookie of this origin, or by a token. No API key
 * opens anything here, and no session or token of an account anything elsewhere.
 */
export function createDashboard(options: DashboardOptions): HandleDashboard {
  const { accounts, requesterOf, refreshDirectory, openTail, servePages } = options
  const findPath = createDashboardRouter(ROUTES)
  return async ({ request, response, path, query, expectsContinue }) => {
    const parts = pathParts(path)
    if (!API.every((part, index) => parts[index] === part)) {
      // Whoever looks at a page is about to sign in.
      accounts.prepare()
      return servePages(request, path)
    }
    const requester = requesterOf(request)
    const isWrite = !READS.has(request.method!)
    // A token is sent by nobody who doesn't have it, and to the socket in the data folder no page sends anything.
    const isSession = requester.bearer === undefined && requester.commandLine === undefined
    if (isSession) refuseForeign(request.headers, { isWrite, origin: options.origin })
    const inside = parts.slice(API.length)
    // What somebody looks at once while they browse is no reason for an index.
    const context = requester.bearer === undefined ? options.unobservedContext : options.context
    const opening = { accounts, requester, request, context, refreshDirectory }
    const found = findPath(inside)
    const handle = found?.methods.get(request.method!)
    // A document may be called as something here that takes another method, or a parameter.
    if (isDocumentPath(inside) && (handle === undefined || isWithout(query, handle.needs)))
      return routeDocuments({ context, request, response, path: inside, query, expectsContinue }, opening)
    if (found === undefined) throw unknownPath()
    if (handle === undefined) return methodNotAllowed({ allow: [...found.methods.keys()].join(', ') })
    // Also where the route has no use for a body: what a form can send to another origin does nothing.
    if (isWrite) requireMediaType(request, handle.mediaTypes ?? JSON_TYPES)
    if (handle.parameters !== undefined) refuseUnknownParameters(queryParameters(query), handle.parameters)
    const { names } = found
    const reply = await handle(
      new DashboardRequest({
        ...{ opening, response, names, query, expectsContinue, openTail },
        isChange: isWrite,
      }),
    )
    // The change is durable, whether it can be read here already or not.
    if (isWrite) await refreshDirectory().catch(() => undefined)
    return reply
  }
}

function isWithout(query: string, needed: string | undefined): boolean {
  return needed !== undefined && !queryParameters(query).values.has(needed)
}

function unknownPath(): AppError {
  return new AppError('unknown_path', 'there is nothing at this path')
}
