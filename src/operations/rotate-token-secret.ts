import { DEFAULT_TOKEN_LIFETIME_MS } from '../domain/key-rules.ts'
import type { OwnerContext } from './context.ts'

/** Time in which a running server may still sign with the old secret, for it has not seen the new one yet. */
const NOTICE_MS = 60_000

/**
 * Makes a new secret that tokens are signed with. The old ones verify until the last token that was signed with them
 * ends; with `now` they end at once, and every token with them.
 * @throws AppError `invalid_rule` where too many old ones verify still
 * @returns when the last of the old ones ends, in milliseconds since the Unix epoch
 */
export async function rotateTokenSecret(
  { control, actor, now }: OwnerContext,
  options: { now: boolean },
): Promise<number> {
  const oldUntil = options.now ? now() : now() + NOTICE_MS + (await longestLifetimeMs(control))
  await control.rotateTokenSecret({ oldUntil }, actor)
  return oldUntil
}

/** No token outlives the lifetime that its key has now, so what keys had before doesn't count. */
async function longestLifetimeMs(control: OwnerContext['control']): Promise<number> {
  const keys = await control.listKeys()
  return Math.max(DEFAULT_TOKEN_LIFETIME_MS, ...keys.map((key) => key.rules.tokenLifetimeMs))
}
