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
  const { first, rest } = await findDocuments(context, principal, { ...input, limit: 1 })
  const array = rest === undefined ? first : await wholeOf(first, rest)
  if (array === '[]') return 'null'
  return typeof array === 'string' ? array.slice(1, -1) : array.subarray(1, -1)
}

async function wholeOf(first: JsonText, rest: AsyncIterable<JsonText>): Promise<JsonText> {
  const parts = [bytesOf(first)]
  for await (const piece of rest) parts.push(bytesOf(piece))
  return Buffer.concat(parts)
}

function bytesOf(text: JsonText): Uint8Array {
  return typeof text === 'string' ? Buffer.from(text) : text
}
