/** How long a kind of fault is written without its stack. */
const SILENCE_MS = 60_000
/** Kinds that are remembered; beyond them faults have no stack. */
const KINDS = 100
const FIRST_LINE = /^.*/

/**
 * What the log says of an error: its stack and its cause's once a minute for each kind, and one line between, for a full
 * disk fails every write, and would be filled by its own log. Of one kind are errors of one message and one cause.
 * @param now milliseconds of a clock that is never set back
 */
export function createFaultText(now: () => number): (error: unknown) => string {
  const shownAt = new Map<string, number>()

  function isNew(kind: string): boolean {
    const time = now()
    // In the order in which they were shown.
    for (const [known, at] of shownAt) {
      if (time - at < SILENCE_MS) break
      shownAt.delete(known)
    }
    if (shownAt.has(kind) || shownAt.size >= KINDS) return false
    shownAt.set(kind, time)
    return true
  }

  return (error) => {
    const kind = oneLine(error)
    return isNew(kind) ? withStacks(error) : kind
  }
}

function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return firstLine(String(error))
  const cause = error.cause instanceof Error ? `; caused by ${headOf(error.cause)}` : ''
  return `${headOf(error)}${cause}`
}

function headOf({ name, message }: Error): string {
  return firstLine(`${name}: ${message}`)
}

function firstLine(text: string): string {
  return FIRST_LINE.exec(text)![0]
}

function withStacks(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause =
    error.cause instanceof Error ? `\n  caused by ${error.cause.stack ?? error.cause.message}` : ''
  return `${error.stack ?? error.message}${cause}`
}
