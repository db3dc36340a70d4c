import type { Command } from 'commander'
import { suggestIndexes } from '../../operations/suggest-indexes.ts'
import { dataOption, jsonOption, type OutputOptions, report, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withIndexes } from '../with-control.ts'

/** `sheaf index suggest`: the queries of an app by their fingerprints, what they cost, and what was or would be done about it. */
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
      const rows = found.map(({ stats, index: name, verdict }) => [
        stats.collection,
        stats.fingerprint,
        String(stats.count),
        String(stats.examined),
        String(stats.returned),
        stats.milliseconds.toFixed(0),
        name ?? 'none',
        verdict,
      ])
      const json = found.map(({ stats, index: name, verdict }) => ({
        collection: stats.collection,
        query: stats.fingerprint,
        count: stats.count,
        examined: stats.examined,
        returned: stats.returned,
        milliseconds: Math.round(stats.milliseconds),
        index: name ?? null,
        verdict,
      }))
      report(print, options, { text: table(head, rows), json })
    })
}
