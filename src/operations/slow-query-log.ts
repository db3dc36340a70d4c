import type { ShapeCost } from '../storage/read-ledger.ts'
import type { ReadReport } from '../storage/store.ts'

/** Time between two lines about queries of the same shape. */
const SILENCE_MS = 60_000

/** Tells of slow reads by the shape of their queries, never with a value, and of each shape once a minute. */
export function slowQueryLog({
  now,
  slowMs,
  tell,
}: {
  now: () => number
  slowMs: number
  tell: (line: string) => void
}): (shape: ShapeCost, report: ReadReport) => void {
  const saidAt = new WeakMap<ShapeCost, number>()
  return (shape, { plan, returned, milliseconds }) => {
    if (milliseconds < slowMs || now() - (saidAt.get(shape) ?? Number.NEGATIVE_INFINITY) < SILENCE_MS) return
    saidAt.set(shape, now())
    const how = plan.index === undefined ? plan.kind : `${plan.kind} ${plan.index}`
    tell(
      `slow query of ${shape.collection}: ${shape.shape}; ${Math.round(milliseconds)} ms by ${how}, ` +
        `${plan.examined} looked at, ${returned} found; ${shape.slowCount} of ${shape.count} were slow`,
    )
  }
}
