import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createTokenBuckets } from '../credentials/token-buckets.ts'
import type { Principal } from '../domain/principal.ts'
import type { AccountsContext } from '../operations/context.ts'
import { type CallDependencies, performCall } from './perform-call.ts'
import { clientRequester, commandRequester } from './requester-of.ts'

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

test('a command on the data folder is let do what takes no account, and nothing else', async () => {
  const { context, takeRequest } = dependencies()
  const app = { id: 'a', slug: 'shop', owner: 'ada', createdAt: 0 }
  const accounts = { listApps: async () => [app] } as unknown as AccountsContext['accounts']
  const made = { context: { ...context, accounts }, takeRequest }
  const requester = { address: '', userAgent: '', commandLine: 'cli:ada' }
  const call = (name: 'openApp' | 'listAccounts', input: unknown) =>
    performCall(made, { name, input, requester, isChange: true })
  const opened = (await call('openApp', { app: 'shop' })) as Principal
  assert.deepEqual([opened.name, opened.owner, opened.rules.apps], ['cli:ada', 'ada', ['shop']])
  await assert.rejects(call('openApp', { app: 'shopp' }), { code: 'app_not_found' })
  await assert.rejects(call('listAccounts', undefined), { code: 'permission_denied' })
  // As many changes as it likes.
  for (let i = 0; i < 301; i++) await call('openApp', { app: 'shop' })
})

test('nobody becomes a command by a header of HTTPS', () => {
  const headers = { 'x-sheaf-command-user': 'root', cookie: '', 'user-agent': 'x' }
  const request = { headers } as unknown as IncomingMessage
  const requester = clientRequester(() => ({ address: '192.0.2.7', origin: undefined, referer: undefined }))
  assert.deepEqual(requester(request), { address: '192.0.2.7', userAgent: 'x', sessionSecret: undefined })
  assert.deepEqual(commandRequester(request), { address: '', userAgent: '', commandLine: 'cli:root' })
  for (const user of ['', '%', 'a'.repeat(257)])
    assert.equal(
      commandRequester({ headers: { 'x-sheaf-command-user': user } } as unknown as IncomingMessage)
        .commandLine,
      'cli:unknown',
    )
})
