import type { Limits } from '../../domain/limits.ts'
import type { Directory } from '../store.ts'
import type { Failure } from './failures.ts'
import type { ControlRequest, ReadRequest, WriteRequest } from './requests.ts'
import type { VersionCells } from './version-table.ts'

/** What a storage thread is started with. */
export interface ThreadSettings {
  readonly dataDir: string
  readonly limits: Limits
  readonly serviceNames: readonly string[]
  /** One cell: the number of the request that the thread is working on, 0 between requests. */
  readonly progress: Int32Array<SharedArrayBuffer>
  /** By which the writer says what it changes. */
  readonly versions: VersionCells
}

/** A request with the number by which its reply is known. Requests travel in arrays, one per turn of the event loop. */
export type Numbered<Request> = readonly [id: number, request: Request]

export type ThreadRequest = ReadRequest | WriteRequest | ControlRequest

export type Reply =
  | readonly [id: number, value: unknown]
  | readonly [id: number, value: undefined, failure: Failure]

/** What a thread says of itself, apart from its replies. */
export type ThreadEvent =
  | { readonly event: 'ready' }
  | { readonly event: 'directory'; readonly directory: Directory }
  | { readonly event: 'closed' }

/** Asks a thread to finish what it has taken, close its files and end. */
export const CLOSE = 'close'
/** Tells a reader which apps there are, so that it lets go of the others. */
export interface AppsMessage {
  readonly apps: readonly string[]
}

/** Tells the writer that the threads which it replaces are gone: the versions may be trusted from here on. */
export interface SettleMessage {
  /** What `VersionTable.distrust` answered. */
  readonly settle: number
}

export type ThreadMessage = readonly Numbered<ThreadRequest>[] | AppsMessage | SettleMessage | typeof CLOSE
