import type { Limits } from '../domain/limits.ts'
import type { BodyWorker } from './body-worker.ts'

/** A request's body as it came: blocks of bytes that belong to it alone once there are several. */
export type Body = readonly Buffer[]

export function bodyBytes(body: Body): number {
  return body.reduce((sum, { length }) => sum + length, 0)
}

/** How a body of documents is written: as a JSON text, or as NDJSON, a document a line. */
export type BodyFormat = 'json' | 'ndjson'

/** What reading a body takes. */
export interface BodyContext {
  readonly limits: Limits
  /** Takes bodies apart that are too long for the main thread. */
  readonly bodyWorker: Pick<BodyWorker, 'documents' | 'update' | 'onlyId' | 'changes'>
  /** Names accepted before `.ServerValue.` in placeholders and in the key's header, `Service` among them. */
  readonly serviceNames: readonly string[]
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** A fresh ULID. */
  readonly unique: () => string
  /** A fresh UUID. */
  readonly uuid: () => string
}
