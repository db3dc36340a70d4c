import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** What accounts are kept in, and what its databases do each in their own way. */
export interface AccountDatabase {
  readonly kysely: Kysely<Tables>
  /** Has changes follow one after the other, so that what one has looked at still holds when it writes. */
  lockChanges(change: Transaction<Tables>): Promise<void>
  /** Tells those who watch the directory that it is another one when the change is committed. */
  announce(change: Transaction<Tables>): Promise<void>
  /** What went wrong, as the caller is told of it. */
  errorOf(error: unknown): unknown
  close(): Promise<void>
}

/** Where the documents of apps are, which an app has from before it is seen until after it is gone. */
export interface AppDocuments {
  create(app: string): void | Promise<void>
  /** Takes over a file that has its documents. */
  adopt(app: string, file: string): void | Promise<void>
  /** Also where there are none. Nothing is done for an id that can't be one. */
  remove(app: string): void | Promise<void>
}
