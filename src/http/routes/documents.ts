import { AppError } from '../../errors.ts'
import type { WriteReturn } from '../../operations/context.ts'
import { countDocuments } from '../../operations/count-documents.ts'
import { deleteDocument } from '../../operations/delete-document.ts'
import { deleteDocuments } from '../../operations/delete-documents.ts'
import { dropCollection } from '../../operations/drop-collection.ts'
import { findDocuments, type ReadReport } from '../../operations/find-documents.ts'
import { findFirstDocument } from '../../operations/find-first-document.ts'
import { getDocument } from '../../operations/get-document.ts'
import { saveDocuments } from '../../operations/save-documents.ts'
import { updateDocument } from '../../operations/update-document.ts'
import { updateDocuments } from '../../operations/update-documents.ts'
import { bodyFormat } from '../request/body-format.ts'
import {
  DELETE_MANY,
  FIND,
  READ_ONE,
  readParameters,
  readWriteParameters,
  UPDATE_MANY,
} from '../request/parameters.ts'
import type { RequestContext } from '../request/request-context.ts'
import { contentLocation } from '../response/content-location.ts'
import { nextPage } from '../response/next-page.ts'
import type { Reply } from '../response/reply.ts'
import { FROM_MEMORY, pointTiming, serverTiming } from '../response/server-timing.ts'

/** What `fo` answers where nothing matches. */
const NO_DOCUMENT = 'null'

export async function getDocuments(request: RequestContext): Promise<Reply> {
  const { context, principal, app, collection } = request
  const parameters = request.parameters()
  const read = readParameters(parameters, FIND)
  const { q, f, s, after, sk: skip, l: limit, c: isCount, fo: isFirst } = read
  let report: ReadReport | undefined
  const input = {
    app,
    collection,
    q,
    f,
    s,
    skip,
    limit,
    after,
    isCancelled: () => request.isCancelled(),
    onReport: (told: ReadReport) => {
      report = told
    },
  }
  if (after !== undefined && (skip > 0 || isCount || isFirst))
    throw new AppError('invalid_parameter', 'after says where the page begins: it goes without sk, c and fo')
  const ok = (body: Reply['body']): Reply => ({ status: 200, body, serverTiming: serverTiming(report) })
  if (isCount) {
    request.noteCount()
    return ok(String(await countDocuments(context, principal, input)))
  }
  if (isFirst) {
    const found = ok(await findFirstDocument(context, principal, input))
    request.noteRead(found.body === NO_DOCUMENT ? 0 : 1)
    // What `f` cut down is no document, which a write could be conditional on.
    return f === undefined && found.body !== NO_DOCUMENT ? { ...found, tag: 'strong' } : found
  }
  const { onReport: _, ...countInput } = input
  const total = request.wantsCount() ? await countDocuments(context, principal, countInput) : undefined
  const found = await findDocuments(context, principal, { ...input, isPaged: true })
  const { first, rest, next } = found
  if (found.documents !== undefined) request.noteRead(found.documents)
  const headers = [...nextPage(parameters, next), ...totalCount(total, input)]
  if (rest !== undefined) return { ...ok(first), rest, headers }
  const isKept = report === undefined
  return { ...ok(first), headers, isKept, ...(isKept && f === undefined && { tag: 'weak' }) }
}

/** RFC 7240, section 3: a preference that was met is said to be. */
function totalCount(
  total: number | undefined,
  { skip, limit, after }: { skip: number; limit: number; after: string | undefined },
): readonly string[] {
  if (total === undefined) return []
  const headers = ['Preference-Applied', 'count=exact', 'X-Total-Count', String(total)]
  // Where a page behind a cursor begins nobody has counted.
  if (after !== undefined) return headers
  const end = Math.min(skip + limit, total)
  const range = end > skip ? `${skip}-${end - 1}` : '*'
  return [...headers, 'Content-Range', `documents ${range}/${total}`]
}

export function getOneDocument(request: RequestContext): Reply | Promise<Reply> {
  const { context, principal, app, collection, id } = request
  const { f } = readParameters(request.parameters(), READ_ONE)
  const since = performance.now()
  const text = getDocument(context, principal, { app, collection, id, f })
  if (!(text instanceof Promise)) {
    request.noteRead(1)
    return { status: 200, body: text, serverTiming: FROM_MEMORY, tag: 'strong', isKept: true }
  }
  return text.then((body) => {
    request.noteRead(1)
    return {
      status: 200,
      body,
      serverTiming: pointTiming(performance.now() - since),
      // What `f` cut down is no document, which a write could be conditional on.
      ...(f === undefined && { tag: 'strong' }),
    }
  })
}

export async function postDocuments(request: RequestContext): Promise<Reply> {
  const { context, principal, app, collection } = request
  readWriteParameters(request.parameters(), {})
  const returning = request.returning()
  const conditions = request.conditions()
  const body = await request.body()
  const format = bodyFormat(request.message)
  const input = { app, collection, body, format, returning, conditions }
  const { length, first, rest, created, isWhole, textId } = await saveDocuments(context, principal, input)
  request.noteWritten(length)
  const status = created ? 201 : 200
  if (isWhole) return savedReply(status, first, contentLocation(request, textId))
  const reply = { status, body: first, headers: applied(returning) }
  return rest === undefined ? reply : { ...reply, rest }
}

export async function putOneDocument(request: RequestContext): Promise<Reply> {
  const { context, principal, app, collection, id } = request
  readWriteParameters(request.parameters(), {})
  const returning = request.returning()
  const conditions = request.conditions()
  const body = await request.body()
  const input = { app, collection, id, body, returning, conditions }
  const { text, created, isWhole } = await updateDocument(context, principal, input)
  request.noteWritten(1)
  const status = created ? 201 : 200
  if (isWhole) return savedReply(status, text, contentLocation(request, id))
  return { status, body: text, headers: applied(returning) }
}

export async function putDocuments(request: RequestContext): Promise<Reply> {
  const { context, principal, app, collection } = request
  const { q, m: multi, u: upsert, expect: expected } = readWriteParameters(request.parameters(), UPDATE_MANY)
  if (expected !== undefined && !multi)
    throw new AppError('invalid_parameter', 'expect is the number of all that match: it goes without m=false')
  const returning = request.returning()
  request.refuseConditions()
  const body = await request.body()
  const isCancelled = (): boolean => request.isCancelled()
  const input = { app, collection, q, multi, upsert, expected, body, isCancelled }
  const { n, modified, upserted } = await updateDocuments(context, principal, input)
  request.noteWritten(modified + (upserted === undefined ? 0 : 1))
  const members = [`"n":${n}`]
  if (returning === 'documents') members.push(`"modified":${modified}`)
  // As it is stored: a number keeps its digits.
  if (upserted !== undefined) members.push(`"upserted":${upserted}`)
  const status = upserted === undefined ? 200 : 201
  return { status, body: `{${members.join(',')}}`, headers: applied(returning) }
}

export async function deleteOneDocument(request: RequestContext): Promise<Reply> {
  const { context, principal, app, collection, id } = request
  readWriteParameters(request.parameters(), {})
  const returning = request.returning()
  const conditions = request.conditions()
  await request.unwantedBody()
  const text = await deleteDocument(context, principal, { app, collection, id, returning, conditions })
  request.noteWritten(1)
  return { status: 200, body: text, headers: applied(returning) }
}

/** What is deleted has to be said: the documents that match, or the collection with everything that belongs to it. */
export async function deleteFromCollection(request: RequestContext): Promise<Reply> {
  const { context, principal, app, collection } = request
  const { q, m: multi, drop, expect: expected } = readWriteParameters(request.parameters(), DELETE_MANY)
  if (!multi)
    throw new AppError(
      'invalid_parameter',
      'm=false goes with PUT; DELETE ?q= deletes every document that matches, and DELETE /{_id} one',
    )
  const returning = request.returning()
  request.refuseConditions()
  const isDropped = isDrop(drop, q)
  if (isDropped && expected !== undefined)
    throw new AppError('invalid_parameter', 'expect goes with q, and not with drop')
  await request.unwantedBody()
  if (isDropped) {
    const dropped = await dropCollection(context, principal, { app, collection })
    return { status: 200, body: JSON.stringify({ dropped }) }
  }
  const isCancelled = (): boolean => request.isCancelled()
  const n = await deleteDocuments(context, principal, { app, collection, q, expected, isCancelled })
  request.noteWritten(n)
  return { status: 200, body: JSON.stringify({ n }), headers: applied(returning) }
}

function isDrop(isDropped: boolean, q: string | undefined): boolean {
  if (isDropped && q !== undefined)
    throw new AppError('invalid_parameter', 'q and drop exclude each other; send one of them')
  if (!isDropped && q === undefined)
    throw new AppError(
      'missing_query',
      'say what to delete: ?q={"field":"value"} deletes the documents that match, ?drop=true the whole collection',
    )
  return isDropped
}

/** The answer to a write that holds the document as it is now. */
function savedReply(status: number, text: string, headers: readonly string[]): Reply {
  return { status, body: text, headers, tag: 'strong' }
}

function applied(returning: WriteReturn): readonly string[] {
  return returning === 'ids' ? ['Preference-Applied', 'return=minimal'] : []
}
