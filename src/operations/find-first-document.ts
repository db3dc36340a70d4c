import type { Principal } from '../domain/principal.ts'
import type { JsonText } from '../storage/store.ts'
import type { OperationContext } from './context.ts'
import type { FindDocumentsInput } from './find-documents.ts'
import { findDocuments } from './find-documents.ts'

/**
 * The JSON of the first document that matches, or `null`.
 * @throws AppError as `findDocuments` does
 */
export async function findFirstDocument(
  context: OperationContext,
  principal: Principal,
  input: Omit<FindDocumentsInput, 'limit'>,
): Promise<JsonText> {
  const result = await findDocuments(context, principal, { ...input, limit: 1 })
  const array = result.rest === undefined ? result.first : await wholeOf(result.first, result.rest)
  if (array === '[]') return 'null'
  return typeof array === 'string' ? array.slice(1, -1) : array.subarray(1, -1)
}

async function wholeOf(first: string, rest: AsyncIterable<string>): Promise<string> {
  let whole = first
  for await (const chunk of rest) whole += chunk
  return whole
}
