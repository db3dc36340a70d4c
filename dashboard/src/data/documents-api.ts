import { ApiError, fetchApi } from '../api.ts'
import { appPath } from '../apps-data.ts'

/** Where documents are. */
export interface CollectionAddress {
  readonly slug: string
  readonly collection: string
}

export interface DocumentsRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Parameters of the address; those that are undefined are left out. */
  readonly parameters?: Readonly<Record<string, string | undefined>>
  /** JSON text. */
  readonly body?: string
  /** Such as `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** An answer, in which no digit and no key has been touched. */
export interface DocumentsAnswer {
  readonly status: number
  readonly text: string
  /** The entity tag of a document as the answer holds it. */
  readonly etag: string | undefined
  readonly headers: Headers
}

/** A document as it was read or saved. */
export interface StoredDocument {
  readonly text: string
  readonly etag: string
}

/** Of a collection, as the API has it. */
export function documentsPath({ slug, collection }: CollectionAddress): string {
  return `${appPath(slug)}/collections/${encodeURIComponent(collection)}`
}

/**
 * Asks for documents, or changes them.
 * @param path as `documentsPath` makes it
 * @throws ApiError
 */
export async function askDocuments(path: string, request: DocumentsRequest = {}): Promise<DocumentsAnswer> {
  const { method = 'GET', parameters = {}, body, headers, signal } = request
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
  const response = await fetchApi(`${path}${search}`, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  })
  const text = await readText(response, signal)
  return {
    status: response.status,
    text,
    etag: response.headers.get('ETag') ?? undefined,
    headers: response.headers,
  }
}

/** @throws ApiError where the connection ended before the answer did */
async function readText(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('the answer ended too early', { code: 'unreachable', status: 0 })
  }
}

/**
 * Reads one document by its exact `_id`; undefined where there is none. By a query, for a path names the text before the
 * number, and browsers take `.` and `..` out of paths.
 * @param id JSON text
 * @throws ApiError
 */
export async function readDocument(
  address: CollectionAddress,
  id: string,
  signal?: AbortSignal,
): Promise<StoredDocument | undefined> {
  const parameters = { q: `{"_id":${id}}`, fo: 'true' }
  const { text, etag } = await askDocuments(documentsPath(address), { parameters, ...(signal && { signal }) })
  return etag === undefined ? undefined : { text, etag }
}

/** On what a save depends: the tag of what was read, or that there is no such document. */
export type SaveCondition = { readonly ifMatch: string } | 'isNew'

/**
 * Saves a whole document under the `_id` that stands in it; one without gets one.
 * @param text JSON
 * @throws ApiError `precondition_failed` where the condition doesn't hold
 */
export async function saveDocument(
  address: CollectionAddress,
  text: string,
  condition: SaveCondition,
): Promise<StoredDocument> {
  const headers: Record<string, string> =
    condition === 'isNew' ? { 'If-None-Match': '*' } : { 'If-Match': condition.ifMatch }
  const saved = await askDocuments(documentsPath(address), { method: 'POST', body: text, headers })
  return { text: saved.text, etag: saved.etag! }
}

/**
 * Deletes one document by its exact `_id` where it still is as it was read; false where it has changed, or is gone.
 * @param id JSON text
 * @throws ApiError
 */
export async function deleteDocument(
  address: CollectionAddress,
  { id, etag }: { readonly id: string; readonly etag: string },
): Promise<boolean> {
  const request = { method: 'DELETE', parameters: { id }, headers: { 'If-Match': etag } } as const
  try {
    await askDocuments(documentsPath(address), request)
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.status === 412 || error.status === 404)) return false
    throw error
  }
}
