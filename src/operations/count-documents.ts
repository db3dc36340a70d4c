import type { Principal } from '../domain/principal.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'
import { readFilter } from './read-query.ts'

export interface CountDocumentsInput extends CollectionInput {
  /** JSON text of the query. */
  readonly q: string | undefined
  readonly isCancelled: () => boolean
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
  const { q: asked = '', isCancelled } = input
  return context.store.countDocuments({ app, collection, filter, asked, isCancelled })
}
