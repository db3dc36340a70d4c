import type { AppKey } from './key-rules.ts'
import { KEY_TEXTS } from './texts/keys.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const SOON_MS = 7 * DAY_MS
/** A key that nobody has used by then is one too many. */
const UNUSED_MS = 30 * DAY_MS
const FORGOTTEN_MS = 90 * DAY_MS

const { attention: TEXTS } = KEY_TEXTS

/** Whether it ends within a week. @param now in milliseconds since the Unix epoch, here and below */
export function endsSoon({ expires }: AppKey, now: number): boolean {
  const aheadMs = aheadOf(expires, now)
  return aheadMs > 0 && aheadMs <= SOON_MS
}

/** What its owner may want to do something about, the gravest first. */
export function attentionOf(key: AppKey, now: number): readonly string[] {
  const { permission, expires, createdAt, lastUsedAt } = key
  if (permission === undefined) return [TEXTS.damaged]
  if (aheadOf(expires, now) <= 0) return [TEXTS.ended]
  const told: string[] = []
  if (endsSoon(key, now)) told.push(TEXTS.endsSoon(Math.ceil(aheadOf(expires, now) / DAY_MS)))
  if (isUnlimited(key)) told.push(TEXTS.unlimited)
  const unusedMs = now - Date.parse(lastUsedAt ?? createdAt)
  const days = Math.floor(unusedMs / DAY_MS)
  if (lastUsedAt === null && unusedMs > UNUSED_MS) told.push(TEXTS.neverUsed(days))
  if (lastUsedAt !== null && unusedMs > FORGOTTEN_MS) told.push(TEXTS.longUnused(days))
  return told
}

/** Without an end that is never. */
function aheadOf(expires: string | undefined, now: number): number {
  return expires === undefined || expires === 'never' ? Number.POSITIVE_INFINITY : Date.parse(expires) - now
}

/** Whoever has it may do everything from anywhere. */
function isUnlimited({ permission, collections, addresses, websites }: AppKey): boolean {
  return permission === 'full' && [collections, addresses, websites].every((rule) => rule === 'all')
}
