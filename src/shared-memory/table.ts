import { hash, randomBytes } from 'node:crypto'
import { type LockCell, locked } from './lock.ts'

/** Slots that a name may stand in, from its own onwards. */
const WINDOW = 64
/** Names whose hash is kept by each thread, for to hash costs more than everything else here. */
const KEPT_HASHES = 20_000
const LOCK_BYTES = 8
const KEY_BYTES = 8
const VALUE_BYTES = 8

/** A table as it travels from one thread to another. */
export interface TableMemory {
  readonly buffer: SharedArrayBuffer
  /** A power of two. */
  readonly slots: number
  /** Numbers of one record. */
  readonly fields: number
  /** Keeps names from being chosen so that all fall into the same slots. */
  readonly secret: string
}

/** @param names how many there is room for at least; the system gives the memory as it is used */
export function createTable({ names, fields }: { names: number; fields: number }): TableMemory {
  // No more than half of them are in use, or a window would be full before the table is.
  const slots = Math.max(64, 2 ** Math.ceil(Math.log2(names * 2)))
  const buffer = new SharedArrayBuffer(LOCK_BYTES + slots * (KEY_BYTES + fields * VALUE_BYTES))
  return { buffer, slots, fields, secret: randomBytes(16).toString('hex') }
}

/** Where a record is: its fields begin at `at`, and are zero in a new one. */
export interface SharedRecord {
  readonly values: Float64Array<SharedArrayBuffer>
  readonly at: number
}

interface NameHash {
  readonly high: number
  readonly low: number
}

/**
 * Records of numbers by name, in memory that threads share: a hash table of fixed size with linear probing. A record
 * is never taken out; one that has lapsed gives its slot to a name that needs one. Names are told apart by 63 bits of
 * a SHA-256.
 */
export class SharedTable {
  private readonly memory: TableMemory
  private readonly isLapsed: (record: SharedRecord) => boolean
  private readonly lock: LockCell
  private readonly keys: Int32Array<SharedArrayBuffer>
  private readonly values: Float64Array<SharedArrayBuffer>
  private readonly hashes = new Map<string, NameHash>()

  /** @param isLapsed whether a record says nothing more than a new one would */
  constructor(memory: TableMemory, isLapsed: (record: SharedRecord) => boolean) {
    const { buffer, slots, fields } = memory
    this.memory = memory
    this.isLapsed = isLapsed
    this.lock = new Int32Array(buffer, 0, 1)
    this.keys = new Int32Array(buffer, LOCK_BYTES, slots * 2)
    this.values = new Float64Array(buffer, LOCK_BYTES + slots * KEY_BYTES, slots * fields)
  }

  /**
   * Works on the record of a name, alone of all threads. Where there is no room for one more name, because the
   * records around its place are all in use, `work` gets undefined.
   */
  use<Result>(name: string, work: (record: SharedRecord | undefined) => Result): Result {
    const hashed = this.hashOf(name)
    return locked(this.lock, () => {
      const slot = this.slotOf(hashed)
      return work(slot === undefined ? undefined : this.recordIn(slot))
    })
  }

  private slotOf({ high, low }: NameHash): number | undefined {
    const { keys } = this
    let free: number | undefined
    for (let step = 0; step < WINDOW; step++) {
      const slot = (low + step) & (this.memory.slots - 1)
      if (keys[2 * slot] === high && keys[2 * slot + 1] === low) return slot
      const isUnused = keys[2 * slot] === 0
      if (free === undefined && (isUnused || this.isLapsed(this.recordIn(slot)))) free = slot
      // Slots are never emptied, so that nothing stands behind one that was never filled.
      if (isUnused) break
    }
    if (free === undefined) return undefined
    keys[2 * free] = high
    keys[2 * free + 1] = low
    const { at } = this.recordIn(free)
    this.values.fill(0, at, at + this.memory.fields)
    return free
  }

  private recordIn(slot: number): SharedRecord {
    return { values: this.values, at: slot * this.memory.fields }
  }

  private hashOf(name: string): NameHash {
    const known = this.hashes.get(name)
    if (known !== undefined) return known
    const digest = hash('sha256', this.memory.secret + name, 'buffer')
    // Never zero, which marks a slot that was never filled.
    const hashed = { high: digest.readInt32LE(0) | 1, low: digest.readInt32LE(4) }
    if (this.hashes.size >= KEPT_HASHES) this.hashes.clear()
    this.hashes.set(name, hashed)
    return hashed
  }
}
