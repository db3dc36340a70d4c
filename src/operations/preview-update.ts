import { tryUpdate } from '../body/decode-body.ts'
import type { Principal } from '../domain/principal.ts'
import { readRequiredFilter } from '../query/read-query.ts'
import type { FindResult } from '../storage/store.ts'
import { authoriseWrite } from './authorise.ts'
import type { Body, CollectionInput, OperationContext } from './context.ts'

export interface PreviewUpdateInput extends CollectionInput {
  /** JSON text of the query. */
  readonly q: string | undefined
  /** How many documents are shown at most. */
  readonly limit: number
  /** A replacement or modifiers, as JSON in UTF-8. */
  readonly body: Body
  readonly isCancelled: () => boolean
}

/**
 * What an update by query would make of the first documents that match, and changes nothing. Of long ones it shows as many
 * as an answer holds that is sent whole, and at least one. Placeholders are filled as at this moment.
 * @returns the JSON text `[{"before":…,"after":…},…]`
 * @throws AppError as `updateDocuments` does
 */
export async function previewUpdate(
  context: OperationContext,
  principal: Principal,
  input: PreviewUpdateInput,
): Promise<string> {
  const { app, collection, documentBytes } = authoriseWrite(context, principal, input, 'read', 'update')
  const filter = readRequiredFilter(input.q, context.limits)
  const { limit, body, isCancelled } = input
  const command = { app, collection, filter, sort: [], skip: 0, limit, isCancelled }
  const documents = await firstChunk(await context.store.findDocuments(command))
  return tryUpdate(context, { documents, body, documentBytes })
}

async function firstChunk({ first, rest }: FindResult): Promise<string> {
  if (rest === undefined) return typeof first === 'string' ? first : Buffer.from(first).toString()
  // It can only be told to stop when it was begun.
  for await (const _ of rest) break
  return `${first}]`
}
