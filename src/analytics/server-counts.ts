import { addDuration } from './histogram.ts'
import type { RequestFacts } from './request-facts.ts'
import {
  AREAS,
  type Area,
  type AreaTotals,
  METHODS,
  type MethodClass,
  type ServerTotals,
} from './traffic-delta.ts'

const STATUSES = 1000
const OTHER = METHODS.length - 1
const METHOD_INDEXES: ReadonlyMap<string, number> = new Map(METHODS.map((method, index) => [method, index]))
const AREA_INDEXES = Object.fromEntries(AREAS.map((area, index) => [area, index])) as Readonly<
  Record<Area, number>
>

/** What a thread has counted of all requests. */
export class ServerCounts {
  /** By area, method and status as one number. */
  private readonly requests = new Map<number, number>()
  private readonly areas: AreaTotals[] = AREAS.map((area) => ({
    ...{ area, latency: [], ms: 0, bytesIn: 0, bytesOut: 0 },
  }))
  private read = 0
  private written = 0

  add({ area, method, status, ms, bytesIn, bytesOut, read, written }: RequestFacts): void {
    const index = AREA_INDEXES[area]
    const kind = (index * METHODS.length + (METHOD_INDEXES.get(method) ?? OTHER)) * STATUSES + status
    this.requests.set(kind, (this.requests.get(kind) ?? 0) + 1)
    const totals = this.areas[index]!
    addDuration(totals.latency, ms)
    totals.ms += ms
    totals.bytesIn += bytesIn
    totals.bytesOut += bytesOut
    this.read += read
    this.written += written
  }

  get isEmpty(): boolean {
    return this.requests.size === 0
  }

  /** Without what is told by app. */
  totals(): ServerTotals {
    const { read, written } = this
    const requests = [...this.requests].map(([kind, count]) => ({ ...namesOf(kind), count }))
    const areas = this.areas.filter(({ latency }) => latency.length > 0)
    return { requests, areas, read, written, apps: [] }
  }
}

function namesOf(kind: number): { area: Area; method: MethodClass; status: number } {
  const rest = Math.floor(kind / STATUSES)
  return {
    area: AREAS[Math.floor(rest / METHODS.length)]!,
    method: METHODS[rest % METHODS.length]!,
    status: kind % STATUSES,
  }
}
