/** What the server alerts its operators to. */
export const ALERT_KINDS = ['disk', 'error-rate', 'certificate', 'wal', 'backup', 'counting'] as const

export type AlertKind = (typeof ALERT_KINDS)[number]

/** Something that is wrong now, by what it is about within its kind. */
export interface AlertCondition {
  readonly subject: string
  /** In one line. */
  readonly message: string
}

/** Something that was wrong from one time to another, in milliseconds since the Unix epoch. */
export interface Alert extends AlertCondition {
  readonly id: string
  readonly kind: AlertKind
  readonly raisedAt: number
  /** Null while it fires. */
  readonly endedAt: number | null
}

/** Of those that have ended, the newest are kept. */
export const KEPT_ALERTS = 1_000
/** The most that are told of at once, of those that fire and of those that have ended. */
export const TOLD_ALERTS = 100
