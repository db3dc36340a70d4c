/** How soon after one look the next may begin: whoever guesses keys causes no more of them. */
const PAUSE_MS = 20

export interface SingleFlightOptions {
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number
  /** Resolves when the directory holds every change that was made before the call. */
  readonly refresh: () => Promise<void>
}

/**
 * Looks at the apps and keys once more, for the sake of a key that is not among them: another process may have made it
 * just now. Who comes while a look is under way shares it. The answer is undefined where the last one is too short a
 * time ago, and never rejects: a look that fails has found nothing.
 */
export function createSingleFlightRefresh({
  now,
  refresh,
}: SingleFlightOptions): () => Promise<void> | undefined {
  let looking: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  return () => {
    const time = now()
    if (looking !== undefined || time - lookedAt < PAUSE_MS) return looking
    lookedAt = time
    looking = refresh()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined
      })
    return looking
  }
}
