import { readUpdate } from '../body/decode-body.ts'
import { bodyBytes } from '../body/request-body.ts'
import type { Permission } from '../domain/key-rules.ts'
import type { Principal } from '../domain/principal.ts'
import { readRequiredFilter } from '../query/read-query.ts'
import { authoriseWrite } from './authorise.ts'
import type { Body, CollectionInput, OperationContext } from './context.ts'

export interface UpdateDocumentsInput extends CollectionInput {
  /** JSON text of the query. */
  readonly q: string | undefined
  /** How many documents have to match, or nothing is done. */
  readonly expected?: number | undefined
  /** Whether anybody still waits for the answer. */
  readonly isCancelled: () => boolean
  /** A replacement or modifiers, as JSON in UTF-8. */
  readonly body: Body
  /** Whether every match is updated, or the first in natural order only. */
  readonly multi: boolean
  readonly upsert: boolean
}

export interface UpdateDocumentsResult {
  /** Documents that matched; none where an upsert made one. */
  readonly n: number
  /** Of the matched ones, those that are different now. */
  readonly modified: number
  /**
   * The JSON text of the `_id` of the document that an upsert made, where it made one. It is the request's own or a
   * fresh one, so that it is answered without `read` too.
   */
  readonly upserted?: string
}

/**
 * Updates every document that matches, all or none.
 * @throws AppError `quota_exceeded`, `missing_query`, for the app, the name, the query and the body as their readers do, and what the
 * store throws
 */
export async function updateDocuments(
  context: OperationContext,
  principal: Principal,
  input: UpdateDocumentsInput,
): Promise<UpdateDocumentsResult> {
  const permissions: readonly Permission[] = input.upsert ? ['update', 'create'] : ['update']
  const target = authoriseWrite(context, principal, input, ...permissions)
  const bytes = bodyBytes(input.body)
  const filter = readRequiredFilter(input.q, context.limits)
  const { update } = await readUpdate(context, input.body)
  const { multi, upsert, expected, isCancelled } = input
  const command = {
    ...target,
    filter,
    update,
    multi,
    upsert,
    expected,
    isCancelled,
    now: context.now(),
  }
  const { matched, modified, upserted } = await context.withRoomLeft(principal, bytes, (roomBytes) =>
    context.store.updateDocuments(roomBytes === undefined ? command : { ...command, roomBytes }),
  )
  return { n: matched, modified, ...(upserted !== undefined && { upserted }) }
}
