import { authenticateSession } from './authenticate-session.ts'
import { authenticateToken } from './authenticate-token.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface AuthenticateCallerInput {
  /** What the browser keeps of its session. */
  readonly sessionSecret?: string | undefined
  /** What stands behind `Bearer`. Where there is one it decides alone, for whoever sends one means it. */
  readonly bearer?: string | undefined
  /** Where the request comes from. */
  readonly address: string
}

/**
 * Who asks for something in an account.
 * @throws AppError `missing_credentials`, `invalid_credentials`
 */
export async function authenticateCaller(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  { sessionSecret, bearer, address }: AuthenticateCallerInput,
): Promise<AccountCaller> {
  const open =
    bearer === undefined
      ? await authenticateSession(context, sessionSecret)
      : await authenticateToken(context, bearer)
  return { kind: 'account', address, ...open }
}
