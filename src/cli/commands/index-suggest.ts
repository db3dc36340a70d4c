import type { Command } from 'commander'
import { suggestIndexes } from '../../operations/suggest-indexes.ts'
import { dataOption, jsonOption, type OutputOptions, report, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withIndexes } from '../with-control.ts'

/** `sheaf index suggest`: the shapes of an app's queries, what they cost, and what was or would be done about it. */
export function addSuggest(index: Command, { env, print }: Terminal): void {
  index
    .command('suggest')
    .description('show what queries cost, which index would serve them, and what was done')
    .argument('<app>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (app: string, options: OutputOptions) => {
      const found = await withIndexes({ env, options }, (context) => suggestIndexes(context, app))
      const head = ['COLLECTION', 'QUERY', 'COUNT', 'EXAMINED', 'RETURNED', 'MS', 'INDEX', 'VERDICT']
      const rows = found.map(({ cost, index: name, verdict }) => [
        cost.collection,
        cost.shape,
        String(cost.count),
        String(cost.examined),
        String(cost.returned),
        cost.milliseconds.toFixed(0),
        name ?? 'none',
        verdict,
      ])
      const json = found.map(({ cost, index: name, verdict }) => ({
        collection: cost.collection,
        query: cost.shape,
        count: cost.count,
        examined: cost.examined,
        returned: cost.returned,
        milliseconds: Math.round(cost.milliseconds),
        index: name ?? null,
        verdict,
      }))
      report(print, options, { text: table(head, rows), json })
    })
}
