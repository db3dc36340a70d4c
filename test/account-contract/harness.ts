import type { TestContext } from 'node:test'
import type { Limits } from '../../src/domain/limits.ts'
import type { AccountRecord } from '../../src/storage/account-records.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'

export const NOW = Date.UTC(2026, 0, 1)
export const ACTOR = 'cli:test'

export interface TestAccounts {
  readonly store: AccountStore
  /** Milliseconds; every store that was opened goes by it. */
  readonly clock: { now: number }
  /** One more on the same database. */
  open(limits?: Pick<Limits, 'apps' | 'keys'>): Promise<AccountStore>
  /** SQL past the store, for damages. */
  run(sql: string): Promise<void>
  /** The ids of apps that have documents. */
  documents(): string[]
}

/** Opens an empty database that goes with the test. */
export type OpenTestAccounts = (t: TestContext) => Promise<TestAccounts>

export function hash(character: string): string {
  return character.repeat(64)
}

export function newAccount(store: AccountStore, name: string, isOperator = false): Promise<AccountRecord> {
  return store.createAccount(
    { email: `${name}@example.org`, name, password: `$argon2id$of-${name}`, isOperator },
    ACTOR,
  )
}
