import { Command } from 'commander'
import { describeAuditEntry } from '../../operations/describe-audit-entry.ts'
import { listAudit } from '../../operations/list-audit.ts'
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
      const entries = await withControl({ env, options }, ({ control }) =>
        listAudit(control, { limit: options.limit === undefined ? DEFAULT_LIMIT : limit }),
      )
      const told = entries.map(describeAuditEntry)
      const rows = told.map(({ at, actor, action, subject, appSlug, details }) => {
        const shown = JSON.stringify(details)
        return [at, actor, action, subject, appSlug ?? '', shown === '{}' ? '' : shown]
      })
      report(print, options, {
        text: table(['WHEN', 'WHO', 'DID', 'TO', 'APP', 'DETAILS'], rows),
        json: told,
      })
    })
}
