import { deserialize, serialize } from 'node:v8'
import type { DocumentId } from '../domain/document.ts'
import type { Update } from '../update/ast.ts'
import type { DocumentToSave } from './store.ts'

/**
 * Documents to save as bytes in memory that threads share: whoever passes them on pays nothing for their length.
 */
export interface PackedDocuments {
  readonly ids: readonly (DocumentId | undefined)[]
  /** The documents' texts one behind the other, in UTF-8. */
  readonly texts: Uint8Array<SharedArrayBuffer>
  /** Where each of them ends. */
  readonly ends: Uint32Array<SharedArrayBuffer>
}

/** An update as bytes in memory that threads share. */
export interface PackedUpdate {
  readonly packed: Uint8Array<SharedArrayBuffer>
}

export function packDocuments(documents: readonly DocumentToSave[]): PackedDocuments {
  const bytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  const texts = new Uint8Array(new SharedArrayBuffer(bytes))
  const ends = new Uint32Array(new SharedArrayBuffer(documents.length * Uint32Array.BYTES_PER_ELEMENT))
  const target = Buffer.from(texts.buffer)
  let end = 0
  for (const [index, { text }] of documents.entries()) {
    end += target.write(text, end)
    ends[index] = end
  }
  return { ids: documents.map(({ id }) => id), texts, ends }
}

/** The text of one packed document. */
export function packedText({ texts, ends }: PackedDocuments, index: number): string {
  const start = index === 0 ? 0 : ends[index - 1]!
  return Buffer.from(texts.buffer, texts.byteOffset + start, ends[index]! - start).toString()
}

/** Of one packed document, its length. */
export function packedBytes({ ends }: PackedDocuments, index: number): number {
  return ends[index]! - (index === 0 ? 0 : ends[index - 1]!)
}

/** Some of the documents, on the same memory. */
export function slicePacked(
  { ids, texts, ends }: PackedDocuments,
  from: number,
  to: number,
): PackedDocuments {
  const start = from === 0 ? 0 : ends[from - 1]!
  const sliced = new Uint32Array(new SharedArrayBuffer((to - from) * Uint32Array.BYTES_PER_ELEMENT))
  for (let index = from; index < to; index++) sliced[index - from] = ends[index]! - start
  const end = to === from ? start : ends[to - 1]!
  return { ids: ids.slice(from, to), texts: texts.subarray(start, end), ends: sliced }
}

function isPackedDocuments(
  documents: readonly DocumentToSave[] | PackedDocuments,
): documents is PackedDocuments {
  return 'texts' in documents
}

/** Documents as an engine saves them, whichever way they came. */
export function unpackedDocuments(
  documents: readonly DocumentToSave[] | PackedDocuments,
): readonly DocumentToSave[] {
  if (!isPackedDocuments(documents)) return documents
  return documents.ids.map((id, index) => {
    const text = packedText(documents, index)
    return id === undefined ? { text } : { id, text }
  })
}

export function packUpdate(update: Update): PackedUpdate {
  const bytes = serialize(update)
  const packed = new Uint8Array(new SharedArrayBuffer(bytes.length))
  packed.set(bytes)
  return { packed }
}

/** An update as an engine makes it, whichever way it came. */
export function unpackedUpdate(update: Update | PackedUpdate): Update {
  return 'packed' in update ? (deserialize(update.packed) as Update) : update
}
