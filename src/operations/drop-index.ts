import { indexName, parseIndexFields } from '../query/index-fields.ts'
import { addressOf, type IndexContext, type IndexedCollection } from './context.ts'

/** @throws AppError `index_not_found`, and as `addressOf` and `parseIndexFields` do */
export async function dropIndex(
  context: IndexContext,
  input: IndexedCollection & { readonly fields: string },
): Promise<void> {
  const name = indexName(parseIndexFields(input.fields, context.limits))
  const address = await addressOf(context, input)
  await context.indexes.dropIndex({ ...address, name })
  await context.indexes.finishIndexes(address.app)
}
