import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { REGISTERS } from './distinct-addresses.ts'
import type { Histogram } from './histogram.ts'
import { readTexts, TextDictionary } from './text-dictionary.ts'
import { type Counted, OPERATIONS, type TrafficCell, type TrafficTotals } from './traffic.ts'
import type { CountedTexts, ErrorCount, ErrorExample, Visits } from './traffic-delta.ts'
import { VarintReader, VarintWriter } from './varints.ts'

/** What an app's documents take, by collection. */
export interface CollectionBytes {
  name: string
  documents: number
  bytes: number
  indexBytes: number
}

/** What there is to be packed, by its kind. */
export interface Packable {
  readonly totals: TrafficTotals
  readonly cells: readonly TrafficCell[]
  readonly addresses: Uint8Array
  readonly visits: Visits
  readonly errors: readonly ErrorCount[]
  readonly storage: readonly CollectionBytes[]
  /** A moment, in seconds since the Unix epoch. */
  readonly moment: number
}

export type PackableKind = keyof Packable

/** The first byte of what is packed here; another one is read as nothing. */
const VERSION = 1
/** The second one. */
const KIND_BYTES: Readonly<Record<PackableKind, number>> = {
  totals: 1,
  cells: 2,
  addresses: 3,
  visits: 4,
  errors: 5,
  storage: 6,
  moment: 7,
}
/** The third one: whether the rest is deflated. */
const PLAIN = 0
const DEFLATED = 1
const HEAD_BYTES = 3
/** From here on it is deflated. */
const DEFLATED_FROM = 1024
/** What is packed is rewritten every few seconds, and this level takes half the time of the usual one. */
const LEVEL = 3
/** More than any bound of ours lets through, so that no row makes room for more. */
const MOST_BYTES = 32 * 1024 * 1024

/** As bytes for a row of a database. */
export function pack<Kind extends PackableKind>(kind: Kind, value: Packable[Kind]): Uint8Array {
  const writer = new VarintWriter()
  FORMS[kind].write(writer, value)
  const plain = writer.finish()
  const isLong = plain.length >= DEFLATED_FROM
  const head = [VERSION, KIND_BYTES[kind], isLong ? DEFLATED : PLAIN]
  return Buffer.concat([Buffer.from(head), isLong ? deflateRawSync(plain, { level: LEVEL }) : plain])
}

/** What was packed as that kind; undefined where the bytes are something else, as those of a damaged row. */
export function unpack<Kind extends PackableKind>(
  kind: Kind,
  bytes: Uint8Array,
): Mutable<Packable[Kind]> | undefined {
  return readPacked(kind, bytes, (reader) => FORMS[kind].read(reader))
}

/** What is read of the bytes of a kind; undefined where they are something else, or more than is read. */
export function readPacked<T>(
  kind: PackableKind,
  bytes: Uint8Array,
  read: (reader: VarintReader) => T,
): T | undefined {
  if (bytes[0] !== VERSION || bytes[1] !== KIND_BYTES[kind]) return undefined
  try {
    const rest = bytes.subarray(HEAD_BYTES)
    const plain = bytes[2] === DEFLATED ? inflateRawSync(rest, { maxOutputLength: MOST_BYTES }) : rest
    const reader = new VarintReader(plain)
    const value = read(reader)
    return reader.isAtEnd ? value : undefined
  } catch {
    // Whatever is wrong with the bytes, nothing is known of what they were.
    return undefined
  }
}

type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : T

interface Form<T> {
  write(writer: VarintWriter, value: T): void
  read(reader: VarintReader): Mutable<T>
}

const FORMS: { readonly [Kind in PackableKind]: Form<Packable[Kind]> } = {
  totals: { write: writeTotals, read: readTotals },
  cells: { write: writeCells, read: readCells },
  addresses: { write: (writer, registers) => writer.raw(registers), read: readRegisters },
  visits: { write: writeVisits, read: readVisits },
  errors: { write: writeErrors, read: readErrors },
  storage: { write: writeStorage, read: readStorage },
  moment: { write: (writer, moment) => writer.number(moment), read: (reader) => reader.number() },
}

export const SUMS = [
  'requests',
  'bytesIn',
  'bytesOut',
  'read',
  'written',
] as const satisfies (keyof Counted)[]
const TOTALS = [...SUMS, 'errors', 'failed'] as const satisfies (keyof TrafficTotals)[]

function writeTotals(writer: VarintWriter, totals: TrafficTotals): void {
  for (const name of TOTALS) writer.number(totals[name])
  writeHistograms(writer, [totals.latency])
}

function readTotals(reader: VarintReader): TrafficTotals {
  const [requests, bytesIn, bytesOut, read, written, errors, failed] = TOTALS.map(() => reader.number())
  return {
    requests: requests!,
    errors: errors!,
    failed: failed!,
    bytesIn: bytesIn!,
    bytesOut: bytesOut!,
    read: read!,
    written: written!,
    latency: readHistograms(reader, 1)[0]!,
  }
}

/** Column by column, in the order of the names: then numbers that are alike stand side by side, and deflate well. */
function writeCells(writer: VarintWriter, cells: readonly TrafficCell[]): void {
  const texts = new TextDictionary()
  const sorted = [...cells].sort(
    (a, b) =>
      compare(a.key, b.key) ||
      compare(a.collection, b.collection) ||
      OPERATIONS.indexOf(a.operation) - OPERATIONS.indexOf(b.operation) ||
      a.status - b.status,
  )
  const named = sorted.map(({ key, collection }) => [texts.indexOf(key), texts.indexOf(collection)] as const)
  writer.number(sorted.length)
  texts.write(writer)
  for (const [key] of named) writer.number(key)
  for (const [, collection] of named) writer.number(collection)
  for (const { operation } of sorted) writer.number(OPERATIONS.indexOf(operation))
  for (const { status } of sorted) writer.number(status)
  for (const name of SUMS) for (const cell of sorted) writer.number(cell[name])
  writeHistograms(
    writer,
    sorted.map(({ latency }) => latency),
  )
}

function readCells(reader: VarintReader): TrafficCell[] {
  const length = reader.count()
  const texts = readTexts(reader)
  const numbers = (): number[] => Array.from({ length }, () => reader.number())
  const [keys, collections, operations, statuses] = [numbers(), numbers(), numbers(), numbers()]
  const [requests, bytesIn, bytesOut, read, written] = SUMS.map(numbers)
  const latencies = readHistograms(reader, length)
  return keys.map((key, i) => ({
    key: required(texts[key]),
    collection: required(texts[collections[i]!]),
    operation: required(OPERATIONS[operations[i]!]),
    status: statuses[i]!,
    requests: requests![i]!,
    bytesIn: bytesIn![i]!,
    bytesOut: bytesOut![i]!,
    read: read![i]!,
    written: written![i]!,
    latency: latencies[i]!,
  }))
}

/** How many buckets each has, then the buckets of all as the steps between them, then all counts. */
function writeHistograms(writer: VarintWriter, histograms: readonly Histogram[]): void {
  for (const histogram of histograms) writer.number(histogram.length / 2)
  for (const histogram of histograms)
    for (let i = 0; i < histogram.length; i += 2) writer.number(histogram[i]! - (histogram[i - 2] ?? 0))
  for (const histogram of histograms)
    for (let i = 1; i < histogram.length; i += 2) writer.number(histogram[i]!)
}

function readHistograms(reader: VarintReader, length: number): Histogram[] {
  const counts = Array.from({ length }, () => reader.count())
  const histograms = counts.map((count) => {
    const histogram: Histogram = []
    let bucket = 0
    for (let i = 0; i < count; i++) {
      bucket += reader.number()
      histogram.push(bucket, 0)
    }
    return histogram
  })
  for (const histogram of histograms)
    for (let i = 1; i < histogram.length; i += 2) histogram[i] = reader.number()
  return histograms
}

function readRegisters(reader: VarintReader): Uint8Array {
  const registers = reader.raw()
  return required(registers.length === REGISTERS ? registers : undefined)
}

function writeVisits(writer: VarintWriter, { paths, referrers }: Visits): void {
  writeCountedTexts(writer, paths)
  writeCountedTexts(writer, referrers)
}

function readVisits(reader: VarintReader): Visits {
  return { paths: readCountedTexts(reader), referrers: readCountedTexts(reader) }
}

function writeCountedTexts(writer: VarintWriter, texts: CountedTexts): void {
  writer.number(texts.length)
  for (const [text, count] of texts) {
    writer.text(text)
    writer.number(count)
  }
}

function readCountedTexts(reader: VarintReader): CountedTexts {
  return Array.from({ length: reader.count() }, () => [reader.text(), reader.number()])
}

function writeErrors(writer: VarintWriter, errors: readonly ErrorCount[]): void {
  writer.number(errors.length)
  for (const { code, status, count, examples } of errors) {
    writer.text(code)
    writer.number(status)
    writer.number(count)
    writer.number(examples.length)
    for (const { at, method, path, key, requestId } of examples) {
      writer.number(at)
      for (const text of [method, path, key, requestId]) writer.text(text)
    }
  }
}

function readErrors(reader: VarintReader): ErrorCount[] {
  return Array.from({ length: reader.count() }, () => ({
    code: reader.text(),
    status: reader.number(),
    count: reader.number(),
    examples: Array.from(
      { length: reader.count() },
      (): ErrorExample => ({
        at: reader.number(),
        method: reader.text(),
        path: reader.text(),
        key: reader.text(),
        requestId: reader.text(),
      }),
    ),
  }))
}

function writeStorage(writer: VarintWriter, collections: readonly CollectionBytes[]): void {
  writer.number(collections.length)
  for (const { name, documents, bytes, indexBytes } of collections) {
    writer.text(name)
    for (const number of [documents, bytes, indexBytes]) writer.number(number)
  }
}

function readStorage(reader: VarintReader): CollectionBytes[] {
  return Array.from({ length: reader.count() }, () => ({
    name: reader.text(),
    documents: reader.number(),
    bytes: reader.number(),
    indexBytes: reader.number(),
  }))
}

/** By UTF-16 code units, whatever the locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** @throws Error for what is not there */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('what was read makes no sense')
  return value
}
