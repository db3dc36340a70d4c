import { type PagedQuery, signCursor, signedCursor } from '../credentials/signed-cursor.ts'
import type { Principal } from '../domain/principal.ts'
import { readFilter, readProjection, readSort } from '../query/read-query.ts'
import type { FindResult, ReadReport } from '../storage/store.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'

export type { ReadReport } from '../storage/store.ts'

/** How many documents a read answers that doesn't say (specification, Limits). */
export const DEFAULT_LIMIT = 1000
/** Documents up to which a page comes with a cursor: where a long one ends has to be found out before it is sent. */
const PAGE_DOCUMENTS = 100_000

export interface FindDocumentsInput extends CollectionInput {
  /** JSON texts of query, projection and sort. */
  readonly q: string | undefined
  readonly f: string | undefined
  readonly s: string | undefined
  readonly skip: number
  readonly limit: number
  /** Whether previews are asked for instead of documents. */
  readonly wantsPreviews?: boolean
  /** As in `FindCommand`. */
  readonly partialAfterMs?: number | undefined
  /** The cursor of the page before. */
  readonly after?: string | undefined
  /** Whether the cursor of this page is asked for. */
  readonly isPaged?: boolean
  readonly isCancelled: () => boolean
  /** Told what the read cost, before it is answered. */
  readonly onReport?: (report: ReadReport) => void
}

export type FoundDocuments = FindResult & {
  /** The cursor behind which the next page begins, where this one is full, or a part. */
  readonly next?: string
}

/**
 * The JSON text of an array of documents, in chunks where it is long.
 * @throws AppError `invalid_cursor`
 * @throws AppError for the app, the name, the query, the projection and the sort as their readers do
 */
export async function findDocuments(
  context: OperationContext,
  principal: Principal,
  input: FindDocumentsInput,
): Promise<FoundDocuments> {
  const { app, collection } = authoriseCollection(context, principal, input, 'read')
  const filter = readFilter(input.q, context.limits)
  const sort = readSort(input.s, context.limits)
  const projection = readProjection(input.f, context.limits)
  const { skip, limit, wantsPreviews, partialAfterMs, isCancelled, onReport } = input
  const texts = { filter: input.q, sort: input.s, projection: input.f, after: input.after }
  const command: PagedQuery = {
    texts,
    app,
    collection,
    filter,
    sort,
    skip,
    limit,
    isCancelled,
    ...projection,
    ...(wantsPreviews && { wantsPreviews }),
    ...(partialAfterMs !== undefined && { partialAfterMs }),
    ...(onReport && { onReport }),
  }
  const secrets = context.directory().tokenSecrets
  const { after, isPaged } = input
  const found = await context.store.findDocuments({
    ...command,
    ...(after !== undefined && { after: signedCursor(after, command, { secrets, now: context.now() }) }),
    ...(isPaged && limit <= PAGE_DOCUMENTS && { wantsEnd: true }),
  })
  const next = found.end && signCursor(found.end, command, secrets)
  return next === undefined ? found : { ...found, next }
}
