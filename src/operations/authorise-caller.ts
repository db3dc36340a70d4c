import type { TokenPermission } from '../domain/token-permissions.ts'
import { AppError } from '../errors.ts'
import type { AccountApp, AccountRecord, SessionRecord } from '../storage/account-records.ts'
import type { AccountActor, AccountStore, Actor } from '../storage/account-store.ts'
import { appNotFound } from './authorise.ts'
import type { AccountCaller, AccountsContext, Caller } from './context.ts'

/** For so long after a password was given, what does harm in the wrong hands is done without asking for it again. */
export const PASSWORD_GOOD_MS = 10 * 60 * 1000

/** From the least to the most. */
const ROLES = ['viewer', 'editor', 'owner'] as const

export type AppRole = (typeof ROLES)[number]

/** What is needed of an app, and what a token has to be let do for it. */
export interface AppNeed {
  readonly slug: string
  readonly role: AppRole
  readonly permission: TokenPermission
}

/**
 * Lets a caller at an app, or not. One in which the account has no part is as one that doesn't exist. Whoever runs commands
 * on the data folder has all that is in it, and is the owner of every app.
 * @throws AppError `app_not_found`, `permission_denied`
 */
export async function authoriseCaller(
  { accounts }: { readonly accounts: Pick<AccountStore, 'findAppOf' | 'listApps'> },
  caller: Caller,
  { slug, role, permission }: AppNeed,
): Promise<AccountApp> {
  if (caller.kind === 'command-line') {
    const app = (await accounts.listApps()).find((each) => each.slug === slug)
    if (app === undefined) throw appNotFound()
    return { app, role: 'owner' }
  }
  requireTokenPermission(caller, permission)
  const found = await accounts.findAppOf({ account: caller.account.id, slug })
  if (found === undefined) throw appNotFound()
  if (ROLES.indexOf(found.role) < ROLES.indexOf(role))
    throw new AppError('permission_denied', `this takes the app's ${role}; this account is its ${found.role}`)
  return found
}

/** @throws AppError `permission_denied` */
export function requireTokenPermission({ token }: AccountCaller, permission: TokenPermission): void {
  if (token !== undefined && !token.permissions.includes(permission))
    throw new AppError(
      'permission_denied',
      `this token may not do that; it takes the permission ${permission}`,
    )
}

/** Lets at the server itself whoever runs commands on it, and operators. @throws AppError `permission_denied` */
export function requireOperator(caller: Caller): void {
  if (caller.kind === 'command-line') return
  requireTokenPermission(caller, 'server')
  if (!caller.account.isOperator)
    throw new AppError('permission_denied', 'only an operator of this server may do that')
}

/** For what an account signs in by, which no token may touch. @throws AppError `permission_denied` */
export function requireSession({ session }: Pick<AccountCaller, 'session'>): SessionRecord {
  if (session === undefined)
    throw new AppError('permission_denied', 'no token may do that; sign in, and do it in a session')
  return session
}

/**
 * For what does harm in the wrong hands: a session that was left open is not enough. A token was made to do what it may.
 * @throws AppError `password_required`
 */
export function requireRecentPassword({ now }: Pick<AccountsContext, 'now'>, caller: Caller): void {
  if (caller.kind === 'command-line' || caller.session === undefined) return
  if (now() - caller.session.authenticatedAt < PASSWORD_GOOD_MS) return
  throw new AppError(
    'password_required',
    'give the password again: POST /_/api/session/password; confirmBy at /_/api/session says what else will do',
  )
}

/** Who does it, for the audit trail, and in which session. @param app by its id, for its part of the trail */
export function actorOf(caller: Caller, app?: string): Actor {
  if (caller.kind === 'command-line') return caller.actor
  const { session } = caller
  return {
    ...accountActorOf(caller),
    ...(session !== undefined && { session: session.id }),
    ...(app !== undefined && { app }),
  }
}

/** The account alone, for what may be done in a session that has ended: ending sessions. */
export function accountActorOf({
  account,
  address,
}: Pick<AccountCaller, 'account' | 'address'>): AccountActor {
  return { account: account.id, name: account.email, address }
}

/** Who owns what an account makes: itself, or the operator, which all operators are together. */
export function ownerOf({ id, isOperator }: AccountRecord): string | null {
  return isOperator ? null : id
}
