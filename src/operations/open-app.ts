import { PERMISSIONS, UNLIMITED } from '../domain/key-rules.ts'
import type { Principal } from '../domain/principal.ts'
import type { AccountStore } from '../storage/account-store.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, Caller } from './context.ts'

export interface AppInput {
  /** A slug. */
  readonly app: string
}

/**
 * Who an account is to operations on the documents of one app: viewers read, all others write as well; a token does what
 * it was made for of that. Whoever runs commands on the data folder does everything.
 * @throws AppError `app_not_found`; `permission_denied` for a token that may neither read nor write documents
 */
export async function openApp(
  context: { readonly accounts: Pick<AccountStore, 'findAppOf' | 'listApps'> },
  caller: Caller,
  { app: slug }: AppInput,
): Promise<Principal> {
  const { id, name, token } = whoIs(caller)
  const mayWrite = token?.permissions.includes('write') ?? true
  const mayRead = token?.permissions.includes('read') ?? true
  const need = { slug, role: 'viewer', permission: mayWrite ? 'write' : 'read' } as const
  const { app, role } = await authoriseCaller(context, caller, need)
  const mayEdit = mayWrite && role !== 'viewer'
  const permission = PERMISSIONS.filter((each) => (each === 'read' ? mayRead : mayEdit))
  return {
    keyId: id,
    name,
    owner: app.owner,
    rules: { ...UNLIMITED, apps: [slug], permission },
    isAccount: true,
    ...(caller.kind === 'account' && caller.account.id === app.owner && { isOwner: true }),
  }
}

function whoIs(
  caller: Caller,
): Pick<Principal, 'name'> & Pick<AccountCaller, 'token'> & { readonly id: string } {
  if (caller.kind === 'command-line') return { id: caller.actor, name: caller.actor }
  const { session, token, account } = caller
  return { id: (session ?? token ?? account).id, name: account.email, ...(token && { token }) }
}
