import { storedDocument } from '../../../json/stored.ts'
import { stringify } from '../../../json/stringify.ts'
import { prepareProjection } from '../../../query/projection.ts'
import type { FindCommand } from '../../store.ts'
import { preparePreview } from './preview-text.ts'

/** Units of JSON text after which a chunk of an answer is sent on. */
export const CHUNK_LENGTH = 256 * 1024
/** Units that are read for one, of documents that are not answered whole, so that a thread does something else between. */
export const LOOKED_LENGTH = 4 * 1024 * 1024

/** What is read of documents, beside which of them. */
export type Shape = Pick<FindCommand, 'projection' | 'wantsPreviews'>

/** What of a stored document is answered. */
export function textProjection({ projection, wantsPreviews }: Shape): (text: string) => string {
  if (wantsPreviews) return preparePreview(projection)
  if (projection === undefined) return (text) => text
  const project = prepareProjection(projection)
  return (text) => stringify(project(storedDocument(text)))
}
