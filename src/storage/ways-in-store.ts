import type { OpenWaysIn, WaysIn } from './account-records.ts'
import type { Actor, KeepsSession } from './account-store.ts'

/** By what accounts are got into, of whatever kind. */
export interface WaysInStore {
  /** @throws AppError `account_not_found` */
  findWaysIn(of: { account: string; open: OpenWaysIn }): Promise<WaysIn>
  /**
   * Leaves the account without a password; links that would have given it another end, too.
   * @throws AppError `account_not_found`, `last_way_in`
   */
  removePassword(change: { id: string; open: OpenWaysIn } & KeepsSession, actor: Actor): Promise<void>
  /**
   * Takes whatever lets somebody in from the account: its password, passkeys, identities, tokens, links and sessions. The
   * link that gives it a password is all that is left, and its second factor.
   * @throws AppError `account_not_found`, `too_many_links`
   */
  resetWaysIn(
    reset: { readonly account: string; readonly hash: string; readonly until: number },
    actor: Actor,
  ): Promise<void>
}
