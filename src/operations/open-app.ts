import { PERMISSIONS, UNLIMITED } from '../domain/key-rules.ts'
import type { Principal } from '../domain/principal.ts'
import type { AccountStore } from '../storage/account-store.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller } from './context.ts'

export interface AppInput {
  /** A slug. */
  readonly app: string
}

/**
 * Who an account is to operations on the documents of one app: viewers read, all others write as well; a token does what
 * it was made for of that.
 * @throws AppError `app_not_found`; `permission_denied` for a token that may neither read nor write documents
 */
export async function openApp(
  context: { readonly accounts: Pick<AccountStore, 'findAppOf'> },
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<Principal> {
  const mayWrite = caller.token?.permissions.includes('write') ?? true
  const mayRead = caller.token?.permissions.includes('read') ?? true
  const need = { slug, role: 'viewer', permission: mayWrite ? 'write' : 'read' } as const
  const { app, role } = await authoriseCaller(context, caller, need)
  const mayEdit = mayWrite && role !== 'viewer'
  const permission = PERMISSIONS.filter((each) => (each === 'read' ? mayRead : mayEdit))
  return {
    keyId: (caller.session ?? caller.token ?? caller.account).id,
    name: caller.account.email,
    owner: app.owner,
    rules: { ...UNLIMITED, apps: [slug], permission },
    isAccount: true,
  }
}
