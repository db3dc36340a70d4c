import { readId } from '../body/decode-body.ts'
import type { Principal } from '../domain/principal.ts'
import { targetIds } from '../json/target-ids.ts'
import { authoriseCollection, authoriseConditions, may } from './authorise.ts'
import type { CollectionInput, ConditionalInput, OperationContext, WriteReturn } from './context.ts'
import { documentNotFound } from './get-document.ts'

export interface DeleteDocumentInput extends CollectionInput, ConditionalInput {
  /** As it stands in the path, decoded. */
  readonly id: string
  readonly returning: WriteReturn
}

/**
 * Deletes one document and answers it as it was. Without `read` it answers the `_id` alone: what the document held is
 * nothing that this request wrote.
 * @throws AppError `document_not_found`, for the app and the names as their readers do, and what the store throws
 */
export async function deleteDocument(
  context: OperationContext,
  principal: Principal,
  input: DeleteDocumentInput,
): Promise<string> {
  const { app, collection } = authoriseCollection(context, principal, input, 'delete')
  const conditional = authoriseConditions(principal, input.conditions)
  const ids = targetIds(input.id)
  const text = await context.store.deleteDocument({ app, collection, ids, ...conditional })
  if (text === undefined) throw documentNotFound()
  return input.returning === 'documents' && may(principal, 'read') ? text : readId(context, text)
}
