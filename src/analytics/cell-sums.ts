import { BUCKETS, type Histogram } from './histogram.ts'
import { readPacked, SUMS } from './pack.ts'
import { readTexts } from './text-dictionary.ts'
import { type CellName, emptyCell, OPERATIONS, OTHERS, type TrafficCell } from './traffic.ts'
import type { VarintReader } from './varints.ts'

/** Cells that are told apart; more than are in one row, for those of days differ. */
const MOST_CELLS = 8000
/** Keys and collections of those, and some that no cell is kept of. */
const MOST_TEXTS = 64 * 1024
const FIRST_ROOM = 1024
/** Above every status. */
const STATUSES = 1024
/** Above every operation and status as one number. */
const MOST_HOW = 16 * STATUSES
const OTHERS_ID = 0

/** Of what cells are wanted; all without. */
export interface CellFilter {
  readonly key?: string | undefined
  readonly collection?: string | undefined
}

/**
 * Adds up packed cells, of which a view of a month has 120,000 where each of some days has 4,000: as columns of numbers, without
 * an object for each of them.
 */
export class CellSums {
  private readonly filter: CellFilter
  private readonly names: CellName[] = []
  private readonly indexes = new Map<number, number>()
  private readonly texts: string[] = [OTHERS]
  private readonly textIds = new Map<string, number>([[OTHERS, OTHERS_ID]])
  private sums = new Float64Array(SUMS.length * FIRST_ROOM)
  private buckets = new Float64Array(BUCKETS * FIRST_ROOM)
  /** For the numbers of one body after the other. */
  private room = new Float64Array()

  constructor(filter: CellFilter = {}) {
    this.filter = filter
  }

  /** @param body what can't be read is as if it had no cells */
  add(body: Uint8Array): void {
    const read = readPacked('cells', body, (reader) => this.read(reader))
    if (read === undefined) return
    const rows = this.rowsOf(read)
    for (const [column, values] of read.sums.entries()) addColumn(this.sums, column, rows, values)
    addHistograms(this.buckets, rows, read)
  }

  cells(): TrafficCell[] {
    return this.names.map((name, row) => {
      const cell = emptyCell(name)
      for (const [column, sum] of SUMS.entries()) cell[sum] = this.sums[SUMS.length * row + column]!
      cell.latency = histogramOf(this.buckets, BUCKETS * row)
      return cell
    })
  }

  private read(reader: VarintReader): Columns {
    if (reader.bytesLeft > this.room.length) this.room = new Float64Array(reader.bytesLeft)
    return readColumns(reader, this.room)
  }

  /** Where each cell of a body is added, -1 for those that are not wanted. */
  private rowsOf({ texts, keys, collections, operations, statuses }: Columns): Int32Array {
    const { key, collection } = this.filter
    const isKey = texts.map((text) => key === undefined || text === key)
    const isCollection = texts.map((text) => collection === undefined || text === collection)
    const ids = texts.map((text) => this.idOf(text))
    const rows = new Int32Array(keys.length)
    for (let cell = 0; cell < rows.length; cell++) {
      const [keyText, collectionText] = [keys[cell]!, collections[cell]!]
      const how = operations[cell]! * STATUSES + statuses[cell]!
      const isWanted = isKey[keyText]! && isCollection[collectionText]!
      rows[cell] = isWanted ? this.rowOf(ids[keyText]!, ids[collectionText]!, how) : -1
    }
    return rows
  }

  /**
   * @param key by its id, as the collection is
   * @param how an operation and a status
   */
  private rowOf(key: number, collection: number, how: number): number {
    const isOthers = key === OTHERS_ID || collection === OTHERS_ID
    const number = isOthers ? how : (key * MOST_TEXTS + collection) * MOST_HOW + how
    const known = this.indexes.get(number)
    if (known !== undefined) return known
    // Those of others are few, for there are few operations and statuses.
    if (!isOthers && this.names.length >= MOST_CELLS) return this.rowOf(OTHERS_ID, OTHERS_ID, how)
    this.indexes.set(number, this.names.length)
    return this.insert({
      key: isOthers ? OTHERS : this.texts[key]!,
      collection: isOthers ? OTHERS : this.texts[collection]!,
      operation: OPERATIONS[Math.floor(how / STATUSES)]!,
      status: how % STATUSES,
    })
  }

  private idOf(text: string): number {
    const known = this.textIds.get(text)
    if (known !== undefined) return known
    if (this.texts.length >= MOST_TEXTS) return OTHERS_ID
    this.textIds.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }

  private insert(name: CellName): number {
    const row = this.names.push(name) - 1
    if (SUMS.length * (row + 1) > this.sums.length) {
      this.sums = withRoom(this.sums)
      this.buckets = withRoom(this.buckets)
    }
    return row
  }
}

interface Columns {
  readonly texts: readonly string[]
  /** By their numbers in `texts`. */
  readonly keys: Float64Array
  readonly collections: Float64Array
  readonly operations: Float64Array
  readonly statuses: Float64Array
  readonly sums: readonly Float64Array[]
  /** Of histograms, in entries, which stand one behind the other. */
  readonly lengths: Float64Array
  /** From each bucket of a histogram to its next one. */
  readonly steps: Float64Array
  readonly counts: Float64Array
}

/** As `pack` wrote them: what is behind the texts is nothing but numbers. */
function readColumns(reader: VarintReader, room: Float64Array): Columns {
  const length = reader.count()
  const texts = readTexts(reader)
  const numbers = reader.rest(room)
  let at = 0
  const next = (count: number): Float64Array => {
    at += count
    return numbers.subarray(at - count, at)
  }
  const column = (bound: number): Float64Array => bounded(next(length), bound)
  const [keys, collections] = [column(texts.length), column(texts.length)]
  const [operations, statuses] = [column(OPERATIONS.length), column(STATUSES)]
  const sums = SUMS.map(() => next(length))
  const lengths = column(BUCKETS + 1)
  const entries = lengths.reduce((sum, each) => sum + each, 0)
  const steps = next(entries)
  const counts = next(entries)
  if (at !== numbers.length) throw new RangeError('there is more or less than was said')
  checkBuckets(steps, lengths)
  return { texts, keys, collections, operations, statuses, sums, lengths, steps, counts }
}

/** @param bound each number has to be less */
function bounded(column: Float64Array, bound: number): Float64Array {
  for (let n = 0; n < column.length; n++)
    if (column[n]! >= bound) throw new RangeError('a number is too large')
  return column
}

function checkBuckets(steps: Float64Array, lengths: Float64Array): void {
  let entry = 0
  for (let cell = 0; cell < lengths.length; cell++) {
    const end = entry + lengths[cell]!
    let bucket = 0
    for (; entry < end; entry++) bucket += steps[entry]!
    if (bucket >= BUCKETS) throw new RangeError('there is no such bucket')
  }
}

function addColumn(sums: Float64Array, column: number, rows: Int32Array, values: Float64Array): void {
  for (let cell = 0; cell < rows.length; cell++)
    if (rows[cell]! >= 0) sums[SUMS.length * rows[cell]! + column]! += values[cell]!
}

function addHistograms(sums: Float64Array, rows: Int32Array, { lengths, steps, counts }: Columns): void {
  let entry = 0
  for (let cell = 0; cell < rows.length; cell++) {
    const end = entry + lengths[cell]!
    let bucket = BUCKETS * rows[cell]!
    if (bucket < 0) entry = end
    for (; entry < end; entry++) {
      bucket += steps[entry]!
      sums[bucket]! += counts[entry]!
    }
  }
}

/** @param first where its buckets begin */
function histogramOf(buckets: Float64Array, first: number): Histogram {
  const histogram: Histogram = []
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = buckets[first + bucket]!
    if (count > 0) histogram.push(bucket, count)
  }
  return histogram
}

function withRoom(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
