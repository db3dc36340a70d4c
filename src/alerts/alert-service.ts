import { type Alert, KEPT_ALERTS } from '../domain/alerts.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { AccountStore } from '../storage/account-store.ts'
import type { NewDelivery, WebhookQueue } from './webhook-queue.ts'

/** What operations on alerts work with. */
export interface AlertService {
  /** Those that fire, then those that have ended, the newest first, those among them that could not be written down yet. */
  list(): Promise<Alert[]>
  /** Has the webhook told of them, now or once the store can be read. */
  tell(alerts: readonly Alert[]): Promise<void>
  readonly queue: Pick<WebhookQueue, 'state' | 'clear' | 'sendNow'>
  /** That the webhook may be at wherever they lead. */
  readonly webhookHosts: readonly string[]
}

export interface AlertServiceParts {
  readonly store: () => Promise<Pick<AccountStore, 'putAlerts' | 'listAlerts'>>
  readonly queue: WebhookQueue
  readonly webhookHosts: readonly string[]
  /** Its origin, for messages. */
  readonly server: string
}

/** What a message says of an alert. */
export interface AlertMessage extends Pick<Alert, 'id' | 'subject' | 'message'> {
  readonly kind: Alert['kind'] | 'test'
  readonly state: 'firing' | 'ended'
  /** Milliseconds since the Unix epoch. */
  readonly at: number
  readonly server: string
}

const RETRY_MS = 60_000

/**
 * Writes down what is raised and ended, and tells the webhook. On a full disk it has them in memory until they can be
 * written, for such a disk is what an operator has to hear of.
 */
export class KeptAlerts implements AlertService {
  readonly queue: WebhookQueue
  readonly webhookHosts: readonly string[]
  private readonly parts: AlertServiceParts
  private readonly unsaved = new Map<string, Alert>()
  private untold: readonly NewDelivery[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(parts: AlertServiceParts) {
    this.parts = parts
    this.queue = parts.queue
    this.webhookHosts = parts.webhookHosts
  }

  /** Adds what is raised, and ends what has ended. */
  async note(alerts: readonly Alert[]): Promise<void> {
    for (const alert of alerts) if (this.unsaved.size < KEPT_ALERTS) this.unsaved.set(alert.id, alert)
    await this.tell(alerts)
  }

  async tell(alerts: readonly Alert[]): Promise<void> {
    const messages = alerts.map((alert) => this.deliveryOf(alert))
    this.untold = [...this.untold, ...messages].slice(-KEPT_ALERTS)
    await this.catchUp()
  }

  async list(): Promise<Alert[]> {
    const { unsaved } = this
    const kept = await (await this.parts.store()).listAlerts()
    const all = [...unsaved.values(), ...kept.filter(({ id }) => !unsaved.has(id))]
    const firing = all.filter(({ endedAt }) => endedAt === null)
    return [...firing, ...all.filter(({ endedAt }) => endedAt !== null)]
  }

  async close(): Promise<void> {
    clearTimeout(this.timer)
    await this.queue.close()
  }

  /** The store tells of itself where it fails; here it is tried until it goes. */
  private async catchUp(): Promise<void> {
    const outcomes = await Promise.allSettled([this.save(), this.handOver()])
    clearTimeout(this.timer)
    const isLeft = this.unsaved.size > 0 || this.untold.length > 0
    if (isLeft || outcomes.some(({ status }) => status === 'rejected'))
      this.timer = setTimeout(() => void this.catchUp(), RETRY_MS).unref()
  }

  private async save(): Promise<void> {
    const alerts = [...this.unsaved.values()]
    if (alerts.length === 0) return
    await (await this.parts.store()).putAlerts(alerts)
    for (const alert of alerts) if (this.unsaved.get(alert.id) === alert) this.unsaved.delete(alert.id)
  }

  private async handOver(): Promise<void> {
    const messages = this.untold
    this.untold = []
    try {
      await this.queue.add(messages)
    } catch (error) {
      this.untold = [...messages, ...this.untold].slice(-KEPT_ALERTS)
      throw error
    }
  }

  private deliveryOf({ id, kind, subject, message, raisedAt, endedAt }: Alert): NewDelivery {
    const state = endedAt === null ? 'firing' : 'ended'
    const { server } = this.parts
    const body = messageText({ id, kind, state, subject, message, at: endedAt ?? raisedAt, server })
    return { id: `msg_${id}_${state}`, alert: id, body }
  }
}

/** A message as it is sent. */
export function messageText({ id, kind, state, subject, message, at, server }: AlertMessage): string {
  return JSON.stringify({ id, kind, state, subject, message, at: isoTime(at), server })
}
