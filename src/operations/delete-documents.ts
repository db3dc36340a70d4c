import type { Principal } from '../domain/principal.ts'
import { readRequiredFilter } from '../query/read-query.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'

export interface DeleteDocumentsInput extends CollectionInput {
  /** JSON text of the query. */
  readonly q: string | undefined
  /** How many documents have to match, or nothing is done. */
  readonly expected?: number | undefined
  /** Whether anybody still waits for the answer. */
  readonly isCancelled: () => boolean
}

/**
 * Deletes every document that matches; answers how many those were.
 * @throws AppError `missing_query`, for the app, the name and the query as their readers do, and what the store throws
 */
export async function deleteDocuments(
  context: OperationContext,
  principal: Principal,
  input: DeleteDocumentsInput,
): Promise<number> {
  const { app, collection } = authoriseCollection(context, principal, input, 'delete')
  const filter = readRequiredFilter(input.q, context.limits)
  const { expected, isCancelled } = input
  return context.store.deleteDocuments({ app, collection, filter, expected, isCancelled })
}
