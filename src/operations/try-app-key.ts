import { principalOfKey, requireLiveKey } from '../credentials/authenticate.ts'
import { parseAddress } from '../domain/network.ts'
import type { Principal } from '../domain/principal.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { authorise, authoriseCollection, authoriseUpsert, type DirectoryContext } from './authorise.ts'
import type { AccountCaller, AccountsContext, CollectionInput } from './context.ts'
import { createAdmission } from './create-admission.ts'
import { type AppKeyInput, findAppKey } from './find-app-keys.ts'

/** What each method needs of a collection; what is updated or deleted is what a query finds. */
const NEEDS: Readonly<
  Record<string, (context: DirectoryContext, principal: Principal, input: CollectionInput) => unknown>
> = {
  GET: (...request) => authoriseCollection(...request, 'read'),
  POST: (...request) => authoriseUpsert(...request),
  PUT: (...request) => authoriseCollection(...request, 'update'),
  DELETE: (...request) => authoriseCollection(...request, 'delete'),
}

export interface KeyTrialInput extends AppKeyInput {
  /** GET, POST, PUT or DELETE. */
  readonly method: string
  /** Without it the collections of the app are listed, by GET alone. */
  readonly collection?: string | undefined
  /** Where the request would come from; that of the caller where it is not given. */
  readonly address?: string | undefined
  /** The website whose page would send it, such as `https://example.com`; none where it is not given. */
  readonly origin?: string | undefined
}

/** What would become of a request by the key. */
export interface KeyTrial {
  readonly isAdmitted: boolean
  /** Of the refusal, and what it would say. */
  readonly code: ErrorCode | null
  readonly message: string | null
  readonly address: string
}

/**
 * Says whether a request by a key would be let in, by what lets requests in; its rate alone is not asked, for that would use
 * it up.
 * @throws AppError `app_not_found`, `permission_denied`, `key_not_found`, `invalid_request`
 */
export async function tryAppKey(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'now'>,
  caller: AccountCaller,
  { method, collection, address = caller.address, origin, ...input }: KeyTrialInput,
): Promise<KeyTrial> {
  const { key } = await findAppKey(context, caller, input)
  const need = Object.hasOwn(NEEDS, method) ? NEEDS[method] : undefined
  if (need === undefined || (collection === undefined && method !== 'GET'))
    throw new AppError('invalid_request', 'method should be GET, or with a collection POST, PUT or DELETE')
  if (parseAddress(address) === undefined)
    throw new AppError('invalid_request', 'address should be one of IPv4 or IPv6')
  const directory = await context.accounts.readDirectory()
  const record = directory.keysById.get(key.id!)
  if (record === undefined) throw new AppError('key_not_found', 'the app has no such key')
  const apps = { directory: () => directory }
  const { admit, admitToApp } = createAdmission({
    directory: apps.directory,
    sites: context.sites,
    now: context.now,
  })
  const refusal = refusalOf(() => {
    requireLiveKey(record, context.now())
    const principal = principalOfKey({ ...record, rules: { ...record.rules, rate: null } })
    admit(principal, { address, origin })
    admitToApp(principal, input.app, { address, origin })
    if (collection === undefined) authorise(apps, principal, input.app, 'read')
    else need(apps, principal, { app: input.app, collection })
  })
  const { code = null, message = null } = refusal ?? {}
  return { isAdmitted: refusal === undefined, code, message, address }
}

function refusalOf(request: () => void): AppError | undefined {
  try {
    request()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
