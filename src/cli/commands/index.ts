import { Command } from 'commander'
import { createIndex } from '../../operations/create-index.ts'
import { describeIndex, describeUsedIndex } from '../../operations/describe-index.ts'
import { dropIndex } from '../../operations/drop-index.ts'
import type { IndexRecord } from '../../operations/list-indexes.ts'
import { listIndexes } from '../../operations/list-indexes.ts'
import { dataOption, jsonOption, type OutputOptions, report, reportDone, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withIndexes } from '../with-control.ts'
import { addSuggest } from './index-suggest.ts'

const FIELDS = 'FIELD[:1|-1][,FIELD…], such as city,age:-1'

/** `sheaf index …`: works on the data folder itself, beside a running server or without one. */
export function indexCommand(terminal: Terminal): Command {
  const index = new Command('index').description('make, list and drop indexes')
  addCreate(index, terminal)
  addList(index, terminal)
  addDrop(index, terminal)
  addSuggest(index, terminal)
  return index
}

function addCreate(index: Command, { env, print, printError }: Terminal): void {
  index
    .command('create')
    .description('make an index, and wait until it can be used')
    .argument('<app>')
    .argument('<collection>')
    .argument('<fields>', FIELDS)
    .option('--unique', 'let no two documents have the same value')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(
      async (
        app: string,
        collection: string,
        fields: string,
        options: OutputOptions & { unique?: boolean },
      ) => {
        const made = await withIndexes({ env, options }, (context) =>
          createIndex(context, {
            app,
            collection,
            fields,
            isUnique: options.unique === true,
            onProgress: ({ builtDocuments, documents }) =>
              printError(`building: ${builtDocuments} of ${documents} documents`),
          }),
        )
        const text = `Index ${made.name} of ${collection} is ready, over ${made.documents} documents.`
        reportDone(print, options, { text, json: describeIndex(made) })
      },
    )
}

function addList(index: Command, { env, print }: Terminal): void {
  index
    .command('list')
    .description('list the indexes of an app, or of one of its collections')
    .argument('<app>')
    .argument('[collection]')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (app: string, collection: string | undefined, options: OutputOptions) => {
      const records = await withIndexes({ env, options }, (context) =>
        listIndexes(context, { app, collection }),
      )
      const head = ['COLLECTION', 'FIELDS', 'UNIQUE', 'MADE', 'STATE', 'BYTES', 'USES', 'LAST USED']
      const rows = records.map((record) => [
        record.collection,
        record.name,
        record.isUnique ? 'yes' : 'no',
        record.isAutomatic ? 'by itself' : 'by hand',
        stateText(record),
        String(record.bytes),
        String(record.uses),
        record.lastUsedAt === undefined ? 'never' : new Date(record.lastUsedAt).toISOString(),
      ])
      report(print, options, { text: table(head, rows), json: records.map(describeUsedIndex) })
    })
}

function addDrop(index: Command, { env, print }: Terminal): void {
  index
    .command('drop')
    .description('drop an index')
    .argument('<app>')
    .argument('<collection>')
    .argument('<fields>', 'as the list has them')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (app: string, collection: string, fields: string, options: OutputOptions) => {
      await withIndexes({ env, options }, (context) => dropIndex(context, { app, collection, fields }))
      reportDone(print, options, {
        text: `Index ${fields} of ${collection} is dropped.`,
        json: { app, collection, fields, dropped: true },
      })
    })
}

function stateText({ state, builtDocuments, documents, problem }: IndexRecord): string {
  if (state === 'building') return `building: ${builtDocuments} of ${documents}`
  return state === 'failed' ? `failed: ${problem?.documents ?? 0} documents are in the way` : state
}
