import { storedDocument } from '../../../json/stored.ts'
import { stringify } from '../../../json/stringify.ts'
import { prepareProjection } from '../../../query/projection.ts'
import type { Shape } from '../protocol/requests.ts'
import { prepareCsvRow } from './csv-row.ts'
import { prepareFields } from './field-names.ts'
import { preparePreview } from './preview-text.ts'

/** Units of JSON text after which a chunk of an answer is sent on. */
export const CHUNK_LENGTH = 256 * 1024
/** Units that are read for one, of documents that are not answered whole, so that a thread does something else between. */
export const LOOKED_LENGTH = 4 * 1024 * 1024

/** What stands between documents, behind the last of a run of them, and between runs. */
export function jointsOf({ lines }: Shape): {
  readonly between: string
  readonly end: string
  readonly runs: string
} {
  return lines === undefined ? { between: ',', end: '', runs: ',' } : { between: '\n', end: '\n', runs: '' }
}

/** What of a stored document is answered. */
export function textProjection({ projection, wantsPreviews, lines }: Shape): (text: string) => string {
  if (wantsPreviews) return preparePreview(projection)
  const documentText = projected(projection)
  if (lines === undefined || lines.kind === 'ndjson') return documentText
  const line = lines.kind === 'csv' ? prepareCsvRow(lines) : prepareFields(lines.most)
  return (text) => line(documentText(text))
}

function projected(projection: Shape['projection']): (text: string) => string {
  if (projection === undefined) return (text) => text
  const project = prepareProjection(projection)
  return (text) => stringify(project(storedDocument(text)))
}
