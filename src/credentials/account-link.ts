import type { Link } from '../storage/account-records.ts'
import { generateSecret, hashSecret } from './secret.ts'

export type LinkPurpose = Link['purpose']

const DAY_MS = 24 * 60 * 60 * 1000

/** How long each is good for that somebody hands on. */
const LIFE_MS: Readonly<Record<LinkPurpose, number>> = { setup: DAY_MS, invite: 7 * DAY_MS, reset: DAY_MS }

/** A link to be handed to somebody; it is nowhere else and can't be had again. */
export interface AccountLink {
  readonly link: string
  /** Milliseconds since the Unix epoch. */
  readonly until: number
}

/**
 * A new link, and what is kept of it. The secret stands behind `#`, which no browser sends, so that no log has it.
 * @param origin of the dashboard, such as `https://db.example.org`, never from a request
 */
export function generateLink(
  purpose: LinkPurpose,
  { origin, now }: { readonly origin: string; readonly now: () => number },
  lifeMs = LIFE_MS[purpose],
): AccountLink & { readonly hash: string } {
  const secret = generateSecret()
  return {
    link: `${origin}/_/${purpose}#${secret}`,
    hash: hashSecret(secret),
    until: now() + lifeMs,
  }
}
