import type { Log } from '../http/log/log.ts'
import type { SqliteStore } from '../storage/sqlite/client/sqlite-store.ts'

const LOOK_MS = 60 * 60 * 1000

interface Bins {
  readonly store: Pick<SqliteStore, 'directory' | 'leftWork' | 'sweepCollections'>
  readonly log: Pick<Log, 'fault'>
}

/**
 * Looks every hour, one app after the other, for collections that have been in a bin for their time, and has them removed;
 * a start does the same.
 * @returns ends it
 */
export function keepBins({ store, log }: Bins): () => void {
  let isClosing = false
  let isAtWork = false
  const sweepAll = async (): Promise<void> => {
    for (const { id } of store.directory().apps.values()) {
      if (isClosing) return
      if ((await store.leftWork(id)).collections) await store.sweepCollections(id)
    }
  }
  const timer = setInterval(() => {
    if (isAtWork) return
    isAtWork = true
    void sweepAll()
      .catch((error: unknown) => {
        if (!isClosing) log.fault('collections in the bin can not be removed', error)
      })
      .finally(() => {
        isAtWork = false
      })
  }, LOOK_MS).unref()
  return () => {
    isClosing = true
    clearInterval(timer)
  }
}
