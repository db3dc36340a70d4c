import type { DocumentId } from '../../domain/document.ts'
import type { CollectionAddress } from '../store.ts'

/** Units of JSON text that are kept in all, and in one document at most. */
const KEPT_LENGTH = 32 * 1024 * 1024
const DOCUMENT_LENGTH = 64 * 1024
/** Documents that are kept, so that a write that may touch any of them has few to forget. */
const KEPT_DOCUMENTS = 20_000

/** Which documents a write may change: those with these ids, or any of the collection. */
export type Touched = readonly DocumentId[] | 'any'

interface CollectionState {
  readonly texts: Map<string, string>
  /** Writes under way, by the id that they touch, and of those that may touch any. */
  readonly underWay: Map<string, number>
  anyUnderWay: number
  /** Rises whenever a write begins or ends: what was read across such a moment is not kept. */
  moments: number
  /** Reads under way, which hold on to this state. */
  reads: number
}

interface KeptDocument {
  readonly name: string
  readonly state: CollectionState
  readonly key: string
  readonly length: number
}

/**
 * Texts of documents that were read by their ids, so that reading them again takes no trip to a storage thread. All
 * writes of this process pass by here, and no other process writes: from a write's beginning to its acknowledgement
 * the documents that it may touch are read from the disk, and what was kept of them is forgotten. So a read never
 * sees less than one that was answered before.
 */
export class DocumentCache {
  private readonly collections = new Map<string, CollectionState>()
  /** What is kept, the oldest first: the states' texts by collection and id. */
  private readonly kept = new Map<string, KeptDocument>()
  private keptLength = 0

  /**
   * The text of the document that a path names, kept or read.
   * @param ids the path's meanings, which all are written alike
   */
  async get(
    address: CollectionAddress,
    ids: readonly DocumentId[],
    read: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const name = collectionKey(address)
    const key = keyOf(ids[0]!)
    const state = this.collections.get(name) ?? this.addCollection(name)
    const known = state.texts.get(key)
    if (known !== undefined) return known
    const before = state.moments
    state.reads++
    try {
      const text = await read()
      if (text !== undefined && state.moments === before && !isUnderWay(state, key))
        this.keep(name, { state, key, text })
      return text
    } finally {
      state.reads--
      this.dropIfUnused(name, state)
    }
  }

  /** Carries out a write, forgetting what it may change before it begins and when it is over, however it ends. */
  async around<Result>(
    address: CollectionAddress,
    touched: Touched,
    write: () => Promise<Result>,
  ): Promise<Result> {
    const name = collectionKey(address)
    const state = this.collections.get(name) ?? this.addCollection(name)
    const keys = touched === 'any' ? undefined : touched.map(keyOf)
    this.count(name, { state, keys, step: 1 })
    try {
      return await write()
    } finally {
      this.count(name, { state, keys, step: -1 })
      this.dropIfUnused(name, state)
    }
  }

  /** Forgets the collections of apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    for (const [name, state] of this.collections) {
      if (apps.has(name.slice(0, name.indexOf('/')))) continue
      for (const key of state.texts.keys()) this.forget(name, key)
      this.dropIfUnused(name, state)
    }
  }

  private count(
    name: string,
    { state, keys, step }: { state: CollectionState; keys: readonly string[] | undefined; step: 1 | -1 },
  ): void {
    state.moments++
    if (keys === undefined) state.anyUnderWay += step
    for (const key of keys ?? state.texts.keys()) this.forget(name, key)
    for (const key of keys ?? []) {
      const count = (state.underWay.get(key) ?? 0) + step
      if (count === 0) state.underWay.delete(key)
      else state.underWay.set(key, count)
    }
  }

  private keep(
    name: string,
    { state, key, text }: { state: CollectionState; key: string; text: string },
  ): void {
    if (text.length > DOCUMENT_LENGTH) return
    this.forget(name, key)
    state.texts.set(key, text)
    this.kept.set(`${name}/${key}`, { name, state, key, length: text.length })
    this.keptLength += text.length
    for (const oldest of this.kept.values()) {
      if (this.keptLength <= KEPT_LENGTH && this.kept.size <= KEPT_DOCUMENTS) break
      this.forget(oldest.name, oldest.key)
      this.dropIfUnused(oldest.name, oldest.state)
    }
  }

  private forget(name: string, key: string): void {
    const entry = this.kept.get(`${name}/${key}`)
    if (entry === undefined) return
    entry.state.texts.delete(key)
    this.kept.delete(`${name}/${key}`)
    this.keptLength -= entry.length
  }

  /** So that names which hold nothing, and may be anybody's guesses, take no memory. */
  private dropIfUnused(name: string, state: CollectionState): void {
    const { texts, underWay, anyUnderWay, reads } = state
    if (texts.size + underWay.size + anyUnderWay + reads > 0) return
    if (this.collections.get(name) === state) this.collections.delete(name)
  }

  private addCollection(name: string): CollectionState {
    const state: CollectionState = {
      texts: new Map(),
      underWay: new Map(),
      anyUnderWay: 0,
      moments: 0,
      reads: 0,
    }
    this.collections.set(name, state)
    return state
  }
}

/**
 * An id as a path spells it. All digits of an integer of 64 bits count, and JavaScript prints 2^62 as another one.
 */
function keyOf(id: DocumentId): string {
  const isLarge = typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id)
  return isLarge && id >= -INT64 && id < INT64 ? BigInt(id).toString() : String(id)
}

const INT64 = 2 ** 63

/** No app's id holds a slash. */
function collectionKey({ app, collection }: CollectionAddress): string {
  return `${app}/${collection}`
}

function isUnderWay(state: CollectionState, key: string): boolean {
  return state.anyUnderWay > 0 || state.underWay.has(key)
}
