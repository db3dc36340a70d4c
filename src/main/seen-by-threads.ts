import type { WatchedRead } from '../operations/read-ledger.ts'
import type { StoreWatch } from '../operations/watch-store.ts'

/** Reads and writes that a thread tells of together, and how long it gathers them. */
const GATHERED = 1000
const GATHERED_MS = 200

/** A read or a write of a thread that serves HTTP. */
export type Seen =
  | { readonly read: WatchedRead }
  | { readonly at: { readonly app: string; readonly collection: string }; readonly documents: number }

/** A watch that passes on what it sees, by and by, to the thread that keeps account of it. */
export function gatheringWatch(post: (seen: readonly Seen[]) => void): StoreWatch {
  let gathered: Seen[] = []
  const flush = (): void => {
    if (gathered.length > 0) post(gathered)
    gathered = []
  }
  const add = (seen: Seen): void => {
    if (gathered.length === 0) setTimeout(flush, GATHERED_MS).unref()
    gathered.push(seen)
    if (gathered.length >= GATHERED) flush()
  }
  return {
    onRead: (read) => add({ read }),
    onWrites: ({ app, collection }, documents) => add({ at: { app, collection }, documents }),
  }
}

export function tellAll(watch: StoreWatch, seen: readonly Seen[]): void {
  for (const each of seen) {
    if ('read' in each) watch.onRead(each.read)
    else watch.onWrites(each.at, each.documents)
  }
}
