import { Command } from 'commander'
import { describeSomeRules } from '../../domain/describe-rules.ts'
import { rulesOfStored } from '../../domain/key-rules.ts'
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
      const entries = await withControl({ env, options }, ({ control }) =>
        listAudit(control, { limit: options.limit === undefined ? DEFAULT_LIMIT : limit }),
      )
      const told = entries.map((entry) => ({
        ...entry,
        at: isoTime(entry.at),
        details: detailsOf(entry.details),
      }))
      const rows = told.map(({ at, actor, action, subject, details }) => {
        const shown = JSON.stringify(details)
        return [at, actor, action, subject, shown === '{}' ? '' : shown]
      })
      report(print, options, {
        text: table(['WHEN', 'WHO', 'DID', 'TO', 'DETAILS'], rows),
        json: told,
      })
    })
}

/** What was set, in the words of `key list --json`. */
function detailsOf(text: string): object {
  const { oldUntil, ...stored } = JSON.parse(text) as Record<string, unknown> & { oldUntil?: number }
  const { rules, others } = rulesOfStored(stored)
  return {
    ...others,
    ...describeSomeRules(rules),
    ...(oldUntil !== undefined && { oldUntil: isoTime(oldUntil) }),
  }
}
