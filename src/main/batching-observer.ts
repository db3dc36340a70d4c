import type { StoreObserver } from '../query-stats/instrument-store.ts'
import type { ObservedRead } from '../query-stats/query-stats.ts'

/** Reads and writes that a thread tells of together, and how long it waits for more. */
const BATCH = 1000
const BATCH_MS = 200

/** A read or a write of a thread that serves HTTP. */
export type Observation =
  | { readonly read: ObservedRead }
  | { readonly at: { readonly app: string; readonly collection: string }; readonly documents: number }

/** An observer that passes on what it is told, in batches, to the thread that has the statistics. */
export function batchingObserver(post: (observations: readonly Observation[]) => void): StoreObserver {
  let batch: Observation[] = []
  const flush = (): void => {
    if (batch.length > 0) post(batch)
    batch = []
  }
  const add = (observation: Observation): void => {
    if (batch.length === 0) setTimeout(flush, BATCH_MS).unref()
    batch.push(observation)
    if (batch.length >= BATCH) flush()
  }
  return {
    onRead: (read) => add({ read }),
    onWrites: ({ app, collection }, documents) => add({ at: { app, collection }, documents }),
  }
}

export function replay(observer: StoreObserver, observations: readonly Observation[]): void {
  for (const each of observations) {
    if ('read' in each) observer.onRead(each.read)
    else observer.onWrites(each.at, each.documents)
  }
}
