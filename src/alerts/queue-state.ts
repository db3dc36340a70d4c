/** A message that waits to be sent. Times are milliseconds since the Unix epoch. */
export interface Delivery {
  /** Of the message, the same at each attempt. */
  readonly id: string
  /** The alert that it is about, by its id. */
  readonly alert: string
  /** JSON. */
  readonly body: string
  /** When it was to be sent first. */
  readonly since: number
  /** That failed. */
  attempts: number
  nextAt: number
}

export interface QueueState {
  /** In the order in which they came. */
  pending: Delivery[]
  last: {
    readonly at: number /** Null where the message was taken. */
    readonly problem: string | null
  } | null
}

/** The setting that has what waits. */
export const WEBHOOK_QUEUE_SETTING = 'alert_webhook_queue'

/** What can't be read is nothing. */
export function queueFrom(text: string | undefined): QueueState {
  try {
    const { pending, last } = JSON.parse(text ?? '{}') as Partial<QueueState>
    return {
      pending: Array.isArray(pending) ? pending.filter(isDelivery) : [],
      last: isTime(last?.at)
        ? { at: last!.at, problem: typeof last!.problem === 'string' ? last!.problem : null }
        : null,
    }
  } catch {
    return { pending: [], last: null }
  }
}

/** Whether something waits, as the setting has it. */
export function hasPending(text: string | undefined): boolean {
  return queueFrom(text).pending.length > 0
}

function isDelivery(value: unknown): value is Delivery {
  if (typeof value !== 'object' || value === null) return false
  const { id, alert, body, since, attempts, nextAt } = value as Record<string, unknown>
  return (
    [id, alert, body].every((each) => typeof each === 'string') && [since, attempts, nextAt].every(isTime)
  )
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15
}
