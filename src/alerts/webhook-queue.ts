import { AppError } from '../errors.ts'
import type { AccountStore } from '../storage/account-store.ts'
import { WEBHOOK_SETTING } from '../storage/alert-store.ts'
import { type Delivery, type QueueState, queueFrom, WEBHOOK_QUEUE_SETTING } from './queue-state.ts'
import type { SendWebhook } from './send-webhook.ts'
import { type Webhook, webhookFrom } from './webhook.ts'

export interface WebhookQueueOptions {
  readonly store: () => Promise<Pick<AccountStore, 'setting' | 'putSetting'>>
  readonly send: SendWebhook
  /** Told in a line when deliveries begin to fail, and of each that is given up. */
  readonly onProblem: (line: string) => void
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** A message about an alert, which comes behind all that are about the same one. */
export type NewDelivery = Pick<Delivery, 'id' | 'alert' | 'body'>

const MOST_PENDING = 200
/** Before each further attempt, and before all that follow. */
const PAUSES_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000]
const LONGEST_MS = 60 * 60_000
/** Where the store can't be read. */
const UNREADABLE_MS = 60_000
const JITTER = 0.2
const GIVEN_UP_MS = 24 * 60 * 60 * 1000

/**
 * Messages on their way to the webhook, one at a time. What waits is kept over a restart; while that can't be written down,
 * as on a full disk, it is in memory alone, and is sent all the same.
 */
export class WebhookQueue {
  private readonly options: WebhookQueueOptions
  private readonly stopping = new AbortController()
  private loading: Promise<QueueState> | undefined
  private running: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private isFailing = false

  constructor(options: WebhookQueueOptions) {
    this.options = options
  }

  /** Goes on with what was left. */
  resume(): void {
    if (this.stopping.signal.aborted) return
    clearTimeout(this.timer)
    this.running ??= this.run().then((isReady) => {
      this.running = undefined
      this.wake(isReady ? 0 : UNREADABLE_MS)
    })
  }

  /**
   * Has messages sent that don't wait already, where there is a webhook. Of too many the oldest go.
   * @throws AppError `store_unavailable`, with none of them taken
   */
  async add(messages: readonly NewDelivery[]): Promise<void> {
    if ((await this.webhook()) === undefined) return
    const state = await this.state()
    const now = this.options.now()
    const waiting = new Set(state.pending.map(({ id }) => id))
    for (const message of messages)
      if (!waiting.has(message.id)) state.pending.push({ ...message, since: now, attempts: 0, nextAt: now })
    const dropped = state.pending.splice(0, Math.max(0, state.pending.length - MOST_PENDING))
    for (const { id } of dropped)
      this.options.onProblem(`the message ${id} to the webhook is dropped: ${MOST_PENDING} others wait`)
    await this.save()
    this.resume()
  }

  /** Drops what waits. */
  async clear(): Promise<void> {
    const state = await this.state()
    Object.assign(state, { pending: [], last: null })
    await this.save()
  }

  /** What waits, and what came of the last attempt. */
  state(): Promise<QueueState> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined
      throw error
    })
    return this.loading
  }

  /** Sends a message now, once, and says what came of it. @returns undefined where it was taken */
  async sendNow(webhook: Webhook, message: Pick<Delivery, 'id' | 'body'>): Promise<string | undefined> {
    const problem = await this.attempt(webhook, message)
    await this.save()
    return problem
  }

  /** Gives up what is under way, to be sent anew by the next start. */
  async close(): Promise<void> {
    this.stopping.abort()
    clearTimeout(this.timer)
    await this.running
  }

  private async attempt(
    webhook: Webhook,
    { id, body }: Pick<Delivery, 'id' | 'body'>,
  ): Promise<string | undefined> {
    const { send, now } = this.options
    const secrets = webhook.secrets.filter(({ until }) => until === null || until > now())
    const texts = secrets.map(({ secret }) => secret)
    const problem = await send({ url: webhook.url, secrets: texts, id, body }, this.stopping.signal)
    if (this.stopping.signal.aborted) throw new AppError('overloaded', 'the server is stopping')
    const state = await this.state()
    state.last = { at: now(), problem: problem ?? null }
    return problem
  }

  /** Whether all that was due could be sent or put off. */
  private async run(): Promise<boolean> {
    try {
      const state = await this.state()
      for (let due = this.due(state); due !== undefined; due = this.due(state)) {
        const webhook = await this.webhook()
        if (webhook === undefined) await this.clear()
        else await this.deliver(webhook, due, state)
      }
      return true
    } catch (error) {
      if (!(error instanceof AppError)) this.options.onProblem(`the webhook for alerts failed: ${error}`)
      return false
    }
  }

  private async deliver(webhook: Webhook, delivery: Delivery, state: QueueState): Promise<void> {
    const { now, random, onProblem } = this.options
    const problem = await this.attempt(webhook, delivery)
    const pauseMs = PAUSES_MS[delivery.attempts] ?? LONGEST_MS
    const isOver = problem === undefined || Math.abs(now() - delivery.since) >= GIVEN_UP_MS
    if (isOver) state.pending = state.pending.filter((each) => each !== delivery)
    else {
      delivery.attempts += 1
      delivery.nextAt = now() + pauseMs * (1 + JITTER * (2 * random() - 1))
    }
    if (problem !== undefined && isOver)
      onProblem(`the message ${delivery.id} to the webhook is given up after a day: ${problem}`)
    else if (problem !== undefined && !this.isFailing)
      onProblem(`the webhook for alerts can't be told: ${problem}; it is tried again for a day`)
    this.isFailing = problem !== undefined
    await this.save()
  }

  /** One whose time has come, behind all about the same alert. */
  private due({ pending }: QueueState): Delivery | undefined {
    if (this.stopping.signal.aborted) return undefined
    const now = this.options.now()
    // Longer than any pause is only what a clock that was set back has left.
    return firstOfEach(pending).find(({ nextAt }) => nextAt <= now || nextAt - now > 2 * LONGEST_MS)
  }

  private wake(leastMs: number): void {
    void this.state().then(
      ({ pending }) => {
        if (pending.length === 0) return
        const next = Math.min(...firstOfEach(pending).map(({ nextAt }) => nextAt))
        this.resumeAfter(Math.min(Math.max(leastMs, next - this.options.now()), LONGEST_MS))
      },
      () => this.resumeAfter(UNREADABLE_MS),
    )
  }

  private resumeAfter(waitMs: number): void {
    if (this.stopping.signal.aborted) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.resume(), waitMs).unref()
  }

  private async webhook(): Promise<Webhook | undefined> {
    return webhookFrom(await (await this.options.store()).setting(WEBHOOK_SETTING))
  }

  private async load(): Promise<QueueState> {
    return queueFrom(await (await this.options.store()).setting(WEBHOOK_QUEUE_SETTING))
  }

  private async save(): Promise<void> {
    const text = JSON.stringify(await this.state())
    await this.options
      .store()
      .then((store) => store.putSetting(WEBHOOK_QUEUE_SETTING, text))
      .catch(() => undefined)
  }
}

function firstOfEach(pending: readonly Delivery[]): readonly Delivery[] {
  return pending.filter(({ alert }, index) => pending.findIndex((each) => each.alert === alert) === index)
}
