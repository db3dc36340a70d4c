import { Command } from 'commander'
import { listAudit } from '../../operations/list-audit.ts'
import { isoTime } from '../key-output.ts'
import { dataOption, jsonOption, type OutputOptions, report, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withControl } from '../with-control.ts'

const DEFAULT_LIMIT = 100

/** `sheaf audit`: who changed accounts, what and when. */
export function auditCommand({ env, print }: Terminal): Command {
  return new Command('audit')
    .description('show who made, changed, rotated and revoked what, the newest first')
    .option('--limit <number>', `how many lines at most (${DEFAULT_LIMIT})`)
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (options: OutputOptions & { limit?: string }) => {
      const limit = /^\d{1,9}$/.test(options.limit ?? '') ? Number(options.limit) : Number.NaN
      const entries = await withControl({ env, options, folder: 'require' }, ({ control }) =>
        listAudit(control, { limit: options.limit === undefined ? DEFAULT_LIMIT : limit }),
      )
      const rows = entries.map(({ at, actor, action, subject, details }) => [
        isoTime(at),
        actor,
        action,
        subject,
        details === '{}' ? '' : details,
      ])
      report(print, options, {
        text: table(['WHEN', 'WHO', 'DID', 'TO', 'DETAILS'], rows),
        json: entries.map((entry) => ({
          ...entry,
          at: isoTime(entry.at),
          details: JSON.parse(entry.details) as unknown,
        })),
      })
    })
}
