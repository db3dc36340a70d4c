import { Command } from 'commander'
import { listSlowQueries } from '../../operations/list-slow-queries.ts'
import { dataOption, jsonOption, type OutputOptions, report, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withIndexes } from '../with-control.ts'

/** `sheaf slow`: the queries of an app that were slow, by their fingerprints. */
export function slowCommand({ env, print }: Terminal): Command {
  return new Command('slow')
    .description('show which queries were slow, by their fingerprint')
    .argument('<app>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (app: string, options: OutputOptions) => {
      const slow = await withIndexes({ env, options }, (context) => listSlowQueries(context, app))
      const head = ['COLLECTION', 'QUERY', 'SLOW', 'OF', 'SLOWEST MS', 'MEAN MS', 'LAST SEEN']
      const rows = slow.map((stats) => [
        stats.collection,
        stats.fingerprint,
        String(stats.slowCount),
        String(stats.count),
        stats.maxMilliseconds.toFixed(0),
        (stats.milliseconds / stats.count).toFixed(0),
        new Date(stats.lastSeenAt).toISOString(),
      ])
      const json = slow.map((stats) => ({
        collection: stats.collection,
        query: stats.fingerprint,
        slow: stats.slowCount,
        count: stats.count,
        slowestMs: Math.round(stats.maxMilliseconds),
        meanMs: Math.round(stats.milliseconds / stats.count),
        lastSeen: new Date(stats.lastSeenAt).toISOString(),
      }))
      report(print, options, { text: table(head, rows), json })
    })
}
