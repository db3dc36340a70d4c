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
  private readonly textIds = new Map<string, number>()
  private sums = new Float64Array(SUMS.length * FIRST_ROOM)
  private buckets = new Float64Array(BUCKETS * FIRST_ROOM)

  constructor(filter: CellFilter = {}) {
    this.filter = filter
  }

  /** @param body what can't be read is as if it had no cells */
  add(body: Uint8Array): void {
    const read = readPacked('cells', body, readColumns)
    if (read === undefined) return
    const rows = this.rowsOf(read)
    for (const [column, values] of read.sums.entries())
      for (let cell = 0; cell < rows.length; cell++)
        if (rows[cell]! >= 0) this.sums[SUMS.length * rows[cell]! + column]! += values[cell]!
    this.addHistograms(rows, read)
  }

  cells(): TrafficCell[] {
    return this.names.map((name, row) => {
      const cell = emptyCell(name)
      for (const [column, sum] of SUMS.entries()) cell[sum] = this.sums[SUMS.length * row + column]!
      cell.latency = histogramOf(this.buckets.subarray(BUCKETS * row, BUCKETS * (row + 1)))
      return cell
    })
  }

  private addHistograms(rows: Int32Array, { lengths, buckets, counts }: Columns): void {
    let entry = 0
    for (let cell = 0; cell < rows.length; cell++) {
      const end = entry + lengths[cell]!
      if (rows[cell]! >= 0)
        for (let n = entry; n < end; n++) this.buckets[BUCKETS * rows[cell]! + buckets[n]!]! += counts[n]!
      entry = end
    }
  }

  /** Where each cell of a body is added, -1 for those that are not wanted. */
  private rowsOf({ texts, keys, collections, operations, statuses }: Columns): Int32Array {
    const others = this.idOf(OTHERS)
    const ids = texts.map((text) => this.idOf(text) ?? others)
    const { key, collection } = this.filter
    return Int32Array.from(keys, (keyIndex, cell) => {
      const collectionIndex = collections[cell]!
      if (key !== undefined && texts[keyIndex] !== key) return -1
      if (collection !== undefined && texts[collectionIndex] !== collection) return -1
      const how = operations[cell]! * STATUSES + statuses[cell]!
      const number = numberOf(ids[keyIndex]!, ids[collectionIndex]!, how)
      const known = this.indexes.get(number)
      if (known !== undefined) return known
      const name = { operation: OPERATIONS[operations[cell]!]!, status: statuses[cell]! }
      const isToldApart = ids[keyIndex] !== others && ids[collectionIndex] !== others
      if (isToldApart && this.names.length < MOST_CELLS)
        return this.insert(number, { key: texts[keyIndex]!, collection: texts[collectionIndex]!, ...name })
      // Few, for there are few operations and statuses.
      const rest = numberOf(others, others, how)
      return this.indexes.get(rest) ?? this.insert(rest, { key: OTHERS, collection: OTHERS, ...name })
    })
  }

  private idOf(text: typeof OTHERS): number
  private idOf(text: string): number | undefined
  private idOf(text: string): number | undefined {
    const known = this.textIds.get(text)
    if (known !== undefined || this.textIds.size >= MOST_TEXTS) return known
    this.textIds.set(text, this.textIds.size)
    return this.textIds.size - 1
  }

  private insert(number: number, name: CellName): number {
    const row = this.names.push(name) - 1
    this.indexes.set(number, row)
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
  readonly buckets: Float64Array
  readonly counts: Float64Array
}

/** As `pack` wrote them. */
function readColumns(reader: VarintReader): Columns {
  const length = reader.count()
  const texts = readTexts(reader)
  const column = (bound = Number.POSITIVE_INFINITY): Float64Array => readColumn(reader, length, bound)
  const [keys, collections] = [column(texts.length), column(texts.length)]
  const [operations, statuses] = [column(OPERATIONS.length), column(STATUSES)]
  const sums = SUMS.map(() => column())
  const lengths = column(BUCKETS + 1)
  const entries = lengths.reduce((sum, each) => sum + each, 0)
  const buckets = bucketsOf(reader.numbers(entries), lengths)
  const counts = reader.numbers(entries)
  return { texts, keys, collections, operations, statuses, sums, lengths, buckets, counts }
}

/** @param bound each number has to be less */
function readColumn(reader: VarintReader, length: number, bound: number): Float64Array {
  const column = reader.numbers(length)
  for (let n = 0; n < length; n++) if (column[n]! >= bound) throw new RangeError('a number is too large')
  return column
}

/** @param steps from each bucket of a histogram to its next one */
function bucketsOf(steps: Float64Array, lengths: Float64Array): Float64Array {
  let entry = 0
  for (const length of lengths) {
    const end = entry + length
    for (let bucket = 0; entry < end; entry++) {
      bucket += steps[entry]!
      if (bucket >= BUCKETS) throw new RangeError('there is no such bucket')
      steps[entry] = bucket
    }
  }
  return steps
}

/** One for each combination of what is less than 2^16, 2^16 and 2^14. */
function numberOf(key: number, collection: number, how: number): number {
  return (key * MOST_TEXTS + collection) * 2 ** 14 + how
}

function histogramOf(buckets: Float64Array): Histogram {
  const histogram: Histogram = []
  for (const [bucket, count] of buckets.entries()) if (count > 0) histogram.push(bucket, count)
  return histogram
}

function withRoom(numbers: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}
