import type { BinEntry } from '../../collection-store.ts'
import type { ImportRequest } from './import-requests.ts'

/** What is done to collections as a whole, each a transaction of its own that takes little time. */
export type UpkeepRequest = { readonly kind: 'upkeep'; readonly app: string } & (
  | RenameCollection
  | MoveToBin
  | RestoreFromBin
  | RemoveFromBin
  | SweepCollections
)

/** What is done in steps, of which one comes after each group of writes. */
export type StepRequest = ImportRequest | UpkeepRequest

/** Answered with how many documents it has. */
export interface RenameCollection {
  readonly step: 'rename'
  readonly collection: string
  readonly to: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/** Answered with the `BinEntry`; undefined where there was nothing to be emptied. */
export interface MoveToBin extends Pick<BinEntry, 'by' | 'reason'> {
  readonly step: 'bin'
  readonly collection: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

export interface RestoreFromBin {
  readonly step: 'restore'
  readonly id: number
  /** The name that it gets. */
  readonly collection: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/** It is swept away by and by. */
export interface RemoveFromBin {
  readonly step: 'remove'
  readonly id: number
}

/** Takes away a part of what is nobody's any more, and answers `SweepProgress`. */
export interface SweepCollections {
  readonly step: 'sweep'
  /** Milliseconds since the Unix epoch: what came to the bin before goes, too. */
  readonly binnedBefore: number
}

/** What a step of sweeping did where there is more to do: a drop is a change of the schema, which all connections read anew. */
export type SweepProgress = 'emptied' | 'dropped' | 'done'
