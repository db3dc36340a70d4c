import { AppError } from '../../../errors.ts'
import type { DocumentRules } from '../../../update/make-document.ts'
import type { Connection } from '../files/connection.ts'
import type { TakenKeys } from '../index/index-maintenance.ts'
import type { ChangeLogs } from './change-log.ts'
import type { SearchBounds } from './select-write-targets.ts'

/** Bounds of what the writer does in one go. */
export interface WriterBounds extends SearchBounds {
  /** How long a step goes on, of an import or of sweeping: what other writes wait for is that, and its commit. */
  readonly stepMs: number
}

/** What every write has at hand. */
export interface WriteContext extends DocumentRules {
  readonly app: string
  readonly connection: Connection
  readonly bounds: WriterBounds
  /** To be told of every document that is changed or deleted. */
  readonly changes: ChangeLogs
  /** The imports that were begun since the writer was, of all apps. */
  readonly imports: Set<string>
  /** When the write has to give up, in milliseconds of `performance.now()`. */
  readonly deadline: number
  readonly tally: WriteTally
}

/** What one write has done, beside what its statements did. */
export interface WriteTally {
  /** How many documents more each collection has, by its id. */
  readonly counts: Map<number, number>
  /** Looked at when all else is done, so that values may change hands within a write. */
  readonly taken: TakenKeys[]
  /** Which document of a save is being written, from 0. */
  document?: number
}

export function emptyTally(): WriteTally {
  return { counts: new Map(), taken: [] }
}

export function countDocuments(counts: Map<number, number>, collection: number, change: number): void {
  counts.set(collection, (counts.get(collection) ?? 0) + change)
}

/** @throws AppError `deadline_exceeded` */
export function checkDeadline(deadline: number): void {
  if (performance.now() > deadline)
    throw new AppError('deadline_exceeded', 'the write took too long in the store; narrow its query')
}
