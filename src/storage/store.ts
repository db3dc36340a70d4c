import type { DocumentId } from '../domain/document.ts'
import type { Permitted } from '../domain/permitted.ts'
import type { Precondition } from '../domain/precondition.ts'
import type { Filter, Projection, SortField } from '../query/ast.ts'
import type { Update } from '../update/ast.ts'
import type { CountTexts, FindTexts } from './cache-key.ts'
import type { CollectionStore } from './collection-store.ts'
import type { ExportStore } from './export-store.ts'
import type { ImportCommand, StagedImport } from './import-store.ts'
import type { PackedDocuments, PackedUpdate } from './packed.ts'

export type { AppRecord, Directory, KeyRecord, KeySecret, SiteRecord, TokenSecret } from './directory.ts'

/** A collection of one app. `app` is the app's internal id, so that a slug used again is another app. */
export interface CollectionAddress {
  readonly app: string
  readonly collection: string
}

export interface GetCommand extends CollectionAddress {
  /** Tried in this order; the first that exists is answered. */
  readonly ids: readonly DocumentId[]
  readonly projection?: Projection
}

/** JSON ready to send: a text, or its UTF-8 where that is at hand. */
export type JsonText = string | Uint8Array<ArrayBuffer>

/** How a read was carried out. */
export interface ReadPlan {
  /** By ids, by the count that is kept, by an index, or by looking at the documents one after the other. */
  readonly kind: 'id' | 'count' | 'index' | 'scan'
  /** The name of the index. */
  readonly index?: string
  /** About how many documents or entries of an index were looked at. */
  readonly examined: number
}

/** What a read cost, told when it is over, or when its first chunk is there. */
export interface ReadReport {
  readonly plan: ReadPlan
  /** How many documents it found. */
  readonly returned: number
  /** Time in the store, waiting for a thread included. */
  readonly milliseconds: number
}

/** What may take long. */
interface Cancellable {
  /** Asked between the chunks of a long read, and of a search before a write: whether anybody waits for the answer. */
  readonly isCancelled?: () => boolean
}

/** What reads have in common beside what they ask for. */
interface Watched extends Cancellable {
  /** Not told of an answer from memory. */
  readonly onReport?: (report: ReadReport) => void
}

/**
 * Where a page ended: all that is needed to go on behind it, whatever became of its last document, as the engine writes
 * it. Nobody else reads it, and none comes back that an engine has not written. In natural order nothing that is first
 * seen after a page may stand before its end.
 */
export type Cursor = Uint8Array

export interface FindCommand extends CollectionAddress, Watched {
  readonly texts?: FindTexts
  readonly filter: Filter
  readonly sort: readonly SortField[]
  readonly skip: number
  readonly limit: number
  readonly projection?: Projection
  /** Whether each document is answered as `previewOf` shows it. */
  readonly wantsPreviews?: boolean
  /**
   * Where a page of the same filter and sort ended; only what comes behind it is found. One of another collection than
   * the one that is there, or that another version or engine has written, is refused with `invalid_cursor`.
   */
  readonly after?: Cursor
  /** Whether `FindResult.end` is asked for. */
  readonly wantsEnd?: boolean
  /**
   * Milliseconds after which a read in natural order that looks at many documents may answer what it has found by then,
   * perhaps nothing, and its end.
   */
  readonly partialAfterMs?: number
}

/** One JSON array: whole, or in chunks that make it up in their order, where it is long. */
export type FindResult = (
  | { readonly first: JsonText; readonly rest?: undefined }
  | { readonly first: string; readonly rest: AsyncIterable<string> }
) & {
  /**
   * Where the page ended, if that was asked for and as many documents as `limit` were found, or it is a part of one. Missing all the same
   * where the sort has more than `CURSOR_FIELDS` fields, or the limit is more than a store finds at once.
   */
  readonly end?: Cursor
  /** How many documents were found so far: all of them, once the whole array was read. Missing where nobody counts them. */
  readonly documents?: () => number
}

/** Fields of a sort that a cursor can carry. */
export const CURSOR_FIELDS = 32

export interface CountCommand extends CollectionAddress, Watched {
  readonly texts?: CountTexts
  readonly filter: Filter
}

/** A document to save, as compact JSON. Without `id` the store assigns a ULID and puts it first. */
export interface DocumentToSave {
  readonly id?: DocumentId
  readonly text: string
}

/** A write of one document. */
interface Conditional {
  readonly precondition?: Precondition | undefined
}

/** With a precondition it is of one document. */
export interface SaveCommand extends CollectionAddress, Conditional {
  readonly permitted: Permitted
  readonly documents: readonly DocumentToSave[]
}

/** A save as it comes from outside. */
export type PackableSave = Omit<SaveCommand, 'documents'> & {
  readonly documents: readonly DocumentToSave[] | PackedDocuments
}

export interface SavedDocument {
  /** The id that was assigned, where the document came without one. */
  readonly assignedId?: string
  readonly created: boolean
}

/** A write that makes documents of others. */
interface Bounded {
  /** How many bytes each may have, beside the limit of the engine: the app's own. */
  readonly documentBytes?: number | undefined
}

export interface UpdateOneCommand extends CollectionAddress, Conditional, Bounded {
  /** Tried in this order; where none exists, the last step is to create a document. */
  readonly ids: readonly DocumentId[]
  /** The `_id` of a document that has to be created. */
  readonly createId: DocumentId
  readonly permitted: Permitted
  readonly update: Update
  /** The request's instant in milliseconds since the Unix epoch. */
  readonly now: number
}

export interface UpdatedDocument {
  readonly text: string
  readonly created: boolean
}

/** A write of what a query finds. */
interface Counted {
  /** Where another number of documents matches, nothing is done. */
  readonly expected?: number | undefined
}

export interface UpdateManyCommand extends CollectionAddress, Cancellable, Counted, Bounded {
  readonly filter: Filter
  readonly update: Update
  /** Whether every match is updated, or the first in natural order only. */
  readonly multi: boolean
  /** Whether a document is made from the filter's equalities where nothing matches. */
  readonly upsert: boolean
  readonly now: number
  /** By how many bytes documents may become longer together; one that needs more is refused with `quota_exceeded`. */
  readonly roomBytes?: number
}

export interface UpdateManyResult {
  readonly matched: number
  readonly modified: number
  /** Where `roomBytes` was given: by how many bytes documents have become longer together, below 0 where they are shorter. */
  readonly grownBytes?: number
  /** The JSON text of the `_id` of the document that an upsert made, where it made one. */
  readonly upserted?: string
}

/** An update as it comes from outside. */
export type Packable<Command extends { readonly update: Update }> = Omit<Command, 'update'> & {
  readonly update: Update | PackedUpdate
}

export interface DeleteOneCommand extends CollectionAddress, Conditional {
  readonly ids: readonly DocumentId[]
}

export interface DeleteManyCommand extends CollectionAddress, Cancellable, Counted {
  readonly filter: Filter
}

/** How much an app holds. */
export interface AppSize {
  /** Of its file that documents and indexes take, in whole pages. */
  readonly bytes: number
  /** Of it that nothing takes: what is saved next fills it before the file grows. */
  readonly freeBytes: number
  /** Ordered by name, by code point. */
  readonly collections: readonly CollectionSize[]
}

export interface CollectionSize {
  readonly name: string
  readonly documents: number
  /** About what the documents take, reckoned from a few of them; exact where there are only a few. */
  readonly approximateBytes: number
  /** How many indexes it has, with those that are being built. */
  readonly indexes: number
  /** How many of them the service made by itself. */
  readonly automaticIndexes: number
}

/**
 * What every engine does with documents; with indexes it is in `index-store.ts`. A write's promise resolves when the
 * write is durable, and rejects when nothing of it was done, but with `outcome_unknown` where that is not known. Reads
 * see every write that was acknowledged before they began. Of the documents of a collection the natural order is that
 * in which reads first saw them. A collection that doesn't exist reads as empty.
 * @throws AppError `app_not_found`, `deadline_exceeded`, `overloaded`, `store_unavailable`; of a collection
 * that is removed meanwhile `changed_meanwhile`; `findDocuments` also `invalid_cursor`; writes also `outcome_unknown`, `permission_denied`, `precondition_failed`, `unexpected_count`, `document_too_large`,
 * `nesting_too_deep`, `invalid_update`, `update_not_applicable`, `conflicting_paths`, `immutable_id`, `invalid_id`, `number_out_of_range`,
 * and where an index refuses `unique_violation`, `too_many_values`
 */
export interface DocumentStore extends ExportStore {
  readonly collections: CollectionStore
  /** Names ordered by code point. */
  listCollections(app: string): Promise<string[]>
  /** Looks at a few documents of each collection, however many there are. */
  measureApp(app: string): Promise<AppSize>
  /** Like the next two, at once where nothing has to be waited for. */
  getDocument(command: GetCommand): string | undefined | Promise<string | undefined>
  findDocuments(command: FindCommand): FindResult | Promise<FindResult>
  countDocuments(command: CountCommand): number | Promise<number>
  /** All or nothing, in their order. A refusal says which of them it is about, as `documentIndex`. */
  saveDocuments(command: PackableSave): Promise<readonly SavedDocument[]>
  updateDocument(command: Packable<UpdateOneCommand>): Promise<UpdatedDocument>
  updateDocuments(command: Packable<UpdateManyCommand>): Promise<UpdateManyResult>
  /** The document as it was, or undefined where there was none. */
  deleteDocument(command: DeleteOneCommand): Promise<string | undefined>
  deleteDocuments(command: DeleteManyCommand): Promise<number>
  /** Begins to save many documents, all or nothing; they keep their order, and stand behind all others. */
  beginImport(command: ImportCommand): Promise<StagedImport>
  /** Drops a collection at once, past the bin. @returns whether there was one */
  dropCollection(address: CollectionAddress): Promise<boolean>
  /** Finishes the writes that were taken, then closes every file. */
  close(): Promise<void>
}
