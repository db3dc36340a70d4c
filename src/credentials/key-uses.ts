/** When each key was used last: milliseconds since the Unix epoch by the key record's id. */
export type KeyUseTimes = ReadonlyMap<string, number>

const WRITTEN_EVERY_MS = 60_000

export interface KeyUses {
  note(keyId: string): void
  /** Hands over what is left. */
  close(): Promise<void>
}

/**
 * Collects which keys are used, and hands it over once a minute and only where there was something, for a write to
 * the disk at every request would cost more than most requests.
 */
export function createKeyUses(options: {
  readonly now: () => number
  readonly record: (uses: KeyUseTimes) => unknown
  readonly onFailure: (error: unknown) => void
}): KeyUses {
  let uses = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function handOver(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const noted = uses
    uses = new Map()
    try {
      await options.record(noted)
    } catch (error) {
      options.onFailure(error)
    }
  }

  return {
    note(keyId) {
      uses.set(keyId, options.now())
      timer ??= setTimeout(handOver, WRITTEN_EVERY_MS).unref()
    },
    close: handOver,
  }
}
