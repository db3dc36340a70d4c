import { isError, type Operation } from './traffic.ts'

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

/** Requests that were answered with 400 to 599, and others. */
export type TailCounts = Readonly<Record<TailKind, number>>
type TailKind = 'errors' | 'others'

/** Requests in their order, and how many more there were. */
export interface TailBatch {
  readonly requests: readonly TailRequest[]
  readonly skipped: TailCounts
}

export function kindOf(status: number): TailKind {
  return isError(status) ? 'errors' : 'others'
}

/** Leaves out what there is no room for; errors have room of their own, so that others don't crowd them out. */
export function withinRoom({ requests, skipped }: TailBatch, room: TailCounts): TailBatch & Told {
  const told = { errors: 0, others: 0 }
  const left = { ...skipped }
  const kept = requests.filter(({ status }) => {
    const kind = kindOf(status)
    const fits = told[kind] < room[kind]
    if (fits) told[kind]++
    else left[kind]++
    return fits
  })
  return { requests: kept, skipped: left, told }
}

interface Told {
  readonly told: TailCounts
}
