import type { Principal } from '../domain/principal.ts'
import type { FindResult, ReadReport } from '../storage/store.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'
import { readFilter, readProjection, readSort } from './read-query.ts'

export type { ReadReport } from '../storage/store.ts'

/** How many documents a read answers that doesn't say (specification, Limits). */
export const DEFAULT_LIMIT = 1000

export interface FindDocumentsInput extends CollectionInput {
  /** JSON texts of query, projection and sort. */
  readonly q: string | undefined
  readonly f: string | undefined
  readonly s: string | undefined
  readonly skip: number
  readonly limit: number
  readonly isCancelled: () => boolean
  /** Told what the read cost, before it is answered. */
  readonly onReport?: (report: ReadReport) => void
}

/**
 * The JSON text of an array of documents, in pieces where it is long.
 * @throws AppError for the app, the name, the query, the projection and the sort as their readers do
 */
export async function findDocuments(
  context: OperationContext,
  principal: Principal,
  input: FindDocumentsInput,
): Promise<FindResult> {
  const { app, collection } = authoriseCollection(context, principal, input, 'read')
  const filter = readFilter(input.q, context.limits)
  const sort = readSort(input.s, context.limits)
  const projection = readProjection(input.f, context.limits)
  const { skip, limit, isCancelled, onReport } = input
  return context.store.findDocuments({
    asked: askedOf(input),
    app,
    collection,
    filter,
    sort,
    skip,
    limit,
    isCancelled,
    ...projection,
    ...(onReport && { onReport }),
  })
}

/** The texts as one; JSON holds no NUL, and these have been read. */
function askedOf({ q = '', f = '', s = '' }: FindDocumentsInput): string {
  return `${q}\u0000${f}\u0000${s}`
}
