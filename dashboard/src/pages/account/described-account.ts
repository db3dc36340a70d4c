import type { Account } from '../../session.ts'

/** What the server says of the account that asks. */
export interface DescribedAccount {
  readonly account: Account & { readonly hasTotp: boolean }
  /** How many were not used yet. */
  readonly recoveryCodes: number
}
