import { ANSWER_COST, BODY_COST, DOCUMENT_COST } from '../../domain/memory.ts'
import { AppError } from '../../errors.ts'
import type { SharedCount } from '../../shared-memory/count.ts'
import type { MemoryBudget } from '../../shared-memory/memory-budget.ts'
import type { RequestState } from './request-state.ts'

/** Bodies up to this length may take the last quarter of the budget, which large ones leave to them. */
const SMALL_BYTES = 1024 * 1024

/** `{"a":1},` is about as short as documents are. */
const LEAST_DOCUMENT = 8

/** A body that is being received. */
export interface IncomingBody {
  /** Bytes that have come since the last check. */
  fresh: number
  /** Ends the wait for the rest. */
  readonly giveUp: (error: AppError) => void
  /** Whether it was there at the last check. */
  seen: boolean
}

export interface BodyMemoryLimitOptions {
  readonly heldBodyBytes: number
  readonly bodyBytes: number
  /** Documents that one body may hold. */
  readonly bulkDocuments: number
  /** What a body has to bring, on average between two checks. */
  readonly bytesPerSecond: number
  readonly rateCheckMs: number
  /** Bytes that are held now, by all threads that are given the same. */
  readonly held: SharedCount
  /** What these and all else that clients have under way take their memory from. */
  readonly memory: MemoryBudget
}

/**
 * The memory that all bodies of open requests take together, and the pace at which they have to come. A slow client
 * holds no more than a share, and not for long.
 */
export class BodyMemoryLimit {
  private readonly bytes: number
  private readonly leastFresh: number
  private readonly incomingBodies = new Set<IncomingBody>()
  private readonly timer: NodeJS.Timeout
  private readonly held: SharedCount
  private readonly memory: MemoryBudget
  private readonly documents: number

  constructor(options: BodyMemoryLimitOptions) {
    const { heldBodyBytes, bodyBytes, bulkDocuments, bytesPerSecond, rateCheckMs, held, memory } = options
    this.documents = bulkDocuments
    this.held = held
    this.memory = memory
    this.bytes = Math.max(heldBodyBytes, bodyBytes)
    this.leastFresh = (bytesPerSecond * rateCheckMs) / 1000
    this.timer = setInterval(() => this.checkRates(), rateCheckMs).unref()
  }

  /**
   * Refuses a body that there is no room for, by the length that was declared: memory is taken for what has come, and not for
   * what was promised, but what is clear from the beginning need not come.
   * @throws AppError `overloaded`
   */
  expect(length: number): void {
    if (length > SMALL_BYTES && !this.memory.hasRoom(BODY_COST * length)) throw bodiesHeld()
  }

  /**
   * Takes more memory for a request's body, before it is used.
   * @throws AppError `overloaded`
   */
  take(state: RequestState, bytes: number): void {
    const isLarge = state.heldBytes + bytes > SMALL_BYTES
    const bound = isLarge ? this.bytes - this.bytes / 4 : this.bytes
    // What nobody else's body stands in the way of always has room.
    if (!this.held.addUpTo(Math.max(bound, state.heldBytes + bytes), bytes)) throw bodiesHeld()
    state.heldBytes += bytes
    if (!this.takeMemory(state, BODY_COST * bytes)) throw bodiesHeld()
  }

  /**
   * Takes the memory of the documents that a whole body of several may hold: each of them takes some hundred bytes while it
   * is written, however short it is.
   * @throws AppError `overloaded`
   */
  takeDocuments(state: RequestState, bodyLength: number): void {
    const documents = Math.min(this.documents, bodyLength / LEAST_DOCUMENT)
    if (!this.takeMemory(state, DOCUMENT_COST * documents)) throw bodiesHeld()
  }

  /**
   * Takes the memory of a request's answer, until its client has taken it.
   * @throws AppError `overloaded`
   */
  takeAnswer(state: RequestState, bytes: number): void {
    if (!this.takeMemory(state, ANSWER_COST * bytes)) throw answersHeld()
  }

  private takeMemory(state: RequestState, bytes: number): boolean {
    if (!this.memory.take(bytes, state.heldMemory)) return false
    state.heldMemory += bytes
    return true
  }

  /** Gives back what a request has taken. */
  release(state: RequestState): void {
    if (state.heldMemory > 0) this.memory.give(state.heldMemory)
    state.heldMemory = 0
    if (state.heldBytes > 0) this.held.add(-state.heldBytes)
    state.heldBytes = 0
  }

  watch(incoming: IncomingBody): void {
    this.incomingBodies.add(incoming)
  }

  /** How many bodies are on their way. */
  get watched(): number {
    return this.incomingBodies.size
  }

  unwatch(incoming: IncomingBody): void {
    this.incomingBodies.delete(incoming)
  }

  close(): void {
    clearInterval(this.timer)
  }

  private checkRates(): void {
    for (const incoming of this.incomingBodies) {
      if (incoming.seen && incoming.fresh < this.leastFresh) incoming.giveUp(tooSlow())
      incoming.seen = true
      incoming.fresh = 0
    }
  }
}

function bodiesHeld(): AppError {
  return new AppError('overloaded', 'too many large bodies are being received at once; try again in a moment')
}

function answersHeld(): AppError {
  return new AppError(
    'overloaded',
    'too many long answers are on their way, and their clients take them slowly; try again in a moment, or ask for less',
  )
}

function tooSlow(): AppError {
  return new AppError('invalid_request', 'the body comes too slowly; send it in one go')
}
