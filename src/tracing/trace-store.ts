import type { CollectionAddress, DocumentStore } from '../storage/store.ts'
import type { Tracer } from './tracer.ts'

/**
 * A store whose work for a request that is traced has spans, and is the same in everything else.
 * @param shownCollection a collection's name as it may be told; empty where it may not
 */
export function traceStore(
  store: DocumentStore,
  tracer: Pick<Tracer, 'within'>,
  shownCollection: (name: string) => string,
): DocumentStore {
  const traced =
    <Command extends CollectionAddress, Result>(operation: string, work: (command: Command) => Result) =>
    (command: Command): Result => {
      const { app } = command
      const collection = shownCollection(command.collection)
      const attributes = {
        'db.system.name': 'sheaf',
        'db.namespace': app,
        'db.collection.name': collection || undefined,
        'db.operation.name': operation,
      }
      return tracer.within({ name: `${operation} ${collection}`.trimEnd(), attributes }, () => work(command))
    }
  return {
    collections: store.collections,
    listCollections: (app) => store.listCollections(app),
    measureApp: (app) => store.measureApp(app),
    getDocument: traced('get', (command) => store.getDocument(command)),
    findDocuments: traced('find', (command) => store.findDocuments(command)),
    countDocuments: traced('count', (command) => store.countDocuments(command)),
    exportDocuments: (command) => store.exportDocuments(command),
    listFields: traced('list-fields', (command) => store.listFields(command)),
    saveDocuments: traced('save', (command) => store.saveDocuments(command)),
    updateDocument: traced('update', (command) => store.updateDocument(command)),
    updateDocuments: traced('update', (command) => store.updateDocuments(command)),
    deleteDocument: traced('delete', (command) => store.deleteDocument(command)),
    deleteDocuments: traced('delete', (command) => store.deleteDocuments(command)),
    beginImport: (command) => store.beginImport(command),
    dropCollection: traced('drop', (address) => store.dropCollection(address)),
    close: () => store.close(),
  }
}
