import type { DocumentStore, ReadReport } from '../storage/store.ts'
import type { ObservedRead } from './query-stats.ts'

export interface StoreObserver {
  onRead(read: ObservedRead): void
  onWrites(at: { app: string; collection: string }, documents: number): void
}

interface InstrumentParts {
  readonly store: DocumentStore
  readonly observer: StoreObserver
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

/** A store that tells of its reads and writes and is the same in everything else. */
export function instrumentStore({ store, observer, now }: InstrumentParts): DocumentStore {
  const written = async <Result>(
    at: { app: string; collection: string },
    work: Promise<Result>,
    documentsOf: (result: Result) => number,
  ): Promise<Result> => {
    const result = await work
    observer.onWrites(at, documentsOf(result))
    return result
  }
  return {
    collections: store.collections,
    listCollections: (app) => store.listCollections(app),
    measureApp: (app) => store.measureApp(app),
    getDocument: (command) => store.getDocument(command),
    findDocuments(command) {
      const { app, collection, filter, sort, limit } = command
      const startedAt = now()
      const onReport = (report: ReadReport): void => {
        command.onReport?.(report)
        observer.onRead({ app, collection, filter, sort, limit, startedAt, report })
      }
      return store.findDocuments({ ...command, onReport })
    },
    countDocuments(command) {
      const { app, collection, filter } = command
      const startedAt = now()
      const onReport = (report: ReadReport): void => {
        command.onReport?.(report)
        observer.onRead({ app, collection, filter, sort: [], limit: undefined, startedAt, report })
      }
      return store.countDocuments({ ...command, onReport })
    },
    // Somebody takes all out, or a copy: nothing that an index would be for.
    exportDocuments: (command) => store.exportDocuments(command),
    listFields: (command) => store.listFields(command),
    saveDocuments: (command) => written(command, store.saveDocuments(command), ({ length }) => length),
    updateDocument: (command) => written(command, store.updateDocument(command), () => 1),
    updateDocuments: (command) =>
      written(
        command,
        store.updateDocuments(command),
        ({ modified, upserted }) => modified + (upserted === undefined ? 0 : 1),
      ),
    deleteDocument: (command) =>
      written(command, store.deleteDocument(command), (text) => (text === undefined ? 0 : 1)),
    deleteDocuments: (command) => written(command, store.deleteDocuments(command), (count) => count),
    async beginImport(command) {
      const staged = await store.beginImport(command)
      return {
        add: (documents) => staged.add(documents),
        finish: () => written(command, staged.finish(), ({ created, replaced }) => created + replaced),
        discard: () => staged.discard(),
      }
    },
    dropCollection: (address) => store.dropCollection(address),
    close: () => store.close(),
  }
}

/** One that is told of writes alone. */
export function writesOnly(observer: StoreObserver): StoreObserver {
  return { onRead: () => undefined, onWrites: (at, documents) => observer.onWrites(at, documents) }
}
