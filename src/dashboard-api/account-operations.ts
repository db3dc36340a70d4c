import { describeSession } from '../operations/describe-session.ts'
import { signIn } from '../operations/sign-in.ts'
import { signOut } from '../operations/sign-out.ts'

/** What anybody may ask for; each says itself what lets one do it. */
export const PUBLIC_OPERATIONS = { signIn } as const

/** What is done for an account. */
export const ACCOUNT_OPERATIONS = { describeSession, signOut } as const

export type PublicOperations = typeof PUBLIC_OPERATIONS
export type AccountOperations = typeof ACCOUNT_OPERATIONS
