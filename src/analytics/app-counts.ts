import { APP_CELLS, ERROR_CODES, ERROR_EXAMPLES, PATH_LENGTH, VISIT_TEXTS } from './bounds.ts'
import { addDuration } from './histogram.ts'
import type { RequestFacts, Visit } from './request-facts.ts'
import {
  type CellName,
  emptyCell,
  isError,
  OPERATIONS,
  type Operation,
  OTHERS,
  type TrafficCell,
} from './traffic.ts'
import type { CountedTexts, ErrorCount } from './traffic-delta.ts'

/** Where an operation and a status make one number. */
const STATUSES = 1000
const OPERATION_INDEXES = Object.fromEntries(
  OPERATIONS.map((operation, index) => [operation, index]),
) as Readonly<Record<Operation, number>>

/** What texts of requests become before they are kept. */
export type RedactTarget = (target: string) => string

/** Cells of one minute. */
export class MinuteCells {
  readonly list: TrafficCell[] = []
  /** By key, collection, and operation with status. */
  private readonly byKey = new Map<string, Map<string, Map<number, TrafficCell>>>()
  private readonly hasRoom: () => boolean

  /** @param hasRoom whether the thread may tell more cells apart */
  constructor(hasRoom: () => boolean) {
    this.hasRoom = hasRoom
  }

  add(facts: RequestFacts): void {
    const { key, collection, operation, status } = facts
    const kind = OPERATION_INDEXES[operation] * STATUSES + status
    const cell = this.byKey.get(key)?.get(collection)?.get(kind) ?? this.makeCell(facts, kind)
    cell.requests++
    cell.bytesIn += facts.bytesIn
    cell.bytesOut += facts.bytesOut
    cell.read += facts.read
    cell.written += facts.written
    addDuration(cell.latency, facts.ms)
  }

  private makeCell({ key, collection, operation, status }: CellName, kind: number): TrafficCell {
    // Those of others are few, for there are few operations and statuses.
    if (key !== OTHERS && (this.list.length >= APP_CELLS || !this.hasRoom())) {
      const others = { key: OTHERS, collection: OTHERS, operation, status }
      return this.byKey.get(OTHERS)?.get(OTHERS)?.get(kind) ?? this.makeCell(others, kind)
    }
    const cell = emptyCell({ key, collection, operation, status })
    const byCollection = madeIn(this.byKey, key, () => new Map<string, Map<number, TrafficCell>>())
    madeIn(byCollection, collection, () => new Map<number, TrafficCell>()).set(kind, cell)
    this.list.push(cell)
    return cell
  }
}

/** What is told of one day. */
export class DayCounts {
  private readonly paths = new Map<string, number>()
  private readonly referrers = new Map<string, number>()
  private readonly byCode = new Map<string, ErrorCount>()

  addVisit({ path, referrer }: Visit): void {
    count(this.paths, path)
    count(this.referrers, referrer)
  }

  /** @param at milliseconds since the Unix epoch */
  addError(facts: RequestFacts, at: number, redactTarget: RedactTarget): void {
    const { code, status } = facts
    const name = this.byCode.size < ERROR_CODES ? `${code}\n${status}` : OTHERS
    const found = this.byCode.get(`${code}\n${status}`) ?? this.byCode.get(name)
    const made = found ?? { ...(name === OTHERS ? NO_CODE : { code, status }), count: 0, examples: [] }
    if (found === undefined) this.byCode.set(name, made)
    made.count++
    // To redact a path takes longer than to count a request, and an attack is nothing but errors.
    if (made.examples.length >= ERROR_EXAMPLES || made.code === OTHERS) return
    const path = redactTarget(facts.target).slice(0, PATH_LENGTH)
    const { method, keyName: key, requestId } = facts
    made.examples.push({ at, method: method.slice(0, 20), path, key, requestId })
  }

  get visits(): { paths: CountedTexts; referrers: CountedTexts } | undefined {
    return this.paths.size === 0 ? undefined : { paths: [...this.paths], referrers: [...this.referrers] }
  }

  get errors(): readonly ErrorCount[] {
    return [...this.byCode.values()]
  }
}

const NO_CODE = { code: OTHERS, status: 0 }

/** What a thread has counted of one app since it last handed over. */
export class AppCounts {
  readonly minutes = new Map<number, MinuteCells>()
  readonly days = new Map<number, DayCounts>()
  readonly addresses = new Set<string>()
  private minute = Number.NaN
  private cells: MinuteCells | undefined

  /** @param at milliseconds since the Unix epoch */
  add(facts: RequestFacts, at: number, { hasRoom, redactTarget }: CountOptions): void {
    const minute = Math.floor(at / 60_000)
    if (minute !== this.minute || this.cells === undefined) {
      this.minute = minute
      this.cells = madeIn(this.minutes, minute * 60, () => new MinuteCells(hasRoom))
    }
    this.cells.add(facts)
    const { visit, status } = facts
    if (visit === undefined && !isError(status)) return
    const day = madeIn(this.days, Math.floor(minute / 1440) * 86_400, () => new DayCounts())
    if (visit !== undefined) day.addVisit(visit)
    if (isError(status)) day.addError(facts, at, redactTarget)
  }
}

export interface CountOptions {
  readonly hasRoom: () => boolean
  readonly redactTarget: RedactTarget
}

function count(texts: Map<string, number>, text: string): void {
  const name = texts.has(text) || texts.size < VISIT_TEXTS ? text : OTHERS
  texts.set(name, (texts.get(name) ?? 0) + 1)
}

export function madeIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
