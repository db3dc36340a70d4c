import { readId } from '../body/decode-body.ts'
import type { DocumentId } from '../domain/document.ts'
import type { Principal } from '../domain/principal.ts'
import { documentId } from '../json/document-id.ts'
import { parseJson } from '../json/exact.ts'
import { targetIds } from '../json/target-ids.ts'
import { authoriseCollection, authoriseConditions, may } from './authorise.ts'
import type { CollectionInput, ConditionalInput, OperationContext, WriteReturn } from './context.ts'
import { documentNotFound } from './get-document.ts'

export interface DeleteDocumentInput extends CollectionInput, ConditionalInput {
  /** As it stands in the path, decoded; or the very `_id`, as JSON text. */
  readonly id: string | { readonly exact: string }
  readonly returning: WriteReturn
}

/**
 * Deletes one document and answers it as it was. Without `read` it answers the `_id` alone: what the document held is
 * nothing that this request wrote.
 * @throws AppError `document_not_found`, for the app, the names and the `_id` as their readers do, and what the store throws
 */
export async function deleteDocument(
  context: OperationContext,
  principal: Principal,
  input: DeleteDocumentInput,
): Promise<string> {
  const { app, collection } = authoriseCollection(context, principal, input, 'delete')
  const conditional = authoriseConditions(principal, input.conditions)
  const ids = idsOf(context, input.id)
  const text = await context.store.deleteDocument({ app, collection, ids, ...conditional })
  if (text === undefined) throw documentNotFound()
  return input.returning === 'documents' && may(principal, 'read') ? text : readId(context, text)
}

function idsOf({ limits }: OperationContext, id: DeleteDocumentInput['id']): readonly DocumentId[] {
  return typeof id === 'string' ? targetIds(id) : [documentId(parseJson(id.exact, limits))]
}
