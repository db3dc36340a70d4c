import { checkTokenName } from '../credentials/key-name.ts'
import { generateAccountToken, hashSecret } from '../credentials/secret.ts'
import { parseKeyRules } from '../domain/key-rules-input.ts'
import { TOKEN_PERMISSIONS } from '../domain/token-permissions.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord, AccountToken } from '../storage/account-records.ts'
import type { Actor } from '../storage/account-store.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

const LONGEST_DAYS = 400
const LONGEST_MS = LONGEST_DAYS * 24 * 60 * 60 * 1000

export interface CreateTokenInput {
  readonly name: string
  /** Some of `TOKEN_PERMISSIONS`. */
  readonly permissions: readonly string[]
  /** As the end of a key is written: from now on (`30d`), a day, or an instant. */
  readonly expires: string
}

/** A new bearer token; `token` is nowhere else and can't be had again. */
export interface CreatedToken {
  readonly record: AccountToken
  readonly token: string
}

/**
 * Makes a bearer token, by which others may do in the account what it lets them.
 * @throws AppError `permission_denied` to a token, and for `server` to who is no operator; `password_required`,
 * `invalid_name`, `invalid_rule`, `token_exists`, `too_many_tokens`
 */
export async function createToken(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  input: CreateTokenInput,
): Promise<CreatedToken> {
  requireSession(caller)
  requireRecentPassword(context, caller)
  return addToken(context, { account: caller.account, actor: actorOf(caller) }, input)
}

/**
 * The same for whoever was found to be let.
 * @throws AppError `permission_denied` for `server` to who is no operator, `invalid_name`, `invalid_rule`, `token_exists`,
 * `too_many_tokens`
 */
export async function addToken(
  { accounts, now }: Pick<AccountsContext, 'accounts' | 'now'>,
  { account, actor }: { readonly account: AccountRecord; readonly actor: Actor },
  { name, permissions, expires }: CreateTokenInput,
): Promise<CreatedToken> {
  checkTokenName(name)
  const made = {
    account: account.id,
    name,
    permissions: permissionsFrom(permissions, account),
    expiresAt: endFrom(expires, now()),
  }
  const token = generateAccountToken()
  const record = await accounts.createToken({ ...made, hash: hashSecret(token) }, actor)
  return { record, token }
}

/** In their order, each once. @throws AppError `invalid_rule`, `permission_denied` */
function permissionsFrom(written: readonly string[], account: AccountRecord): readonly string[] {
  const all: readonly string[] = TOKEN_PERMISSIONS
  if (written.length === 0 || !written.every((each) => all.includes(each)))
    throw new AppError('invalid_rule', `a token takes at least one permission of ${all.join(', ')}`)
  if (written.includes('server') && !account.isOperator)
    throw new AppError('permission_denied', 'only a token of an operator may have the permission server')
  return all.filter((each) => written.includes(each))
}

/** @throws AppError `invalid_rule` */
function endFrom(written: string, now: number): number {
  const { expiresAt } = parseKeyRules({ expires: written }, { now })
  if (typeof expiresAt !== 'number' || expiresAt - now > LONGEST_MS)
    throw new AppError('invalid_rule', `a token ends after ${LONGEST_DAYS}d at the latest`)
  return expiresAt
}
