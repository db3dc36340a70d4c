import { parseJson } from '../../json/exact.ts'
import { stringify } from '../../json/stringify.ts'
import type { JsonObject } from '../../json/value.ts'
import type { Projection } from '../../query/ast.ts'
import { prepareProjection } from '../../query/projection.ts'

/** Units of JSON text after which a piece of an answer is sent on. */
export const PIECE_LENGTH = 256 * 1024

/** What was stored was checked when it came in. */
const STORED = { nestingLevels: Number.POSITIVE_INFINITY }

/** What of a stored document is answered. */
export function shaper(projection: Projection | undefined): (text: string) => string {
  if (projection === undefined) return (text) => text
  const project = prepareProjection(projection)
  return (text) => stringify(project(parseJson(text, STORED) as JsonObject))
}
