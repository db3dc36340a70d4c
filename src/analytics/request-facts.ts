import type { Operation } from './traffic.ts'
import type { Area } from './traffic-delta.ts'

/** What is counted of a request whose answer was handed over. */
export interface RequestFacts {
  readonly area: Area
  readonly method: string
  /** 499, as nginx has it, where nobody was there to take all of the answer. */
  readonly status: number
  /** Of an error. */
  readonly code: string
  /** From its head on. */
  readonly ms: number
  /** Of the bodies, as they were sent. */
  readonly bytesIn: number
  readonly bytesOut: number
  /** Documents. */
  readonly read: number
  readonly written: number
  /** The id of the app; empty for none that there is. */
  readonly app: string
  /** The id and the name of the key; empty where none was let in to the app. */
  readonly key: string
  readonly keyName: string
  /** Empty where it is of none, or of none that the key may reach. */
  readonly collection: string
  readonly operation: Operation
  /** Where it comes from; empty where that isn't known. */
  readonly address: string
  /** As it came, with whatever secrets and texts clients write there. */
  readonly target: string
  readonly requestId: string
  /** Where a page of a site was shown. */
  readonly visit: Visit | undefined
}

export interface Visit {
  /** Decoded, without a query. */
  readonly path: string
  /** The host of the page before; empty where there is none, or it is the site's own. */
  readonly referrer: string
}

/** Counts requests. */
export interface CountRequests {
  /** Never throws. */
  add(facts: RequestFacts): void
}
