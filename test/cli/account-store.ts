import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { failure, json, runInProcess, success } from './in-process.ts'
import { storeFolder } from './run-sheaf.ts'

export const ADA = 'ada@example.org'
export const BOB = 'bob@example.org'
export const PASSWORD = 'weaving numbers 1843'
export const DAY_MS = 24 * 60 * 60 * 1000

export interface ShownAccount {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly hasTotp: boolean
}

/** A store without a server, the commands on it, and its accounts from beside them. */
export async function accountStore(t: TestContext) {
  const folder = await storeFolder(t)
  const data = ['--data', folder]
  const accounts = await openAccounts({ dataDir: folder })
  t.after(() => accounts.close())
  const account = async (words: string): Promise<string> => success(['account', ...words.split(' '), ...data])
  const read = async <T>(words: string): Promise<T> =>
    (await json(['account', ...words.split(' '), ...data])) as T
  const refused = (words: string): Promise<string> => failure(['account', ...words.split(' '), ...data])
  /** With something on standard input. */
  const feed = (words: readonly string[], input: string | Buffer) =>
    runInProcess(['account', ...words, ...data], {}, input)
  const create = async (email: string, ...more: string[]): Promise<void> => {
    const { code, stderr } = await feed(
      ['create', email, '--name', 'x', '--password-stdin', ...more],
      PASSWORD,
    )
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  }
  return { folder, data, accounts, account, read, refused, feed, create }
}
