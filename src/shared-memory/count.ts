import { type LockCell, locked } from './lock.ts'

/** A number that threads share, as it travels from one to another. */
export type CountMemory = SharedArrayBuffer

const BYTES = 16

/** A number that threads count together: whole, and up to 2^53. */
export class SharedCount {
  readonly memory: CountMemory
  private readonly lock: LockCell
  private readonly cell: Float64Array<SharedArrayBuffer>

  constructor(memory: CountMemory = new SharedArrayBuffer(BYTES)) {
    this.memory = memory
    this.lock = new Int32Array(memory, 0, 1)
    this.cell = new Float64Array(memory, 8, 1)
  }

  get value(): number {
    return locked(this.lock, () => this.cell[0]!)
  }

  add(amount: number): void {
    locked(this.lock, () => {
      this.cell[0]! += amount
    })
  }

  /** Adds where the sum is no more than `most`; answers whether it was. */
  addUpTo(most: number, amount: number): boolean {
    return locked(this.lock, () => {
      if (this.cell[0]! + amount > most) return false
      this.cell[0]! += amount
      return true
    })
  }
}
