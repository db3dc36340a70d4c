import { dayOf, type QuotaMemory, QuotaUses } from '../credentials/quota-uses.ts'
import { type Quota, type Quotas, quotaOf } from '../domain/quota.ts'
import type { Log } from '../http/log/log.ts'
import { OwnerSizes, type OwnersParts } from './owner-sizes.ts'
import { type DayRequests, QuotaRequestsFile } from './quota-requests-file.ts'

/** How often what accounts store is measured. */
const MEASURE_MS = 30 * 1000
/** How much of a day's counting a crash may lose. */
const SAVE_MS = 10 * 1000
/** How often it is looked whether anybody has another quota. */
const LOOK_MS = 1000

export interface QuotaWatchParts extends OwnersParts {
  readonly uses: QuotaUses
  readonly log: Pick<Log, 'warn' | 'info'>
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

type WatchedQuotas = Omit<QuotaWatchParts, 'uses' | 'now'> & { readonly quotaUses: QuotaMemory }

/** Tells all threads what accounts store, and keeps how many requests they had over a restart. */
export class QuotaWatch {
  private readonly parts: QuotaWatchParts
  private readonly sizes: OwnerSizes
  private readonly file: QuotaRequestsFile
  private saved = ''
  private seen: Quotas | undefined
  private seenText = ''
  /** Accounts of which something was measured the last time. */
  private measured: ReadonlySet<string> = new Set()
  private measuring: Promise<void> | undefined
  private saving: Promise<void> = Promise.resolve()
  private isFailing = false
  private isClosed = false

  constructor(parts: QuotaWatchParts) {
    this.parts = parts
    this.sizes = new OwnerSizes(parts)
    this.file = new QuotaRequestsFile(parts.dataDir)
  }

  /** What was counted before the restart counts still, where the day is the same. */
  restore(): void {
    const { day, requests } = this.file.load()
    for (const [account, count] of requests)
      this.parts.uses.restoreRequests(account, { day, requests: count })
  }

  /** Measures at once where a quota has changed. */
  look(): Promise<void> {
    const { quotas } = this.parts.store.directory()
    if (quotas === this.seen) return Promise.resolve()
    this.seen = quotas
    const text = quotas === undefined ? '' : JSON.stringify([quotas.forAll, ...quotas.byAccount])
    const isSame = text === this.seenText
    this.seenText = text
    return isSame ? Promise.resolve() : this.measure()
  }

  /** Measures what accounts with a quota of bytes store. Never rejects. */
  measure(): Promise<void> {
    this.measuring ??= this.measureNow().finally(() => {
      this.measuring = undefined
    })
    return this.measuring
  }

  /** Writes down what the day has seen, where that has changed. Never rejects. */
  save(): Promise<void> {
    const counted = this.counted()
    const text = JSON.stringify([counted.day, ...counted.requests])
    if (text === this.saved || (counted.requests.size === 0 && this.saved === '')) return this.saving
    this.saved = text
    this.saving = this.saving.then(() => this.file.save(counted)).catch((error: unknown) => this.fail(error))
    return this.saving
  }

  /** Writes down what is left; what is being measured is of no use any more. */
  close(): Promise<void> {
    this.isClosed = true
    return this.save()
  }

  private async measureNow(): Promise<void> {
    const { store, uses } = this.parts
    const { quotas } = store.directory()
    if (!isAnyLimited(quotas, 'bytes')) return
    try {
      const sizes = await this.sizes.measure((owner) => (quotaOf(quotas, owner)?.bytes ?? null) !== null)
      for (const [owner, bytes] of sizes) uses.putBytes(owner, bytes)
      // Who has removed the last app stores nothing.
      for (const owner of this.measured) if (!sizes.has(owner)) uses.putBytes(owner, 0)
      this.measured = new Set(sizes.keys())
      if (this.isFailing) this.parts.log.info('what accounts store can be measured again')
      this.isFailing = false
    } catch (error) {
      this.fail(error)
    }
  }

  private counted(): DayRequests {
    const { store, uses, now } = this.parts
    const { apps, quotas } = store.directory()
    const requests = new Map<string, number>()
    if (isAnyLimited(quotas, 'requestsPerDay'))
      for (const { owner } of apps.values()) {
        if (owner === null || requests.has(owner)) continue
        if ((quotaOf(quotas, owner)?.requestsPerDay ?? null) === null) continue
        const count = uses.requestsOf(owner)
        if (count > 0) requests.set(owner, count)
      }
    return { day: dayOf(now()), requests }
  }

  /** Once until it goes again: quotas hold by what is known. */
  private fail(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (!this.isFailing && !this.isClosed)
      this.parts.log.warn(`what accounts use of their quotas can't be kept: ${reason}`)
    this.isFailing = true
  }
}

/** @returns ends it when no request comes any more */
export function watchQuotas({ quotaUses, ...parts }: WatchedQuotas): () => Promise<void> {
  const uses = new QuotaUses(quotaUses, Date.now)
  const watch = new QuotaWatch({ ...parts, uses, now: Date.now })
  watch.restore()
  const stopMeasuring = uses.onMeasureAnew(() => watch.measure())
  const timers = [
    setInterval(() => void watch.look(), LOOK_MS).unref(),
    setInterval(() => void watch.measure(), MEASURE_MS).unref(),
    setInterval(() => void watch.save(), SAVE_MS).unref(),
  ]
  return async () => {
    for (const timer of timers) clearInterval(timer)
    stopMeasuring()
    await watch.close()
  }
}

function isAnyLimited(quotas: Quotas | undefined, limit: keyof Quota): boolean {
  if (quotas === undefined) return false
  return quotas.forAll[limit] !== null || [...quotas.byAccount.values()].some((each) => each[limit] !== null)
}
