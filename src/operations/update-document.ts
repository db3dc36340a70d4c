import type { DocumentId } from '../domain/document.ts'
import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import { documentId } from '../json/document-id.ts'
import type { UpdatedDocument } from '../storage/store.ts'
import type { Update } from '../update/ast.ts'
import { parseUpdate } from '../update/parse.ts'
import { givenId } from '../update/seed.ts'
import { authoriseUpsert, may } from './authorise.ts'
import type { Answer, CollectionInput, OperationContext } from './context.ts'
import { onlyId, parseBody } from './parse-body.ts'
import { targetIds } from './target-ids.ts'

export interface UpdateDocumentInput extends CollectionInput {
  /** As it stands in the path, decoded. */
  readonly id: string
  /** A replacement or modifiers, as JSON in UTF-8. */
  readonly body: Buffer
  readonly answer: Answer
}

/**
 * Updates the one document with that `_id`, or creates it; answers it as it is then, or its `_id` alone where more
 * would be a read that the principal may not do.
 * @throws AppError `immutable_id`, for the app, the names and the body as their readers do, and what the store throws
 */
export async function updateDocument(
  context: OperationContext,
  principal: Principal,
  input: UpdateDocumentInput,
): Promise<UpdatedDocument> {
  const target = authoriseUpsert(context, principal, input)
  const update = parseUpdate(parseBody(input.body, context.limits), context.limits)
  const ids = intendedIds(targetIds(input.id), update)
  const command = { ...target, ids, createId: ids[0], update, now: context.now() }
  const { text, created } = await context.store.updateDocument(command)
  const isShown = input.answer === 'documents' && mayShow(principal, update)
  return { text: isShown ? text : onlyId(text), created }
}

/**
 * A replacement is all that the document holds then, so that answering it tells nothing new. Beside what modifiers
 * write stand fields that others wrote, and the result of `$inc` tells what was there before: to answer those is to
 * read.
 */
function mayShow(principal: Principal, update: Update): boolean {
  return update.kind === 'replace' || may(principal, 'read')
}

type Ids = readonly [DocumentId, ...DocumentId[]]

/**
 * A body that carries `_id` says which of the path's meanings is meant. Whether modifiers may set another one depends
 * on the document, and is the store's to say.
 */
function intendedIds(ids: Ids, update: Update): Ids {
  const given = givenId(update)
  if (given === undefined) return ids
  const id = documentId(given)
  if (ids.includes(id)) return [id]
  if (update.kind === 'modify') return ids
  throw new AppError('immutable_id', 'the _id in the body differs from the one in the path; leave it out')
}
