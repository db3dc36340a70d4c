import type { BodyContext } from '../body/request-body.ts'
import type { Directory, DocumentStore } from '../storage/store.ts'
import type { Admit } from './admit.ts'

export type { Body, BodyFormat } from '../body/request-body.ts'

/** What every operation on documents works with. One is made for the whole process; the rest is arguments. */
export interface OperationContext extends BodyContext {
  readonly store: DocumentStore
  /** The apps and keys as they are at this moment. */
  readonly directory: () => Directory
  /** Asked once for every request whose credential is good, before anything else is done for it. */
  readonly admit: Admit
}

/** A collection as a client names it: the app's slug and the collection's name, both decoded. */
export interface CollectionInput {
  readonly app: string
  readonly collection: string
}

/** What a write returns: the whole documents, or no more than their ids. */
export type WriteReturn = 'documents' | 'ids'
