import { type ParsedUpdate, readId, readUpdate } from '../body/decode-body.ts'
import { bodyBytes } from '../body/request-body.ts'
import type { DocumentId } from '../domain/document.ts'
import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import { equalValues } from '../json/compare.ts'
import { idValue } from '../json/document-id.ts'
import { targetIds } from '../json/target-ids.ts'
import type { UpdatedDocument } from '../storage/store.ts'
import { authoriseConditions, authoriseUpsert, may } from './authorise.ts'
import type { Body, CollectionInput, ConditionalInput, OperationContext, WriteReturn } from './context.ts'

export interface UpdateDocumentInput extends CollectionInput, ConditionalInput {
  /** As it stands in the path, decoded. */
  readonly id: string
  /** A replacement or modifiers, as JSON in UTF-8. */
  readonly body: Body
  readonly returning: WriteReturn
}

export interface UpdateDocumentResult extends UpdatedDocument {
  /** Whether `text` is the whole document. */
  readonly isWhole: boolean
}

/**
 * Updates the one document with that `_id`, or creates it; answers it as it is then, or its `_id` alone where more
 * would be a read that the principal may not do.
 * @throws AppError `quota_exceeded`, `immutable_id`, for the app, the names and the body as their readers do, and what the store throws
 */
export async function updateDocument(
  context: OperationContext,
  principal: Principal,
  input: UpdateDocumentInput,
): Promise<UpdateDocumentResult> {
  const target = authoriseUpsert(context, principal, input)
  const conditional = authoriseConditions(principal, input.conditions)
  const { body, text, created } = await context.withRoom(principal, bodyBytes(input.body), async () => {
    const read = await readUpdate(context, input.body)
    const ids = targetIds(input.id)
    const updated = await context.store.updateDocument({
      ...target,
      ...conditional,
      ids,
      createId: createId(ids, read),
      update: read.update,
      now: context.now(),
    })
    return { body: read, ...updated }
  })
  const isWhole = input.returning === 'documents' && mayShow(principal, body)
  return { text: isWhole ? text : await readId(context, text), created, isWhole }
}

/**
 * A replacement is all that the document holds then, so that answering it tells nothing new. Beside what modifiers
 * write stand fields that others wrote, and the result of `$inc` tells what was there before: to answer those is to
 * read.
 */
function mayShow(principal: Principal, { kind }: ParsedUpdate): boolean {
  return kind === 'replace' || may(principal, 'read')
}

/**
 * The id that a new document gets: the path's text, or the number that it spells where the body carries that. Whether
 * the body's `_id` is the one of a document that exists is the store's to say.
 */
function createId(
  ids: readonly [string, ...DocumentId[]],
  { kind, givenId: given }: ParsedUpdate,
): DocumentId {
  if (given === undefined) return ids[0]
  const meant = ids.find((id) => equalValues(idValue(id), given))
  if (meant === undefined && kind === 'replace')
    throw new AppError('immutable_id', 'the _id in the body differs from the one in the path; leave it out')
  return meant ?? ids[0]
}
