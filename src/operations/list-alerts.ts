import type { Alert } from '../domain/alerts.ts'
import { isoTime } from '../domain/iso-time.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

export type DescribedAlert = Omit<Alert, 'raisedAt' | 'endedAt'> & {
  readonly raisedAt: string
  readonly endedAt: string | null
}

export interface DescribedAlerts {
  /** What is wrong now, the newest first; 100 at most, here and below. */
  readonly firing: readonly DescribedAlert[]
  /** The newest first. */
  readonly ended: readonly DescribedAlert[]
}

/** What is or was wrong with the server. @throws AppError `permission_denied`, `store_unavailable` */
export async function listAlerts(
  { alerts }: Pick<AccountsContext, 'alerts'>,
  caller: Caller,
): Promise<DescribedAlerts> {
  requireOperator(caller)
  const all = (await alerts.list()).map(described)
  return {
    firing: all.filter(({ endedAt }) => endedAt === null),
    ended: all.filter(({ endedAt }) => endedAt !== null),
  }
}

function described({ raisedAt, endedAt, ...alert }: Alert): DescribedAlert {
  return { ...alert, raisedAt: isoTime(raisedAt), endedAt: endedAt === null ? null : isoTime(endedAt) }
}
