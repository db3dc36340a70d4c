import { randomUUID } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import type { DocumentId } from '../src/domain/document.ts'
import { DocumentGrowth } from '../src/domain/document-growth.ts'
import type { Limits } from '../src/domain/limits.ts'
import { requireCount, requirePrecondition } from '../src/domain/precondition.ts'
import { AppError, atDocument } from '../src/errors.ts'
import { compareText } from '../src/json/compare.ts'
import { documentId, idValue } from '../src/json/document-id.ts'
import { documentTooLarge, documentTooLargeForApp } from '../src/json/document-too-large.ts'
import { storedDocument } from '../src/json/stored.ts'
import { stringify } from '../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import type { Filter, Projection } from '../src/query/ast.ts'
import { prepareFilter } from '../src/query/match.ts'
import { previewOf } from '../src/query/preview.ts'
import { prepareProjection } from '../src/query/projection.ts'
import { compareDocuments } from '../src/query/sort.ts'
import type { ExportCommand, ListFieldsCommand } from '../src/storage/export-store.ts'
import type { ImportCommand, StagedImport } from '../src/storage/import-store.ts'
import { unpackedDocuments, unpackedUpdate } from '../src/storage/packed.ts'
import type {
  AppSize,
  CollectionAddress,
  CountCommand,
  DeleteManyCommand,
  DeleteOneCommand,
  DocumentStore,
  FindCommand,
  FindResult,
  Packable,
  PackableSave,
  SaveCommand,
  SavedDocument,
  UpdatedDocument,
  UpdateManyCommand,
  UpdateManyResult,
  UpdateOneCommand,
} from '../src/storage/store.ts'
import { applyUpdate, insertFromUpdate } from '../src/update/apply.ts'
import type { PlaceholderSource } from '../src/update/ast.ts'
import type { Making } from '../src/update/make-document.ts'
import { seedFromFilter } from '../src/update/seed.ts'
import { chunksOf, refuseCancelled } from './memory-answer.ts'
import { MemoryBin } from './memory-bin.ts'
import { Collection } from './memory-collection.ts'
import { cursorAt, endOfPage, isBehind, type WithRowId } from './memory-cursor.ts'
import { exportedLines, fieldsOf } from './memory-export.ts'
import { memoryImport } from './memory-import.ts'

export interface MemoryStoreOptions {
  /** The internal ids of the apps that exist; without them there is one, `app`. */
  readonly apps?: readonly string[]
  readonly limits: Limits
  readonly serviceNames: readonly string[]
  /** Length of an answer's chunks; without it every answer is whole. */
  readonly chunkLength?: number
}

/** The store's contract in plain code over `match.ts` and `apply.ts`: what every engine has to agree with. */
export function memoryStore(options: MemoryStoreOptions): DocumentStore {
  return new MemoryStore(options)
}

class MemoryStore implements DocumentStore {
  readonly collections: MemoryBin
  private readonly apps: ReadonlyMap<string, Map<string, Collection>>
  private readonly options: MemoryStoreOptions
  private readonly nextUlid = monotonicFactory()
  private collectionsMade = 0

  constructor(options: MemoryStoreOptions) {
    this.options = options
    this.apps = new Map((options.apps ?? ['app']).map((app) => [app, new Map()]))
    this.collections = new MemoryBin(
      (app) => this.collectionsOf(app),
      () => ++this.collectionsMade,
    )
  }

  async listCollections(app: string): Promise<string[]> {
    return [...this.collectionsOf(app).keys()].sort(compareText)
  }

  async measureApp(app: string): Promise<AppSize> {
    const measured = (await this.listCollections(app)).map((name) => {
      const texts = [...this.documentsOf({ app, collection: name }).values()].map(stringify)
      const approximateBytes = texts.reduce((sum, text) => sum + text.length, 0)
      return { name, documents: texts.length, approximateBytes, indexes: 0, automaticIndexes: 0 }
    })
    const bytes = measured.reduce((sum, { approximateBytes }) => sum + approximateBytes, 0)
    return { bytes, freeBytes: 0, collections: measured }
  }

  async getDocument(
    command: CollectionAddress & { ids: readonly DocumentId[]; projection?: Projection },
  ): Promise<string | undefined> {
    const documents = this.documentsOf(command)
    const id = command.ids.find((each) => documents.has(each))
    return id === undefined ? undefined : projected(documents.get(id)!, command)
  }

  async findDocuments(command: FindCommand): Promise<FindResult> {
    const { sort, skip, limit, isCancelled } = command
    refuseCancelled(isCancelled)
    const { rowIds, number } = this.documentsOf(command)
    const after = endOfPage(command.after, number)
    const found = this.matching(command)
      .map(([id, document]): WithRowId => ({ rowId: rowIds.get(id)!, document }))
      .filter((each) => after === undefined || isBehind(each, sort, after))
    if (sort.length > 0) found.sort((a, b) => compareDocuments(a.document, b.document, sort))
    const page = found.slice(skip, skip + limit)
    const end =
      command.wantsEnd && limit > 0 && page.length === limit ? cursorAt(page.at(-1)!, sort, number) : {}
    const whole = `[${page.map(({ document }) => projected(document, command)).join(',')}]`
    const { chunkLength = whole.length } = this.options
    if (whole.length <= chunkLength) return { first: whole, ...end }
    return { first: whole.slice(0, chunkLength), rest: chunksOf(whole, chunkLength, isCancelled), ...end }
  }

  exportDocuments(command: ExportCommand): AsyncGenerator<string> {
    const { number } = this.documentsOf(command)
    const isThere = (): boolean =>
      this.collections.has(number) ||
      [...this.collectionsOf(command.app).values()].some((each) => each.number === number)
    return exportedLines(this.matching(command), command, isThere)
  }

  async listFields(command: ListFieldsCommand): Promise<string[] | undefined> {
    return fieldsOf(this.matching(command), command)
  }

  async countDocuments(command: CountCommand): Promise<number> {
    refuseCancelled(command.isCancelled)
    return this.matching(command).length
  }

  async saveDocuments(save: PackableSave): Promise<readonly SavedDocument[]> {
    const command = { ...save, documents: unpackedDocuments(save.documents) }
    refuseForbidden(command, new Set(this.documentsOf(command).keys()))
    for (const { id } of command.documents)
      requirePrecondition(command.precondition, this.textOf(command, id))
    return command.documents.map(({ id, text }) => {
      const document = storedDocument(text)
      if (id !== undefined) return { created: this.put(command, id, document) }
      const assignedId = this.nextUlid()
      this.put(command, assignedId, withId(document, assignedId))
      return { assignedId, created: true }
    })
  }

  async updateDocument(packable: Packable<UpdateOneCommand>): Promise<UpdatedDocument> {
    const command = { ...packable, update: unpackedUpdate(packable.update) }
    const documents = this.documentsOf(command)
    const id = command.ids.find((each) => documents.has(each))
    const seed: JsonObject = new Map([['_id', idValue(command.createId)]])
    if (!(id === undefined ? command.permitted.create : command.permitted.update)) throw permissionDenied()
    requirePrecondition(command.precondition, this.textOf(command, id))
    if (id === undefined) return { text: stringify(this.insert(command, seed)), created: true }
    const after = this.changed(documents.get(id)!, command)
    documents.set(id, after)
    return { text: stringify(after), created: false }
  }

  async updateDocuments(packable: Packable<UpdateManyCommand>): Promise<UpdateManyResult> {
    const command = { ...packable, update: unpackedUpdate(packable.update) }
    const matching = this.matching(command).slice(0, command.multi ? undefined : 1)
    requireCount(command.expected, matching.length)
    const growth = command.roomBytes === undefined ? undefined : new DocumentGrowth(command.roomBytes)
    if (matching.length === 0 && command.upsert) {
      const made = this.insert(command, seedFromFilter(command.filter, command.update.kind), growth)
      return { matched: 0, modified: 0, upserted: stringify(made.get('_id')!), ...growth?.told() }
    }
    const changes = matching.map(([id, before]) => ({ id, before, after: this.changed(before, command) }))
    const modified = changes.filter(({ before, after }) => stringify(before) !== stringify(after))
    for (const { before, after } of modified) growth?.add(stringify(after), stringify(before))
    for (const { id, after } of modified) this.put(command, id, after)
    return { matched: matching.length, modified: modified.length, ...growth?.told() }
  }

  async deleteDocument(command: DeleteOneCommand): Promise<string | undefined> {
    const documents = this.documentsOf(command)
    const id = command.ids.find((each) => documents.has(each))
    if (id === undefined) return undefined
    const text = stringify(documents.get(id)!)
    requirePrecondition(command.precondition, text)
    documents.delete(id)
    return text
  }

  async deleteDocuments(command: DeleteManyCommand): Promise<number> {
    const matching = this.matching(command)
    requireCount(command.expected, matching.length)
    for (const [id] of matching) this.documentsOf(command).delete(id)
    return matching.length
  }

  async beginImport(command: ImportCommand): Promise<StagedImport> {
    this.collectionsOf(command.app)
    return memoryImport(command, {
      ids: () => this.documentsOf(command).keys(),
      save: (documents) =>
        this.saveDocuments({ ...command, permitted: { create: true, update: true }, documents }),
    })
  }

  async dropCollection({ app, collection }: CollectionAddress): Promise<boolean> {
    return this.collectionsOf(app).delete(collection)
  }

  async close(): Promise<void> {}

  private collectionsOf(app: string): Map<string, Collection> {
    const collections = this.apps.get(app)
    if (collections === undefined) throw new AppError('app_not_found', 'there is no such app')
    return collections
  }

  private documentsOf({ app, collection }: CollectionAddress): Collection {
    return this.collectionsOf(app).get(collection) ?? new Collection()
  }

  private textOf(address: CollectionAddress, id: DocumentId | undefined): string | undefined {
    const document = id === undefined ? undefined : this.documentsOf(address).get(id)
    return document && stringify(document)
  }

  private matching(command: CollectionAddress & { filter: Filter }): [DocumentId, JsonObject][] {
    const holds = prepareFilter(command.filter)
    return [...this.documentsOf(command)].filter(([, document]) => holds(document))
  }

  /** Says whether the document is new. */
  private put({ app, collection }: CollectionAddress, id: DocumentId, document: JsonObject): boolean {
    const collections = this.collectionsOf(app)
    const documents = collections.get(collection) ?? new Collection(++this.collectionsMade)
    collections.set(collection, documents)
    const created = !documents.has(id)
    documents.set(id, document)
    return created
  }

  private insert(command: CollectionAddress & Making, seed: JsonObject, growth?: DocumentGrowth): JsonObject {
    const { update, documentBytes, now } = command
    const { limits } = this.options
    const made = insertFromUpdate({ seed, update, placeholders: this.placeholders(now), limits })
    const document = checked(made.has('_id') ? made : withId(made, this.nextUlid()), limits, documentBytes)
    const id = documentId(document.get('_id')!)
    if (this.documentsOf(command).has(id))
      throw new AppError('update_not_applicable', 'a document with the _id of the new one exists')
    growth?.add(stringify(document), '')
    this.put(command, id, document)
    return document
  }

  private changed(document: JsonObject, { update, documentBytes, now }: Making): JsonObject {
    const { limits } = this.options
    const after = applyUpdate({ document, update, placeholders: this.placeholders(now), limits })
    return checked(after, limits, documentBytes)
  }

  private placeholders(now: number): PlaceholderSource {
    const { serviceNames } = this.options
    return { now, serviceNames, unique: () => this.nextUlid(), uuid: randomUUID }
  }
}

function checked(document: JsonObject, limits: Limits, ofApp = Number.POSITIVE_INFINITY): JsonObject {
  const bytes = Buffer.byteLength(stringify(document))
  if (bytes > limits.documentBytes) throw documentTooLarge(limits.documentBytes)
  if (bytes > ofApp) throw documentTooLargeForApp(ofApp)
  return document
}

function projected(
  document: JsonObject,
  { projection, wantsPreviews }: Pick<FindCommand, 'projection' | 'wantsPreviews'>,
): string {
  const wanted = projection === undefined ? document : prepareProjection(projection)(document)
  if (!wantsPreviews) return stringify(wanted)
  const bytes = Buffer.byteLength(stringify(document))
  return stringify(previewOf(wanted, { id: document.get('_id')!, bytes }))
}

function withId(document: JsonObject, id: JsonValue): JsonObject {
  return new Map([['_id', id], ...document])
}

/** Before the first document is saved, so that nothing has to be taken back. */
function refuseForbidden({ documents, permitted }: SaveCommand, taken: Set<DocumentId>): void {
  for (const [index, { id }] of documents.entries()) {
    const isUpdate = id !== undefined && taken.has(id)
    if (!(isUpdate ? permitted.update : permitted.create)) throw atDocument(index, permissionDenied())
    if (id !== undefined) taken.add(id)
  }
}

function permissionDenied(): AppError {
  return new AppError('permission_denied', 'this key may not do that')
}
