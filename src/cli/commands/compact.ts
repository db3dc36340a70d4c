import { Command } from 'commander'
import { endCleanly } from '../end-cleanly.ts'
import { dataOption, jsonOption, type OutputOptions, reportDone } from '../output.ts'
import type { Terminal } from '../program.ts'

/** `sheaf compact`: gives back to the disk what the file of an app has free, while no server runs. */
export function compactCommand({ env, print }: Terminal): Command {
  return new Command('compact')
    .description('give back to the disk what the file of an app has free; stop the server first')
    .argument('<app>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (app: string, options: OutputOptions) => {
      const { compact } = await import('../with-control/with-compaction.ts')
      const { bytesBefore, bytesAfter } = await endCleanly(() => compact({ env, options }, app))
      const text = `The file of ${app} has ${bytesAfter} bytes, ${Math.max(0, bytesBefore - bytesAfter)} fewer than before.`
      reportDone(print, options, { text, json: { app, bytesBefore, bytesAfter } })
    })
}
