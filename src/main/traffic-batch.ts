import { randomUUID } from 'node:crypto'
import { joinParts, splitByApp } from '../analytics/split-delta.ts'
import type { TrafficDelta } from '../analytics/traffic-delta.ts'

/** What is stored of one app, and what is noted with it, by which one sees later that it was. */
export interface TrafficPart {
  readonly delta: TrafficDelta
  readonly note: string
}

/** What was counted, as it is stored: one app after the other, in an order that stays. */
export class TrafficBatch {
  private readonly id: string
  private readonly parts: readonly TrafficDelta[]
  private next = 0

  constructor(delta: TrafficDelta, id: string = randomUUID()) {
    this.id = id
    this.parts = splitByApp(delta)
  }

  /** What is to be stored next; undefined where all is stored. */
  get part(): TrafficPart | undefined {
    const delta = this.parts[this.next]
    return delta && { delta, note: `${this.id} ${this.next}` }
  }

  /** What is not stored yet. */
  get rest(): TrafficDelta {
    return joinParts(this.parts.slice(this.next))
  }

  /** The part of this note is stored, and with it those before. The note of another batch says nothing. */
  noteStored(note: string | undefined): void {
    const index = this.parts.findIndex((_, n) => note === `${this.id} ${n}`)
    this.next = Math.max(this.next, index + 1)
  }
}
