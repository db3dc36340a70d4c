import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenBuckets } from '../credentials/token-buckets.ts'
import type { AccountsContext } from '../operations/context.ts'
import { type CallDependencies, performCall } from './perform-call.ts'

const SECRET = 'a'.repeat(43)

/** Accounts in which everybody is signed in whose session's secret is asked for. */
function dependencies(): CallDependencies {
  const account = { id: 'ada', isOperator: true }
  const accounts = {
    findSession: async () => ({ session: { id: 's', seenAt: 0, authenticatedAt: 0 }, account }),
    listAccounts: async () => [account],
  }
  const context = { accounts, now: () => 0 } as unknown as AccountsContext
  return { context, takeRequest: createTokenBuckets(() => 0) }
}

test('an account makes 300 changes a minute at most, and looks as often as it likes', async () => {
  const made = dependencies()
  const requester = { address: '192.0.2.7', userAgent: '', sessionSecret: SECRET }
  const call = (isChange: boolean) =>
    performCall(made, { name: 'listAccounts', input: undefined, requester, isChange })
  for (let i = 0; i < 300; i++) await call(true)
  await assert.rejects(call(true), { code: 'rate_limited', retryAfterSeconds: 1 })
  for (let i = 0; i < 400; i++) await call(false)
})
