import type { Principal } from '../domain/principal.ts'
import { readFilter } from '../query/read-query.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'
import type { ReadReport } from './find-documents.ts'

export interface CountDocumentsInput extends CollectionInput {
  /** JSON text of the query. */
  readonly q: string | undefined
  readonly isCancelled: () => boolean
  readonly onReport?: (report: ReadReport) => void
}

/**
 * How many documents match.
 * @throws AppError for the app, the name and the query as their readers do
 */
export async function countDocuments(
  context: OperationContext,
  principal: Principal,
  input: CountDocumentsInput,
): Promise<number> {
  const { app, collection } = authoriseCollection(context, principal, input, 'read')
  const filter = readFilter(input.q, context.limits)
  const { q, isCancelled, onReport } = input
  const watched = { isCancelled, ...(onReport && { onReport }) }
  return context.store.countDocuments({ app, collection, filter, texts: { filter: q }, ...watched })
}
