import { AppError } from '../src/errors.ts'
import type {
  BinAddress,
  BinCommand,
  BinEntry,
  CollectionStore,
  RenameCommand,
  RestoreCommand,
} from '../src/storage/collection-store.ts'
import type { CollectionAddress } from '../src/storage/store.ts'
import { Collection } from './memory-collection.ts'

interface Binned extends Omit<BinEntry, 'id' | 'documents'> {
  readonly app: string
  readonly collection: Collection
}

/** What is done to collections as a whole, in plain code. */
export class MemoryBin implements CollectionStore {
  private binned: readonly Binned[] = []
  private readonly collectionsOf: (app: string) => Map<string, Collection>
  private readonly nextNumber: () => number

  constructor(collectionsOf: (app: string) => Map<string, Collection>, nextNumber: () => number) {
    this.collectionsOf = collectionsOf
    this.nextNumber = nextNumber
  }

  async rename({ app, collection: from, to }: RenameCommand): Promise<number> {
    const collection = this.existing({ app, collection: from })
    this.makeRoom({ app, collection: to })
    if (from === to) throw new AppError('collection_exists', 'it is called so')
    this.collectionsOf(app).delete(from)
    this.collectionsOf(app).set(to, collection)
    return collection.size
  }

  async empty(command: BinCommand): Promise<BinEntry | undefined> {
    return this.add(command, 'empty')
  }

  async bin(command: BinCommand): Promise<BinEntry> {
    return this.add(command, 'drop')!
  }

  async listBin(app: string): Promise<BinEntry[]> {
    this.collectionsOf(app)
    return this.binned.filter((each) => each.app === app).map(entryOf)
  }

  async restore({ app, id, as }: RestoreCommand): Promise<BinEntry> {
    const binned = this.found({ app, id })
    const { collection } = binned
    const name = as ?? binned.name
    this.makeRoom({ app, collection: name })
    this.collectionsOf(app).set(name, collection)
    this.take(binned)
    return entryOf(binned)
  }

  async remove(address: BinAddress): Promise<BinEntry> {
    const binned = this.found(address)
    this.take(binned)
    return entryOf(binned)
  }

  /** Whether the collection with a number is in the bin. */
  has(number: number): boolean {
    return this.binned.some(({ collection }) => collection.number === number)
  }

  private add(
    { app, collection: name, by, now }: BinCommand,
    reason: BinEntry['reason'],
  ): BinEntry | undefined {
    const collection = this.existing({ app, collection: name })
    if (reason === 'empty' && collection.size === 0) return undefined
    const collections = this.collectionsOf(app)
    if (reason === 'empty') collections.set(name, new Collection(this.nextNumber()))
    else collections.delete(name)
    const binned = { app, collection, name, by, reason, droppedAt: now }
    this.binned = [binned, ...this.binned]
    return entryOf(binned)
  }

  private makeRoom({ app, collection }: CollectionAddress): void {
    if ((this.collectionsOf(app).get(collection)?.size ?? 0) > 0)
      throw new AppError('collection_exists', 'there is one')
  }

  private take(binned: Binned): void {
    this.binned = this.binned.filter((each) => each !== binned)
  }

  private found({ app, id }: BinAddress): Binned {
    const found = this.binned.find((each) => each.app === app && each.collection.number === id)
    if (found === undefined) throw new AppError('collection_not_found', 'the bin has no such collection')
    return found
  }

  private existing({ app, collection }: CollectionAddress): Collection {
    const found = this.collectionsOf(app).get(collection)
    if (found === undefined) throw new AppError('collection_not_found', 'there is no such collection')
    return found
  }
}

function entryOf({ collection, name, by, reason, droppedAt }: Binned): BinEntry {
  return { id: collection.number, name, documents: collection.size, droppedAt, by, reason }
}
