import { generateSecret, hashSecret } from '../credentials/secret.ts'
import type { AccountStore, Actor } from '../storage/account-store.ts'

const SETUP_LINK_MS = 24 * 60 * 60 * 1000

/**
 * A link by which the first account is made, good for a day and once; the one before it ends. The secret stands behind
 * `#`, which no browser sends, so that no log has it.
 * @param origin of the dashboard, such as `https://db.example.org`, never from a request
 */
export async function createSetupLink(
  { accounts, now, actor }: { accounts: AccountStore; now: () => number; actor: Actor },
  origin: string,
): Promise<string> {
  const secret = generateSecret()
  await accounts.createLink(
    { purpose: 'setup', hash: hashSecret(secret), until: now() + SETUP_LINK_MS },
    actor,
  )
  return `${origin}/_/setup#${secret}`
}
