import { parseJson } from '../../../../src/json/exact.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import { isJsonArray, isJsonObject, type JsonValue } from '../../../../src/json/value.ts'
import { appPath } from '../../apps-data.ts'
import { prettyPrint } from '../document/pretty-print.ts'
import type { DeletedDocument } from '../document/undo-deletion.tsx'
import {
  askDocuments,
  type CollectionAddress,
  deleteDocument,
  documentsPath,
  readDocument,
} from '../documents-api.ts'

/** Deeper than any server stores. */
const LIMITS = { nestingLevels: 1_000 }
const PREVIEWED = '20'

/** What a write by query is about: refused where another number of documents matches by then. */
export interface CountedQuery {
  readonly q: string
  readonly count: number
}

export async function countDocuments(
  address: CollectionAddress,
  q: string,
  signal?: AbortSignal,
): Promise<number> {
  const { text } = await askDocuments(documentsPath(address), {
    parameters: { q, c: 'true' },
    ...(signal && { signal }),
  })
  return Number(text)
}

/** The first documents that an update is about, printed one below the other. */
export interface UpdatePreview {
  readonly before: string
  readonly after: string
  readonly documents: number
}

/** @param update JSON text, as `PUT` takes it */
export async function previewUpdate(
  { slug, collection }: CollectionAddress,
  { q, update }: { readonly q: string; readonly update: string },
): Promise<UpdatePreview> {
  const path = `${appPath(slug)}/update-preview/${encodeURIComponent(collection)}`
  const parameters = { q, l: PREVIEWED }
  const { text } = await askDocuments(path, { method: 'POST', parameters, body: update })
  const changes = parseJson(text, LIMITS)
  const pairs = isJsonArray(changes) ? changes.filter(isJsonObject) : []
  const side = (name: string) => pairs.map((pair) => printed(pair.get(name) ?? null)).join('\n')
  return { before: side('before'), after: side('after'), documents: pairs.length }
}

function printed(value: JsonValue): string {
  return prettyPrint(stringify(value))
}

/** @returns how many matched, and how many are different now */
export async function updateDocuments(
  address: CollectionAddress,
  { q, count, update }: CountedQuery & { readonly update: string },
): Promise<{ readonly n: number; readonly modified: number }> {
  const parameters = { q, expect: String(count) }
  const { text } = await askDocuments(documentsPath(address), { method: 'PUT', parameters, body: update })
  return JSON.parse(text) as { n: number; modified: number }
}

export async function deleteMatching(address: CollectionAddress, { q, count }: CountedQuery): Promise<void> {
  const parameters = { q, expect: String(count) }
  await askDocuments(documentsPath(address), { method: 'DELETE', parameters })
}

/**
 * Deletes documents one by one, each as it was read a moment before, so that they can be made again.
 * @param onDeleted told of each
 */
export async function deleteChosen(
  address: CollectionAddress,
  ids: readonly string[],
  onDeleted: (document: DeletedDocument) => void,
): Promise<void> {
  for (const id of ids) {
    const found = await readDocument(address, id)
    if (found !== undefined && (await deleteDocument(address, { id, etag: found.etag })))
      onDeleted({ id, text: found.text })
  }
}
