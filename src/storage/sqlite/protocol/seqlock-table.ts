import type { DocumentId } from '../../../domain/document.ts'
import type { CollectionAddress } from '../../store.ts'

/** Slots that documents and collections share by their hashes, of four bytes each. A power of two. */
const SLOTS = 64 * 1024
/** The slot of everything: odd while a writer thread that was replaced may still be at work. */
const ALL = 0

/** The versions, in memory that threads share. */
export type SeqlockCells = Int32Array<SharedArrayBuffer>

export function createSeqlockCells(): SeqlockCells {
  return new Int32Array(new SharedArrayBuffer(4 * SLOTS))
}

/** What something that was read depends on, with the versions from before it was read. */
export interface ReadVersions {
  readonly slots: readonly number[]
  readonly versions: readonly number[]
}

/**
 * Tells every thread which documents and collections may have changed. The writer makes the versions of what a group
 * touches odd before its COMMIT and even again after it, before anything of the group is acknowledged. What was read
 * after a version was taken is as good as the disk for as long as the version holds: nothing of what it depends on has
 * begun to be committed since. Two names in one slot only forget more than they have to.
 *
 * A version comes round after 2^31 commits; that one stands where it stood just when a forgotten entry is looked at
 * again is taken as never.
 */
export class SeqlockTable {
  private readonly cells: SeqlockCells

  constructor(cells: SeqlockCells) {
    this.cells = cells
  }

  /** The versions of some slots, or undefined where one of them is being written. */
  beginRead(slots: readonly number[]): ReadVersions | undefined {
    const versions = [ALL, ...slots].map((slot) => Atomics.load(this.cells, slot))
    return versions.some(isBeingWritten) ? undefined : { slots: [ALL, ...slots], versions }
  }

  isCurrent({ slots, versions }: ReadVersions): boolean {
    for (let i = 0; i < slots.length; i++)
      if (Atomics.load(this.cells, slots[i]!) !== versions[i]) return false
    return true
  }

  /**
   * Makes what is behind these slots visible: no version of them is taken or holds meanwhile, and none from before holds
   * afterwards, however it ends.
   */
  during(slots: ReadonlySet<number>, change: () => void): void {
    for (const slot of slots) this.beginWrite(slot)
    try {
      change()
    } finally {
      for (const slot of slots) Atomics.add(this.cells, slot, 1)
    }
  }

  /** Lets no version hold until `revalidate` is called with the version that this answers. */
  invalidateAll(): number {
    return this.beginWrite(ALL)
  }

  /**
   * Trusts the slots again when the threads that were replaced are gone; those that one of them left odd are mended.
   * For the writer to call, between two groups. Another thread that was replaced meanwhile is waited for.
   */
  revalidate(invalidated: number): void {
    for (let slot = ALL + 1; slot < SLOTS; slot++)
      if (isBeingWritten(Atomics.load(this.cells, slot))) Atomics.add(this.cells, slot, 1)
    Atomics.compareExchange(this.cells, ALL, invalidated, invalidated + 1)
  }

  /** The new version. One that a thread left odd when it ended gets another odd one. */
  private beginWrite(slot: number): number {
    for (;;) {
      const version = Atomics.load(this.cells, slot)
      const odd = (version + (isBeingWritten(version) ? 2 : 1)) | 0
      if (Atomics.compareExchange(this.cells, slot, version, odd) === version) return odd
    }
  }
}

/** Bumped by every write to a collection. */
export function collectionSlot({ app, collection }: CollectionAddress): number {
  return slotOf(`every/${app}/${collection}`)
}

/** Bumped by writes that may touch any document of a collection. */
export function anyDocumentSlot({ app, collection }: CollectionAddress): number {
  return slotOf(`any/${app}/${collection}`)
}

/** Bumped by writes that name the document. `key` is the id as `idKey` writes it. */
export function documentSlot({ app, collection }: CollectionAddress, key: string): number {
  return slotOf(`one/${app}/${collection}/${key}`)
}

/**
 * An id as a path spells it, which is all that a path's meanings have in common. All digits of an integer of 64 bits
 * count, and JavaScript prints 2^62 as another one.
 */
export function idKey(id: DocumentId): string {
  const isLarge = typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id)
  return isLarge && id >= -INT64 && id < INT64 ? BigInt(id).toString() : String(id)
}

const INT64 = 2 ** 63

/** FNV-1a over UTF-16, folded; never the slot of everything. */
function slotOf(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 16)) & (SLOTS - 1) || ALL + 1
}

function isBeingWritten(version: number): boolean {
  return (version & 1) !== 0
}
