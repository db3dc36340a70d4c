import { AppError } from '../errors.ts'
import { FIND, readParameters } from '../http/request/parameters.ts'
import type { RequestContext } from '../http/request/request-context.ts'
import { KEPT_PARAMETERS, nextPage } from '../http/response/next-page.ts'
import type { Reply } from '../http/response/reply.ts'
import { serverTiming } from '../http/response/server-timing.ts'
import { findResource } from '../http/router.ts'
import { getDocuments } from '../http/routes/documents.ts'
import { findDocuments, type ReadReport } from '../operations/find-documents.ts'

const PREVIEW = {
  preview: { kind: 'flag', absent: false },
  partial: { kind: 'flag', absent: false },
} as const
/** A page that comes without a link is the last one here, so that none is too long. */
const LINK = {
  names: [...KEPT_PARAMETERS, ...Object.keys(PREVIEW)],
  mostCharacters: Number.POSITIVE_INFINITY,
}
/** Milliseconds after which somebody who waits is shown what there is. */
const PARTIAL_AFTER_MS = 300

/** @throws AppError `duplicate_parameter`, `invalid_parameter` */
export function wantsPreviews(request: RequestContext): boolean {
  const method = findResource(request.path)?.methods.get(request.message.method!)
  if (method !== getDocuments) return false
  const { preview, partial } = readParameters(request.parameters(), PREVIEW)
  if (partial && !preview) throw new AppError('invalid_parameter', 'partial goes with preview=true')
  return preview
}

/**
 * The list that the REST interface would answer, of previews in the place of documents.
 * @throws AppError as `readParameters` and `findDocuments` do
 */
export async function previewDocuments(request: RequestContext): Promise<Reply> {
  const { context, principal, app, collection } = request
  const parameters = request.parameters()
  const { sk: skip, l: limit, c, fo, ...texts } = readParameters(parameters, FIND)
  if (c || fo || (texts.after !== undefined && skip > 0))
    throw new AppError('invalid_parameter', 'preview goes without c and fo, and after without sk')
  const { partial } = readParameters(parameters, PREVIEW)
  let report: ReadReport | undefined
  const { first, rest, next } = await findDocuments(context, principal, {
    ...{ app, collection, ...texts, skip, limit },
    wantsPreviews: true,
    isPaged: true,
    partialAfterMs: partial ? PARTIAL_AFTER_MS : undefined,
    isCancelled: () => request.isCancelled(),
    onReport: (told) => {
      report = told
    },
  })
  const examined = ['X-Examined', String(report?.plan.examined ?? 0)]
  const headers = [...nextPage(parameters, next, LINK), ...examined]
  const reply = { status: 200, body: first, headers, serverTiming: serverTiming(report) }
  return rest === undefined ? reply : { ...reply, rest }
}
