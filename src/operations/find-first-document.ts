import type { Principal } from '../domain/principal.ts'
import type { OperationContext } from './context.ts'
import type { FindDocumentsInput } from './find-documents.ts'
import { findDocuments } from './find-documents.ts'

/**
 * The JSON text of the first document that matches, or `null`.
 * @throws AppError as `findDocuments` does
 */
export async function findFirstDocument(
  context: OperationContext,
  principal: Principal,
  input: Omit<FindDocumentsInput, 'limit'>,
): Promise<string> {
  const { first, rest } = await findDocuments(context, principal, { ...input, limit: 1 })
  let array = first
  if (rest !== undefined) for await (const piece of rest) array += piece
  return array === '[]' ? 'null' : array.slice(1, -1)
}
