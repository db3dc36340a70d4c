import { ALERT_KINDS, type Alert, type AlertCondition, type AlertKind } from '../domain/alerts.ts'

export interface AlertBoardOptions {
  /** Those that fired when the last server ended. */
  readonly firing: readonly Alert[]
  /** Told of what is raised and what has ended. */
  readonly note: (alerts: readonly Alert[]) => void
  readonly log: { readonly warn: (line: string) => void; readonly info: (line: string) => void }
  readonly newId: () => string
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

/** Of these the log tells where they are found, and not here once more. */
const LOGGED_ELSEWHERE: ReadonlySet<AlertKind> = new Set(['disk', 'certificate', 'backup', 'counting'])
const MOST_OF_A_KIND = 20
const MOST_LENGTH = 500

/** What fires, and how it begins and ends: whatever is found again and again is raised once. */
export class AlertBoard {
  private readonly options: AlertBoardOptions
  /** By kind and subject. */
  private readonly firing = new Map<string, Alert>()

  constructor(options: AlertBoardOptions) {
    this.options = options
    for (const alert of options.firing) this.firing.set(keyOf(alert.kind, alert.subject), alert)
  }

  /** Takes what is wrong now of a kind, all of it; what fired and is not among it has ended. */
  observe(kind: AlertKind, conditions: readonly AlertCondition[]): void {
    const { now, newId } = this.options
    const found = conditions.map((each) => [keyOf(kind, oneLine(each.subject)), each] as const)
    const known = found.filter(([key]) => this.firing.has(key))
    const others = found.filter(([key]) => !this.firing.has(key))
    // Of too many those that fire stay, or they would take turns with others.
    const wrong = new Map([...known, ...others].slice(0, MOST_OF_A_KIND))
    const ended = [...this.firing].filter(([key, alert]) => alert.kind === kind && !wrong.has(key))
    const raised = [...wrong].filter(([key]) => !this.firing.has(key))
    for (const [key] of ended) this.firing.delete(key)
    for (const [key, { subject, message }] of raised)
      this.firing.set(key, {
        ...{ id: newId(), kind, raisedAt: now(), endedAt: null },
        ...{ subject: oneLine(subject), message: oneLine(message) },
      })
    const alerts = [
      ...ended.map(([, alert]) => ({ ...alert, endedAt: now() })),
      ...raised.map(([key]) => this.firing.get(key)!),
    ]
    if (alerts.length === 0) return
    if (!LOGGED_ELSEWHERE.has(kind)) this.tell(alerts)
    this.options.note(alerts)
  }

  isFiring(kind: AlertKind, subject: string): boolean {
    return this.firing.has(keyOf(kind, oneLine(subject)))
  }

  /** How many fire of each kind. */
  counts(): ReadonlyMap<AlertKind, number> {
    const all = [...this.firing.values()]
    return new Map(ALERT_KINDS.map((kind) => [kind, all.filter((alert) => alert.kind === kind).length]))
  }

  private tell(alerts: readonly Alert[]): void {
    const { log } = this.options
    for (const { message, endedAt } of alerts)
      if (endedAt === null) log.warn(message)
      else log.info(`this has ended: ${message}`)
  }
}

function keyOf(kind: AlertKind, subject: string): string {
  return `${kind} ${subject}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, MOST_LENGTH)
}
