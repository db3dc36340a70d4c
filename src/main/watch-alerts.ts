import { ulid } from 'ulid'
import { AlertBoard } from '../alerts/alert-board.ts'
import { ERROR_RATE_SUBJECT, ErrorRate } from '../alerts/error-rate.ts'
import { LastingFailure } from '../alerts/lasting-failure.ts'
import { hasPending, WEBHOOK_QUEUE_SETTING } from '../alerts/queue-state.ts'
import { WATCHED_BYTES, WalGrowth } from '../alerts/wal-growth.ts'
import type { ServerTotals } from '../analytics/traffic-delta.ts'
import type { Config } from '../config.ts'
import type { Alert } from '../domain/alerts.ts'
import type { Log } from '../http/log/log.ts'
import type { ControlFile } from '../storage/sqlite/control/control-file.ts'
import { measureLogs } from '../storage/sqlite/files/measure-storage.ts'
import { watchDisk } from './watch-disk.ts'

/** A start has better things to do, and one that soon stops has nobody to tell. */
const FIRST_MS = 10_000
const TRAFFIC_LOOK_MS = 15_000
const LOGS_LOOK_MS = 60_000
const COUNTED = 'traffic'
const UNCOUNTED = "what is counted of requests can't be stored"

/** What is known of requests. */
interface Traffic {
  /** Since the start. */
  readonly totals: Pick<ServerTotals, 'requests'>
  /** Why what was counted can't be stored; undefined where it can. */
  readonly failure: string | undefined
}

interface AlertParts {
  readonly config: Pick<Config, 'alerts' | 'backups' | 'dataDir' | 'limits'>
  readonly control: Pick<ControlFile, 'firingAlerts' | 'listEveryApp' | 'setting'>
  readonly log: Pick<Log, 'warn' | 'info'>
  /** Asked a while later alone. */
  readonly traffic: () => Traffic
  /** Writes alerts down, on a thread that may wait for the disk, and tells of them. */
  readonly note: (alerts: readonly Alert[]) => void
}

/**
 * Begins with what the last server left firing, and looks at the disk, at requests and at write-ahead logs; what else
 * operators are alerted to is watched where it happens. What a start raises is noted a while later.
 */
export function watchAlerts(parts: AlertParts): { readonly board: AlertBoard; readonly close: () => void } {
  const { config, control, log, note } = parts
  let early: Alert[] | undefined = []
  const board = new AlertBoard({
    ...{ firing: control.firingAlerts(), log, newId: ulid, now: Date.now },
    note: (alerts) => (early === undefined ? note(alerts) : void early.push(...alerts)),
  })
  if (config.backups?.everyMs === undefined) board.observe('backup', [])
  const first = setTimeout(() => {
    const alerts = early ?? []
    early = undefined
    if (alerts.length > 0 || hasPending(control.setting(WEBHOOK_QUEUE_SETTING))) note(alerts)
  }, FIRST_MS).unref()
  const ends = [
    () => clearTimeout(first),
    watchDisk({ ...config, log, alerts: board }),
    watchTraffic(parts, board),
    watchLogs(parts, board),
  ]
  return {
    board,
    close() {
      for (const end of ends) end()
    },
  }
}

function watchTraffic({ config, traffic }: AlertParts, board: AlertBoard): () => void {
  const rate = new ErrorRate(config.alerts.errorPercent, performance.now())
  const counting = new LastingFailure()
  const timer = setInterval(() => {
    const { totals, failure } = traffic()
    const at = performance.now()
    const uncounted = counting.look({
      failure: failure === undefined ? undefined : { subject: COUNTED, message: `${UNCOUNTED}: ${failure}` },
      ...{ at, isFiring: board.isFiring('counting', COUNTED) },
    })
    if (uncounted !== undefined) board.observe('counting', uncounted)
    const isFiring = board.isFiring('error-rate', ERROR_RATE_SUBJECT)
    const conditions = rate.look(answeredOf(totals), at, isFiring)
    if (conditions !== undefined) board.observe('error-rate', conditions)
  }, TRAFFIC_LOOK_MS).unref()
  return () => clearInterval(timer)
}

/** Without probes, which say by a 503 that a server is not ready. */
function answeredOf({ requests }: Traffic['totals']): { requests: number; failed: number } {
  const answered = { requests: 0, failed: 0 }
  for (const { area, status, count } of requests) {
    if (area === 'probe' || area === 'metrics') continue
    answered.requests += count
    if (status >= 500) answered.failed += count
  }
  return answered
}

function watchLogs({ config, control }: AlertParts, board: AlertBoard): () => void {
  const growth = new WalGrowth()
  const look = async (): Promise<void> => {
    const lengths = await measureLogs(config.dataDir)
    const isLong = [...lengths.values()].some((bytes) => bytes > WATCHED_BYTES)
    const names = isLong ? namesOfApps(control) : new Map<string, string>()
    // What is no app's any more is about to be removed.
    const named = [...lengths].flatMap(([id, bytes]) =>
      names.has(id) ? [[names.get(id)!, bytes] as const] : [],
    )
    const isFiring = (subject: string): boolean => board.isFiring('wal', subject)
    board.observe('wal', growth.look({ bytes: new Map(named), at: performance.now(), isFiring }))
  }
  // A data folder that can't be looked at fails every write, which tells of it.
  const timer = setInterval(() => void look().catch(() => undefined), LOGS_LOOK_MS).unref()
  return () => clearInterval(timer)
}

function namesOfApps(control: AlertParts['control']): ReadonlyMap<string, string> {
  const apps = control.listEveryApp().map(({ id, slug }) => [id, `the app ${slug}`] as const)
  return new Map([['', 'the accounts'], ...apps])
}
