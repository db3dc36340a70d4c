import type { ShapeCost } from '../storage/read-ledger.ts'
import { AUTO_INDEX } from './auto-index.ts'
import { hasCandidates, nextCandidate } from './candidate-indexes.ts'
import { appIdOf, type IndexContext } from './index-context.ts'
import { indexName } from './index-fields.ts'
import { COST } from './read-ledger.ts'

export interface Suggestion {
  readonly cost: ShapeCost
  /** The name of the index that serves the shape, or would; undefined where none can. */
  readonly index: string | undefined
  /** What was decided or is still missing, and why. */
  readonly verdict: string
}

/**
 * The shapes of queries of an app, those that cost most first.
 * @throws AppError `app_not_found`
 */
export async function suggestIndexes(context: IndexContext, app: string): Promise<Suggestion[]> {
  const id = await appIdOf(context, app)
  return context.ledger
    .load()
    .shapes.filter((shape) => shape.app === id)
    .sort((a, b) => b.waste - a.waste || b.milliseconds - a.milliseconds)
    .map((cost) => ({
      cost,
      index: indexOf(cost),
      verdict: verdictOn(cost),
    }))
}

/**
 * The shapes of queries that were slow, the slowest first.
 * @throws AppError `app_not_found`
 */
export async function slowShapes(context: IndexContext, app: string): Promise<ShapeCost[]> {
  const id = await appIdOf(context, app)
  return context.ledger
    .load()
    .shapes.filter((shape) => shape.app === id && shape.slowCount > 0)
    .sort((a, b) => b.maxMilliseconds - a.maxMilliseconds)
}

function indexOf(cost: ShapeCost): string | undefined {
  if (cost.decision !== undefined) return cost.decision.index
  const next = nextCandidate(cost)
  return next && indexName(next)
}

function verdictOn({ candidates, decision, count, waste, documents }: ShapeCost): string {
  if (decision !== undefined)
    return `${decision.what} at ${new Date(decision.at).toISOString()}: ${decision.why}`
  if (!hasCandidates(candidates)) return 'no index would help'
  if (documents < AUTO_INDEX.documents) return `fewer than ${AUTO_INDEX.documents} documents looked at`
  const needed = COST.built * documents
  if (waste < needed)
    return `looked at ${Math.round(waste)} documents too many; worth an index from ${needed} on`
  if (count < AUTO_INDEX.count) return `seen ${count} times; worth an index from ${AUTO_INDEX.count} on`
  return 'worth an index'
}
