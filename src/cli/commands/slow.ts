import { Command } from 'commander'
import { slowShapes } from '../../operations/suggest-indexes.ts'
import { dataOption, jsonOption, type OutputOptions, report, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withIndexes } from '../with-control.ts'

/** `sheaf slow`: the shapes of an app's queries that were slow. */
export function slowCommand({ env, print }: Terminal): Command {
  return new Command('slow')
    .description('show which queries were slow, by their shape')
    .argument('<app>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (app: string, options: OutputOptions) => {
      const shapes = await withIndexes({ env, options }, (context) => slowShapes(context, app))
      const head = ['COLLECTION', 'QUERY', 'SLOW', 'OF', 'SLOWEST MS', 'MEAN MS', 'LAST SEEN']
      const rows = shapes.map((shape) => [
        shape.collection,
        shape.shape,
        String(shape.slowCount),
        String(shape.count),
        shape.maxMilliseconds.toFixed(0),
        (shape.milliseconds / shape.count).toFixed(0),
        new Date(shape.lastSeenAt).toISOString(),
      ])
      const json = shapes.map((shape) => ({
        collection: shape.collection,
        query: shape.shape,
        slow: shape.slowCount,
        count: shape.count,
        slowestMs: Math.round(shape.maxMilliseconds),
        meanMs: Math.round(shape.milliseconds / shape.count),
        lastSeen: new Date(shape.lastSeenAt).toISOString(),
      }))
      report(print, options, { text: table(head, rows), json })
    })
}
