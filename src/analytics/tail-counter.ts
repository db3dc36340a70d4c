import { madeIn, type RedactTarget } from './app-counts.ts'
import { PATH_LENGTH } from './bounds.ts'
import type { RequestFacts } from './request-facts.ts'
import { kindOf, type TailBatch, type TailRequest } from './tail-batch.ts'

/** Requests of an app in one batch: so many errors, and as many others. */
const BATCH_REQUESTS = 50

interface CountedBatch {
  readonly requests: TailRequest[]
  readonly told: { errors: number; others: number }
  readonly skipped: { errors: number; others: number }
}

/** What a thread tells of the requests of those apps that somebody looks at. */
export class TailCounter {
  private readonly redactTarget: RedactTarget
  private watched: ReadonlySet<string> = new Set()
  private batches = new Map<string, CountedBatch>()

  constructor(redactTarget: RedactTarget) {
    this.redactTarget = redactTarget
  }

  /** What came of others is not for whoever looks next. @param apps by their ids */
  watch(apps: ReadonlySet<string>): void {
    this.watched = apps
    for (const app of this.batches.keys()) if (!apps.has(app)) this.batches.delete(app)
  }

  /** @param at milliseconds since the Unix epoch */
  add(facts: RequestFacts, at: number): void {
    if (this.watched.size === 0 || !this.watched.has(facts.app)) return
    const batch = madeIn(this.batches, facts.app, emptyBatch)
    const kind = kindOf(facts.status)
    if (batch.told[kind] >= BATCH_REQUESTS) {
      batch.skipped[kind]++
      return
    }
    batch.told[kind]++
    batch.requests.push(this.requestOf(facts, at))
  }

  /** By the ids of apps. */
  drain(): readonly (readonly [app: string, batch: TailBatch])[] {
    const batches = [...this.batches].map(
      ([app, { requests, skipped }]) => [app, { requests, skipped }] as const,
    )
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

function emptyBatch(): CountedBatch {
  return { requests: [], told: { errors: 0, others: 0 }, skipped: { errors: 0, others: 0 } }
}
