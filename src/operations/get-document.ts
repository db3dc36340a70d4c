import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import { targetIds } from '../json/target-ids.ts'
import { readProjection } from '../query/read-query.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'

export interface GetDocumentInput extends CollectionInput {
  /** As it stands in the path, decoded. */
  readonly id: string
  /** JSON text of the projection. */
  readonly f: string | undefined
}

/**
 * One document's JSON text, at once where the store has it at hand.
 * @throws AppError `document_not_found`, and for the app, the names and the projection as their readers do
 */
export function getDocument(
  context: OperationContext,
  principal: Principal,
  input: GetDocumentInput,
): string | Promise<string> {
  const { app, collection } = authoriseCollection(context, principal, input, 'read')
  const ids = targetIds(input.id)
  const projection = readProjection(input.f, context.limits)
  const text = context.store.getDocument({ app, collection, ids, ...projection })
  return text instanceof Promise ? text.then(found) : found(text)
}

function found(text: string | undefined): string {
  if (text === undefined) throw documentNotFound()
  return text
}

export function documentNotFound(): AppError {
  return new AppError('document_not_found', 'there is no document with this _id in this collection')
}
