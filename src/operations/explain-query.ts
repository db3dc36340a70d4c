import { AppError } from '../errors.ts'
import { readFilter, readSort } from '../query/read-query.ts'
import type { Explanation } from '../storage/index-store.ts'
import { addressOf, type IndexContext, type IndexedCollection } from './context.ts'

export type { Explanation } from '../storage/index-store.ts'

export interface ExplainQueryInput extends IndexedCollection {
  readonly q: string
  readonly s: string | undefined
  readonly limit: number
}

/** Carries a query out and tells how. @throws AppError as the query's readers and the store do */
export async function explainQuery(context: IndexContext, input: ExplainQueryInput): Promise<Explanation> {
  if (!Number.isInteger(input.limit) || input.limit < 1)
    throw new AppError('invalid_parameter', 'the limit must be a whole number from 1')
  const filter = readFilter(input.q, context.limits)
  const sort = readSort(input.s, context.limits)
  const address = await addressOf(context, input)
  return context.indexes.explain({ ...address, filter, sort, skip: 0, limit: input.limit })
}
