import { changePassword } from '../operations/change-password.ts'
import { confirmPassword } from '../operations/confirm-password.ts'
import { createInvitation } from '../operations/create-invitation.ts'
import { createPasswordReset } from '../operations/create-password-reset.ts'
import { describeSession } from '../operations/describe-session.ts'
import { disableAccountTotp } from '../operations/disable-account-totp.ts'
import { inspectLink } from '../operations/inspect-link.ts'
import { listAccounts } from '../operations/list-accounts.ts'
import { listServerAudit } from '../operations/list-server-audit.ts'
import { resetPassword } from '../operations/reset-password.ts'
import { setUpAccount } from '../operations/set-up-account.ts'
import { signIn } from '../operations/sign-in.ts'
import { signOut } from '../operations/sign-out.ts'
import { updateAccount } from '../operations/update-account.ts'

/** What anybody may ask for; each says itself what lets one do it. */
export const PUBLIC_OPERATIONS = { inspectLink, resetPassword, setUpAccount, signIn } as const

/** What is done for an account. */
export const ACCOUNT_OPERATIONS = {
  changePassword,
  confirmPassword,
  createInvitation,
  createPasswordReset,
  describeSession,
  disableAccountTotp,
  listAccounts,
  listServerAudit,
  signOut,
  updateAccount,
} as const

export type PublicOperations = typeof PUBLIC_OPERATIONS
export type AccountOperations = typeof ACCOUNT_OPERATIONS
