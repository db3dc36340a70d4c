import type { Account } from '../../session.ts'
import type { AccountWaysIn } from '../../ways-in.ts'

/** What the server says of the account that asks. */
export interface DescribedAccount {
  readonly account: Account & { readonly hasTotp: boolean }
  readonly waysIn: AccountWaysIn
  /** How many were not used yet. */
  readonly recoveryCodes: number
}
