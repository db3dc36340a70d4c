import { setTimeout as wait } from 'node:timers/promises'
import { DROPPED_COLLECTION_MS } from '../../collection-store.ts'
import type { StepRequest, SweepProgress } from '../protocol/upkeep-requests.ts'

/** The calls that steps need of the writer. */
export interface StepWriter {
  call<Result>(request: StepRequest): Promise<Result>
}

/**
 * After each step, in which others write. Where tables were dropped, every connection reads the whole schema with its next
 * statement, which takes it 100 ms and more where there are thousands of tables.
 */
const PAUSE_MS = { emptied: 20, dropped: 1000 }

/**
 * Has the writer take away, step by step, what imports have left behind in an app, what was removed from the bin and
 * what has been there for its time.
 * @param now milliseconds since the Unix epoch
 */
export async function sweepCollections(writer: StepWriter, app: string, now = Date.now()): Promise<void> {
  const request = { kind: 'upkeep', step: 'sweep', app, binnedBefore: now - DROPPED_COLLECTION_MS } as const
  try {
    for (;;) {
      const progress = await writer.call<SweepProgress>(request)
      if (progress === 'done') return
      await wait(PAUSE_MS[progress], undefined, { ref: false })
    }
  } catch {
    // The store is closing, the disk is full, or the app was deleted: what is left is for the next start, or import.
  }
}
