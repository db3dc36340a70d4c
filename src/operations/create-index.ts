import { AppError } from '../errors.ts'
import { indexName, parseIndexFields } from '../query/index-fields.ts'
import type { IndexCommand, IndexProblem, IndexRecord } from '../storage/index-store.ts'
import { addressOf, type IndexContext, type IndexedCollection } from './context.ts'

export interface CreateIndexInput extends IndexedCollection {
  /** As `parseIndexFields` reads them. */
  readonly fields: string
  readonly isUnique: boolean
  /** Told now and then how far the index is. */
  readonly onProgress?: (index: IndexRecord) => void
}

/** Time between two reports of progress. */
const REPORT_MS = 1000

/**
 * Makes an index and waits until it can be used. Reads and writes go on meanwhile; where this is killed, the next
 * start of the server, or the next index that is made, goes on with it.
 * @throws AppError `unique_violation` where documents have the same value, and as `addressOf`, `parseIndexFields` and
 * the store do
 */
export async function createIndex(context: IndexContext, input: CreateIndexInput): Promise<IndexRecord> {
  const fields = parseIndexFields(input.fields, context.limits)
  const address = await addressOf(context, input)
  const name = indexName(fields)
  const find = async (): Promise<IndexRecord | undefined> =>
    (await context.indexes.listIndexes(address.app)).find(
      (index) => index.collection === address.collection && index.name === name,
    )
  const before = await find()
  const command = { ...address, name, fields, now: context.now() }
  await context.indexes.createIndex({ ...command, isUnique: input.isUnique, isAutomatic: false })
  let reported = context.now()
  await context.indexes.finishIndexes(address.app, async () => {
    if (input.onProgress === undefined || context.now() - reported < REPORT_MS) return
    reported = context.now()
    const index = await find()
    if (index !== undefined) input.onProgress(index)
  })
  const made = await find()
  if (made === undefined) throw new AppError('index_not_found', 'the index was dropped while it was made')
  if (made.state === 'failed') throw await failed(context, command, { made, before })
  return made
}

/**
 * What can't be unique is given up again, so that nothing has to be cleared away by hand. An automatic index that it
 * was made in the place of is made again.
 */
async function failed(
  { indexes }: IndexContext,
  command: Omit<IndexCommand, 'isUnique' | 'isAutomatic'>,
  { made, before }: { made: IndexRecord; before: IndexRecord | undefined },
): Promise<AppError> {
  await indexes.dropIndex(command)
  if (before?.isAutomatic) await indexes.createIndex({ ...command, isUnique: false, isAutomatic: true })
  await indexes.finishIndexes(command.app)
  const { problem = { documents: 0, examples: [] } } = made
  return new AppError('unique_violation', `the index can't be unique: ${problemText(problem)}`)
}

function problemText({ documents, examples }: IndexProblem): string {
  const which = examples.map(({ value, ids }) => `${value} in ${ids.join(' and ')}`).join('; ')
  const [are, each] = documents === 1 ? ['document is', 'it has'] : ['documents are', 'each has']
  return `${documents} ${are} in the way: ${each} a value that one before it has, or too many values (${which}${documents > examples.length ? '; …' : ''})`
}
