import type { RunningServer } from '../contender.ts'
import type { Filling } from '../documents.ts'
import type { Kit } from '../kit.ts'
import type { LoadRequest } from '../load/load.ts'
import type { Identity } from '../sheaf.ts'
import type { PeerCache } from './cache.ts'

/**
 * Work that is given to every peer that can do it: one document by its id, one new document, many new documents, the
 * first 1,000 documents, and 20 documents by a field with an index.
 */
export type Work = 'read' | 'save' | 'bulk' | 'list' | 'filter'

/** What users take instead of Sheaf. */
export interface Peer {
  readonly name: string
  /** Product and version, who speaks TLS, and what else differs. */
  readonly about: string
  /** What is on the disk when it acknowledges, and by which setting. */
  readonly durability: string
  readonly isDurable: boolean
  /** Why it has no request for a kind of work. */
  readonly lacks?: Partial<Readonly<Record<Work, string>>>
  /** Gets its packages or program into the cache; answers where. @throws Skipped where that isn't possible */
  install(cache: PeerCache): Promise<string>
  /** Starts it on an empty folder and fills it. */
  start(setting: PeerSetting): Promise<PeerServer>
}

export interface PeerSetting {
  readonly kit: Kit
  readonly identity: Identity
  /** What `install` answered. */
  readonly installed: string
  readonly filling: Filling
}

export interface PeerServer extends RunningServer {
  readonly requests: Readonly<Partial<Record<Work, LoadRequest>>>
}

/** Sizes of what the saves send, the same for every server. */
export const SAVE_BYTES = 560
export const BULK_DOCUMENTS = 1000
export const BULK: Filling = { documents: BULK_DOCUMENTS, bytes: 500 }
export const LIST_DOCUMENTS = 1000
/** One of the branches; it is there in every collection of 360 documents or more. */
export const BRANCH = 17

/** A request of one server's, in short. */
export function requestsTo(
  port: number,
  common: Readonly<Record<string, string>> = {},
): (method: string, path: string, body?: string) => LoadRequest {
  return (method, path, body) => {
    if (body === undefined) return { port, method, path, headers: common }
    return { port, method, path, headers: { ...common, 'Content-Type': 'application/json' }, body }
  }
}
