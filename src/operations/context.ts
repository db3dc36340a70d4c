import type { Limits } from '../domain/limits.ts'
import type { Directory, DocumentStore } from '../storage/store.ts'
import type { Admit } from './admit.ts'
import type { LargeBodies } from './large-bodies.ts'

/** What every operation on documents works with. One is made for the whole process; the rest is arguments. */
export interface OperationContext {
  readonly store: DocumentStore
  /** The apps and keys as they are at this moment. */
  readonly directory: () => Directory
  /** Asked once for every request whose credential is good, before anything else is done for it. */
  readonly admit: Admit
  readonly limits: Limits
  /** Takes bodies apart that are too long for the main thread. */
  readonly largeBodies: Pick<LargeBodies, 'documents' | 'update' | 'onlyId'>
  /** Names accepted before `.ServerValue.` in placeholders and in the key's header, `Service` among them. */
  readonly serviceNames: readonly string[]
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** A fresh ULID. */
  readonly unique: () => string
  /** A fresh UUID. */
  readonly uuid: () => string
}

/** A collection as a client names it: the app's slug and the collection's name, both decoded. */
export interface CollectionInput {
  readonly app: string
  readonly collection: string
}

/** A request's body as it came: blocks of bytes that belong to it alone once there are several. */
export type Body = readonly Buffer[]

/** How a body of documents is written: as a JSON text, or as NDJSON, a document a line. */
export type BodyFormat = 'json' | 'ndjson'

/** What a write answers: the whole documents, or no more than their ids. */
export type Answer = 'documents' | 'ids'
