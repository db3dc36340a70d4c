import type { IncomingMessage } from 'node:http'
import type { Principal } from '../domain/principal.ts'
import { stateOf } from '../http/request/request-state.ts'
import type { OperationContext } from '../operations/context.ts'
import type { AccountService, Requester } from './account-service.ts'

/** What it takes to have an account at the documents of its apps. */
export interface AppOpening {
  readonly accounts: AccountService
  readonly requester: Requester
  readonly request: IncomingMessage
  /** Of documents. */
  readonly context: OperationContext
  readonly refreshDirectory: () => Promise<void>
}

/** Who an account is to the documents of an app, by its slug. @throws AppError `app_not_found`, `permission_denied`, `daily_quota_exceeded` */
export async function openAppFor(opening: AppOpening, app: string): Promise<Principal> {
  const { accounts, requester, request, context, refreshDirectory } = opening
  const principal = await accounts.call('openApp', { app }, { requester, isChange: false })
  stateOf(request).account = principal.name
  // What the pages ask for themselves is no use of the app.
  if (requester.bearer !== undefined) context.countRequest(principal.owner)
  // One that was made a moment ago, by way of another thread.
  if (!context.directory().apps.has(app)) await refreshDirectory()
  return principal
}
