import type { ExportFormat } from '../../export-store.ts'
import type {
  CollectionAddress,
  CountCommand,
  Cursor,
  DeleteManyCommand,
  DeleteOneCommand,
  FindCommand,
  GetCommand,
  Packable,
  PackableSave,
  ReadPlan,
  SaveCommand,
  UpdateManyCommand,
  UpdateOneCommand,
} from '../../store.ts'

import type { CompiledFilter } from './compiled-filter.ts'

export type { ReadPlan } from '../../store.ts'

/** A moment in the life of a collection, as the thread that writes counts its changes. */
export interface ChangeMark {
  /** Which log counts them: another one never has the same name, nor does that of another writer thread. */
  readonly log: string
  readonly at: number
}

/** How long a read may go on in its thread, in milliseconds from when the thread begins it. */
interface Budgeted {
  readonly budgetMs: number
  /** What is done in one go looks there whether anybody waits for it: not 0 from when nobody does any more. */
  readonly cancelled?: Int32Array<SharedArrayBuffer>
}

/** What a foreground reader answers to a read that it leaves to a background reader. */
export const DEFERRED = 'deferred'

/** Whether a foreground reader is asked: there a read takes a few milliseconds at most, or is deferred. */
interface Deferrable {
  readonly isForeground: boolean
}

/** What goes on with a read tells where it began: the collection may have another name by now, or another one its name. */
interface Resumable {
  /** The number of the collection. */
  readonly begunIn?: number
}

/** What of documents is read, beside which of them. */
export type Shape = Pick<FindCommand, 'projection' | 'wantsPreviews'> & {
  /**
   * Where they are told by lines, instead of joined by commas. The names of fields that are new in a chunk are one, too, of
   * which no more are told than tells that there are too many.
   */
  readonly lines?: ExportFormat | { readonly kind: 'fields'; readonly most: number }
}

/** Begins a read of documents; of one that is put in order by windows, each window. */
export type FindRequest = Omit<FindCommand, 'isCancelled' | 'onReport' | 'texts' | keyof Shape> &
  Shape &
  Budgeted &
  Deferrable &
  Resumable

/** What goes on with a read whose documents are gone, which is no whole answer then. */
export interface Lost {
  readonly isGone?: true
}

/** Which documents a scan looks at: those in natural order that come after a row id. */
interface Scanning extends Budgeted, Resumable {
  readonly app: string
  readonly collection: string
  /** Compiled when the read began, for all of its chunks. */
  readonly filter: CompiledFilter
  readonly after: number
}

/** The matches among them, as many as fit one chunk. */
export interface ScanRequest extends Scanning, Shape, Pick<FindCommand, 'skip' | 'limit'> {
  /** The last row id that is looked at, where it is known. */
  readonly to?: number
}

export interface ScanChunk extends Lost {
  /** Documents as JSON, joined by commas; or lines, each with its end. */
  readonly text: string
  readonly found: number
  readonly skipped: number
  /** The row id up to which the collection was read. */
  readonly after: number
  readonly done: boolean
  readonly plan: ReadPlan
}

/** Documents that one statement finds or puts in order: 8 bytes of memory each. */
export const SORT_WINDOW = 1_000_000

/** The first of the documents that were found, and the row ids of the others. */
export interface RowIdsChunk {
  readonly text: string
  readonly found: number
  readonly rowIds: Float64Array
  /** Whether these are all, so that no other window of row ids is to come. */
  readonly isLast: boolean
  /** Where the page ends, if that was asked for and it is full. */
  readonly end?: Cursor
  readonly plan: ReadPlan
}

/** Asks where the next matches in natural order are, without their text. */
export interface LocateRequest extends Scanning {
  readonly limit: number
}

export interface LocatedChunk extends Lost {
  readonly rowIds: Float64Array
  readonly after: number
  readonly done: boolean
}

/** Asks where the documents are that a write by query is for, as far as a time slice goes; `locate` goes on with it. */
export type FindRowIdsRequest = Pick<FindCommand, 'app' | 'collection' | 'filter' | 'limit'> & {
  /** When it has to give up, in `monotonicMs`. */
  readonly until: number
}

export type FindChunk = ScanChunk | RowIdsChunk

/** What begins a read answers: a chunk and, where a scan has more to look at, the filter that it goes on with. */
export type Continuable<Chunk> = Chunk & { readonly filter?: CompiledFilter }

/** The same with the number of the collection that it is of. */
export type FirstChunk<Chunk = FindChunk> = Continuable<Chunk> & Lost & { readonly collection: number }

export type FetchRequest = Pick<FindCommand, 'app' | 'collection'> &
  Shape &
  Resumable & {
    /** The row ids of documents in natural order, in the order in which they are wanted. */
    readonly rowIds: Float64Array
  }

export interface FetchedChunk extends Lost {
  readonly text: string
  readonly found: number
  /** How many of the row ids were dealt with; a document that is gone by now counts. */
  readonly taken: number
}

export type CountRequest = Omit<CountCommand, 'isCancelled' | 'onReport' | 'texts'> & Budgeted & Deferrable

/** Counts the matches in natural order that come after a row id, as far as a time slice goes. */
export type ResumeCountRequest = Scanning

export interface CountChunk extends Lost {
  readonly count: number
  readonly after: number
  readonly done: boolean
  readonly plan: ReadPlan
}

export type ReadRequest =
  | ({ readonly kind: 'get' } & GetCommand)
  | { readonly kind: 'collections'; readonly app: string }
  | { readonly kind: 'size'; readonly app: string }
  | { readonly kind: 'bin'; readonly app: string }
  | ({ readonly kind: 'scan' } & ScanRequest)
  | ({ readonly kind: 'find' } & FindRequest)
  | ({ readonly kind: 'locate' } & LocateRequest)
  | ({ readonly kind: 'findRowIds' } & FindRowIdsRequest)
  | ({ readonly kind: 'fetch' } & FetchRequest)
  | ({ readonly kind: 'count' } & CountRequest)
  | ({ readonly kind: 'resumeCount' } & ResumeCountRequest)

/** Asks a reader what is to be done in an app; its documents are not looked at. */
export interface LeftWorkRequest {
  readonly kind: 'leftWork'
  readonly app: string
}

/** Asks the writer to note when keys were used; it is no write to documents, and has no app. */
export interface KeyUsesRequest {
  readonly kind: 'recordKeyUses'
  readonly app: ''
  /** Milliseconds since the Unix epoch by the key's id. */
  readonly uses: ReadonlyMap<string, number>
}

/** What the writer does on the control file, beside the groups of writes. */
export type ControlRequest = KeyUsesRequest

/** What a reader has found for a write by query. */
export interface FoundRowIds {
  /** From before it began. */
  readonly mark: ChangeMark
  /** In natural order, in as many chunks as they were found in. */
  readonly rowIds: readonly Float64Array[]
  /** The row id up to which every document was looked at. */
  readonly to: number
}

/** How a write by query comes to its documents. Without anything, the writer may answer `FindFirst`. */
export interface WriteSearch {
  readonly found?: FoundRowIds
  /** Whether the writer finds them itself, however long that takes, where what was found is of no use. */
  readonly isFinal?: boolean
}

/** The writer's answer to a write whose documents are to be found by a reader; nothing was done yet. */
export interface SearchRequired {
  readonly mark: ChangeMark
}

/** The update may still be packed, for it is not needed where nothing matches. */
export type UpdateManyRequest = {
  readonly kind: 'updateMany'
} & Omit<Packable<UpdateManyCommand>, 'isCancelled'> &
  WriteSearch
export type DeleteManyRequest = { readonly kind: 'deleteMany' } & Omit<DeleteManyCommand, 'isCancelled'> &
  WriteSearch

export type WriteRequest =
  | ({ readonly kind: 'save' } & SaveCommand)
  | ({ readonly kind: 'updateOne' } & UpdateOneCommand)
  | UpdateManyRequest
  | ({ readonly kind: 'deleteOne' } & DeleteOneCommand)
  | DeleteManyRequest
  | ({ readonly kind: 'drop' } & CollectionAddress)

/** Writes as they come to the writer: what is long in them may still be packed. */
export type PackableWriteRequest =
  | Exclude<WriteRequest, { readonly kind: 'save' | 'updateOne' }>
  | ({ readonly kind: 'save' } & PackableSave)
  | ({ readonly kind: 'updateOne' } & Packable<UpdateOneCommand>)
