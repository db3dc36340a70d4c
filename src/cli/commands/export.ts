import { Command } from 'commander'
import { dataOption, type OutputOptions } from '../output.ts'
import type { Terminal } from '../program.ts'
import { queryText } from '../query-text.ts'
import { bytesOf } from '../server-connection.ts'
import { lineSafe } from '../terminal-safe.ts'

interface ExportOptions extends OutputOptions {
  readonly format?: string
  readonly q?: string
  readonly s?: string
  readonly f?: string
  readonly columns?: string
  readonly guard?: true
}

/** `sheaf export`: the documents of a collection to standard output, by the server where one runs. */
export function exportCommand({ env, write, printError }: Terminal): Command {
  return new Command('export')
    .description('print the documents of a collection, all of them or those that a query finds')
    .argument('<app>')
    .argument('<collection>')
    .option('--format <format>', 'ndjson (each document on a line), json or csv (ndjson)')
    .option('--q <json>', 'which documents, as in q')
    .option('--s <json>', 'in which order, as in s; else the natural one')
    .option('--f <json>', 'which of their fields, as in f')
    .option('--columns <json>', 'of csv: the fields that have a column, such as ["_id","name"]; else all')
    .option('--guard', 'of csv: put an apostrophe before texts that a spreadsheet would take for formulas')
    .addOption(dataOption())
    .action(async (app: string, collection: string, options: ExportOptions) => {
      const { format = 'ndjson', q, s, f, columns, guard } = options
      const given = { format, q, s, f, columns, guard: guard && 'true' }
      const collections = `/_/api/apps/${encodeURIComponent(app)}/collections`
      const path = `${collections}/${encodeURIComponent(collection)}/export`
      const { withServer } = await import('../with-server.ts')
      await withServer({ env, options }, async (server) => {
        const names = (await server.json({ method: 'GET', path: collections })) as readonly string[]
        const answer = await server.request({ method: 'GET', path: `${path}?${queryText(given)}` })
        for await (const bytes of bytesOf(answer)) await write(bytes)
        if (!names.includes(collection))
          printError(
            lineSafe(
              `sheaf: there is no collection ${collection} in app ${app}: there was nothing to export`,
            ),
          )
      })
    })
}
