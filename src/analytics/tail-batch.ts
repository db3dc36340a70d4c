import type { Operation } from './traffic.ts'

/** One request as those see it who look at an app's requests while they come: nothing of a body, a key or an address. */
export interface TailRequest {
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly method: string
  /** Redacted, without what its query says. */
  readonly path: string
  readonly status: number
  /** Of an error; empty without one. */
  readonly code: string
  readonly ms: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** The name of the key; empty without one. */
  readonly key: string
  readonly collection: string
  readonly operation: Operation
  readonly requestId: string
}

/** Requests in their order, and how many more there were. */
export interface TailBatch {
  readonly requests: readonly TailRequest[]
  readonly skipped: number
}
