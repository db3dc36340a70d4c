import { AppError } from '../../../errors.ts'
import type { MemoryBudget } from '../../../shared-memory/memory-budget.ts'

/** Row ids that all requests of one thread may hold together, 8 bytes each: 128 MiB. */
const MOST = 16 * 1024 * 1024
/** A request that holds so many, 1 MiB, may take the last quarter, which large ones leave to them. */
const FEW = 128 * 1024

const PLACE_BYTES = 8
/** Fewer are not worth to be counted with all else. */
const COUNTED_BYTES = 16 * 1024

/**
 * Counts the row ids that requests hold while their documents are fetched or written. A client can make that last long:
 * it takes a sorted answer as slowly as it likes.
 */
export class ResultMemoryLimit {
  private readonly most: number
  private readonly memory: MemoryBudget | undefined
  private held = 0

  /** @param memory that they take theirs from, with all else that clients have under way */
  constructor({ most = MOST, memory }: { most?: number; memory?: MemoryBudget } = {}) {
    this.most = most
    this.memory = memory
  }

  /** What one request holds; it has to be released. */
  begin(): ResultMemoryUse {
    let own = 0
    const memory = this.memory?.begin()
    return {
      take: (rowIds) => {
        const bound = own + rowIds > FEW ? this.most - this.most / 4 : this.most
        // What nobody else's stand in the way of always has room.
        if (this.held > own && this.held + rowIds > bound) throw tooManyHeld()
        if (rowIds * PLACE_BYTES > COUNTED_BYTES && memory?.take(rowIds * PLACE_BYTES) === false)
          throw tooManyHeld()
        own += rowIds
        this.held += rowIds
      },
      release: () => {
        memory?.release()
        this.held -= own
        own = 0
      },
    }
  }
}

export interface ResultMemoryUse {
  /** @throws AppError `overloaded` */
  take(rowIds: number): void
  release(): void
}

function tooManyHeld(): AppError {
  return new AppError(
    'overloaded',
    'too many large results are being read or written at once; ask for fewer documents, or try again in a moment',
  )
}
