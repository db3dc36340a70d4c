import { isoTime } from '../domain/iso-time.ts'
import type { TrafficStore } from '../storage/traffic-store.ts'
import { requireTokenPermission } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedApp, describeAccountApps } from './describe-account-apps.ts'
import { STEP_SECONDS, trafficRange } from './traffic-range.ts'

/** An app with what was asked of it lately. */
export interface ListedApp extends DescribedApp {
  /** Of the last 24 hours, with the one that is under way. */
  readonly requestsToday: number
  /** The minute of the last one, while that is kept, and else its day; null where there was none. */
  readonly lastRequestAt: string | null
}

/** The apps of an account, and those that are shared with it, ordered by slug. @throws AppError `permission_denied` */
export async function listAccountApps(
  { accounts, now }: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
): Promise<ListedApp[]> {
  requireTokenPermission(caller, 'read')
  const apps = await accounts.listAppsOf(caller.account.id)
  const described = await describeAccountApps(accounts, apps)
  return Promise.all(
    described.map(async (app, index) => ({
      ...app,
      ...(await describeLately(accounts, apps[index]!.app.id, now())),
    })),
  )
}

async function describeLately(
  store: Pick<TrafficStore, 'findTraffic' | 'findNewestTraffic'>,
  app: string,
  now: number,
): Promise<Pick<ListedApp, 'requestsToday' | 'lastRequestAt'>> {
  const { from, to } = trafficRange('day', now, false)
  let requestsToday = 0
  for await (const { value } of store.findTraffic({ app, kind: 'hour', from, to }))
    requestsToday += value.requests
  const ever = { app, from: 0, to: to + STEP_SECONDS.day }
  const last =
    (await store.findNewestTraffic({ ...ever, kind: 'minute' })) ??
    (await store.findNewestTraffic({ ...ever, kind: 'day' }))
  return { requestsToday, lastRequestAt: last === undefined ? null : isoTime(last.at * 1000) }
}
