import { madeIn, type RedactTarget } from './app-counts.ts'
import { PATH_LENGTH } from './bounds.ts'
import type { RequestFacts } from './request-facts.ts'
import type { TailBatch, TailRequest } from './tail-batch.ts'

/** Requests of an app in one batch. */
const BATCH_REQUESTS = 50

/** What a thread tells of the requests of those apps that somebody looks at. */
export class TailCounter {
  private readonly redactTarget: RedactTarget
  private watched: ReadonlySet<string> = new Set()
  private batches = new Map<string, { requests: TailRequest[]; skipped: number }>()

  constructor(redactTarget: RedactTarget) {
    this.redactTarget = redactTarget
  }

  /** @param apps by their ids */
  watch(apps: ReadonlySet<string>): void {
    this.watched = apps
  }

  /** @param at milliseconds since the Unix epoch */
  add(facts: RequestFacts, at: number): void {
    if (this.watched.size === 0 || !this.watched.has(facts.app)) return
    const batch = madeIn(this.batches, facts.app, () => ({ requests: [], skipped: 0 }))
    if (batch.requests.length >= BATCH_REQUESTS) batch.skipped++
    else batch.requests.push(this.requestOf(facts, at))
  }

  /** By the ids of apps. */
  drain(): readonly (readonly [app: string, batch: TailBatch])[] {
    const batches = [...this.batches]
    this.batches = new Map()
    return batches
  }

  private requestOf(facts: RequestFacts, at: number): TailRequest {
    const { method, target, status, code, ms, bytesIn, bytesOut, keyName, collection, operation } = facts
    return {
      ...{ at, method: method.slice(0, 20), status, code, bytesIn, bytesOut, collection, operation },
      path: this.redactTarget(target).slice(0, PATH_LENGTH),
      ms: Math.round(ms * 100) / 100,
      key: keyName,
      requestId: facts.requestId,
    }
  }
}
