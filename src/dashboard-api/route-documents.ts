import { AppError } from '../errors.ts'
import { NDJSON_TYPES } from '../http/request/body-format.ts'
import { RequestContext, type RequestContextParts } from '../http/request/request-context.ts'
import { routeRequest } from '../http/request/route-request.ts'
import type { Reply } from '../http/response/reply.ts'
import { deleteExactDocument, namesExactDocument } from './delete-exact-document.ts'
import { type AppOpening, openAppFor } from './open-app-for.ts'
import { previewDocuments, wantsPreviews } from './preview-documents.ts'
import { requireMediaType } from './require-media-type.ts'

const DOCUMENT_TYPES: ReadonlySet<string> = new Set(['application/json', ...NDJSON_TYPES])

/** Whether the parts of a path are one of the REST interface inside an app. */
export function isDocumentPath([apps, , collections]: readonly string[]): boolean {
  return apps === 'apps' && collections === 'collections'
}

/**
 * Answers by the REST interface, as it would answer a key that may do in this one app what the account may; and with
 * previews of documents and deletions by exact ids, which are asked for here alone.
 * @throws AppError `app_not_found`, `unknown_path`, `unsupported_media_type`, and as the routes do
 */
export async function routeDocuments(
  parts: Omit<RequestContextParts, 'principal'>,
  opening: AppOpening,
): Promise<Reply> {
  requireMediaType(parts.request, DOCUMENT_TYPES)
  const principal = await openAppFor(opening, parts.path[1]!)
  const context = new RequestContext({ ...parts, principal })
  if (wantsPreviews(context)) return previewDocuments(context)
  if (namesExactDocument(context)) return deleteExactDocument(context)
  const reply = routeRequest({ ...parts, principal })
  if (reply === undefined) throw new AppError('unknown_path', 'there is nothing at this path')
  return reply
}
