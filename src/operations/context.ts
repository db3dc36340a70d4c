import type { Limits } from '../domain/limits.ts'
import type { Directory, DocumentStore } from '../storage/store.ts'
import type { Admit } from './admit.ts'

/** What every operation on documents works with. One is made for the whole process; the rest is arguments. */
export interface OperationContext {
  readonly store: DocumentStore
  /** The apps and keys as they are at this moment. */
  readonly directory: () => Directory
  /** Asked once for every request whose credential is good, before anything else is done for it. */
  readonly admit: Admit
  readonly limits: Limits
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

/** What a write answers: the whole documents, or no more than their ids. */
export type Answer = 'documents' | 'ids'
