import { storedDocument } from '../../../json/stored.ts'
import { stringify } from '../../../json/stringify.ts'
import type { Projection } from '../../../query/ast.ts'
import { prepareProjection } from '../../../query/projection.ts'

/** Units of JSON text after which a chunk of an answer is sent on. */
export const CHUNK_LENGTH = 256 * 1024

/** What of a stored document is answered. */
export function textProjection(projection: Projection | undefined): (text: string) => string {
  if (projection === undefined) return (text) => text
  const project = prepareProjection(projection)
  return (text) => stringify(project(storedDocument(text)))
}
