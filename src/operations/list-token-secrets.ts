import { isoTime } from '../domain/iso-time.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/** A secret that tokens are signed with, without itself. */
export interface DescribedTokenSecret {
  /** Its name in the head of every token that it signed. */
  readonly kid: string
  /** When the last of these tokens ends; null for the one that signs new ones. */
  readonly until: string | null
}

/** Those by which tokens are let in, the newest first. @throws AppError `permission_denied` */
export async function listTokenSecrets(
  { accounts, now }: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
): Promise<DescribedTokenSecret[]> {
  requireOperator(caller)
  const { tokenSecrets } = await accounts.readDirectory()
  return tokenSecrets
    .filter(({ until }) => until === null || until > now())
    .map(({ kid, until }) => ({ kid, until: until === null ? null : isoTime(until) }))
}
