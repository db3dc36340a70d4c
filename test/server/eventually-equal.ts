import assert from 'node:assert/strict'

/** Within how long a running server knows what another process has changed. */
export const NOTICE_MS = 1000

interface Eventually {
  /** For how long the change may take to be seen, in milliseconds. */
  readonly withinMs?: number
  /** What is asked about, for the message. */
  readonly about?: string
}

/**
 * Asks a server until the answer is what a change has to bring. Each question waits for its answer and for nothing else: a
 * server tells nobody that it has seen a change.
 */
export async function eventuallyEqual<Answer>(
  ask: () => Promise<Answer>,
  expected: Answer,
  { withinMs = NOTICE_MS, about }: Eventually = {},
): Promise<void> {
  const end = performance.now() + withinMs
  let seen = await ask()
  while (seen !== expected && performance.now() < end) seen = await ask()
  assert.equal(seen, expected, about ?? `it is ${seen} after ${withinMs} ms`)
}
