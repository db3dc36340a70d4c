import { AppError } from '../errors.ts'
import { FIND, readParameters } from '../http/request/parameters.ts'
import type { RequestContext } from '../http/request/request-context.ts'
import { KEPT_PARAMETERS, nextPage } from '../http/response/next-page.ts'
import type { Reply } from '../http/response/reply.ts'
import { serverTiming } from '../http/response/server-timing.ts'
import { findResource } from '../http/router.ts'
import { getDocuments } from '../http/routes/documents.ts'
import { findDocuments, type ReadReport } from '../operations/find-documents.ts'

const PREVIEW = { preview: { kind: 'flag', absent: false } } as const
const LINKED = [...KEPT_PARAMETERS, ...Object.keys(PREVIEW)]

/** @throws AppError `duplicate_parameter`, `invalid_parameter` */
export function wantsPreviews(request: RequestContext): boolean {
  const method = findResource(request.path)?.methods.get(request.message.method!)
  return method === getDocuments && readParameters(request.parameters(), PREVIEW).preview
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
  let report: ReadReport | undefined
  const { first, rest, next } = await findDocuments(context, principal, {
    ...{ app, collection, ...texts, skip, limit },
    wantsPreviews: true,
    isPaged: true,
    isCancelled: () => request.isCancelled(),
    onReport: (told) => {
      report = told
    },
  })
  const headers = nextPage(parameters, next, LINKED)
  const reply = { status: 200, body: first, headers, serverTiming: serverTiming(report) }
  return rest === undefined ? reply : { ...reply, rest }
}
