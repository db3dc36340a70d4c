import { readParameters, readWriteParameters } from '../http/request/parameters.ts'
import type { RequestContext } from '../http/request/request-context.ts'
import type { Reply } from '../http/response/reply.ts'
import { findResource } from '../http/router.ts'
import { deleteFromCollection } from '../http/routes/documents.ts'
import { deleteDocument } from '../operations/delete-document.ts'

const EXACT = { id: { kind: 'json' } } as const

/** @throws AppError `duplicate_parameter`, `invalid_parameter` */
export function namesExactDocument(request: RequestContext): boolean {
  const method = findResource(request.path)?.methods.get(request.message.method!)
  return method === deleteFromCollection && readParameters(request.parameters(), EXACT).id !== undefined
}

/**
 * Deletes one document by its `_id` as JSON: a path can't name `.` and `..`, which browsers take out of it, nor a number
 * that is written like a text that is there as well.
 * @throws AppError as `deleteDocument` does
 */
export async function deleteExactDocument(request: RequestContext): Promise<Reply> {
  const { context, principal, app, collection } = request
  const exact = readWriteParameters(request.parameters(), EXACT).id!
  const returning = request.returning()
  const conditions = request.conditions()
  await request.unwantedBody()
  const input = { app, collection, id: { exact }, returning, conditions }
  return { status: 200, body: await deleteDocument(context, principal, input) }
}
