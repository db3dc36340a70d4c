import { parseJson } from '../../../../src/json/exact.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import type { JsonObject } from '../../../../src/json/value.ts'
import { askDocuments, type CollectionAddress, documentsPath } from '../documents-api.ts'
import { ID } from './columns.ts'
import { queriesOf } from './copy-cells.ts'

/** Documents that are read at once. */
export const MOST_CHOSEN = 1000
/** Deeper than any document. */
const LIMITS = { nestingLevels: 1000 }
/** Neither a path nor an operator where a query names it. */
const PLAIN_NAME = /^[^.$]+$/

/**
 * Documents as they are stored, for a list has the beginnings of long values alone; those that are gone are left out.
 * @param ids JSON texts, in order
 * @param fields which of them; all where there are none
 * @throws ApiError
 */
export async function readChosen(
  address: CollectionAddress,
  ids: readonly string[],
  fields: readonly string[] = [],
): Promise<readonly JsonObject[]> {
  const documents = new Map<string, JsonObject>()
  const parameters = { l: String(MOST_CHOSEN), f: projectionOf(fields) }
  for (const q of queriesOf(ids)) {
    const { text } = await askDocuments(documentsPath(address), { parameters: { ...parameters, q } })
    for (const document of parseJson(text, LIMITS) as JsonObject[])
      documents.set(stringify(document.get('_id')!), document)
  }
  return ids.flatMap((id) => documents.get(id) ?? [])
}

/** None where a name would be read as a path. */
function projectionOf(fields: readonly string[]): string | undefined {
  if (fields.length === 0 || !fields.every((name) => PLAIN_NAME.test(name))) return undefined
  return stringify(new Map([ID, ...fields].map((name) => [name, 1])))
}
