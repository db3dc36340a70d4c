import { Command } from 'commander'
import { type Explanation, explainQuery } from '../../operations/explain-query.ts'
import { DEFAULT_LIMIT } from '../../operations/find-documents.ts'
import { dataOption, jsonOption, type OutputOptions, report } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withIndexes } from '../with-control.ts'

interface ExplainOptions extends OutputOptions {
  readonly sort?: string
  readonly limit?: string
}

/** `sheaf explain …`: how a query is carried out, on the data folder itself. */
export function explainCommand({ env, print }: Terminal): Command {
  return new Command('explain')
    .description('carry a query out, and tell how')
    .argument('<app>')
    .argument('<collection>')
    .argument('<query>', 'JSON, as in q')
    .option('--sort <json>', 'JSON, as in s')
    .option('--limit <number>', `as in l (${DEFAULT_LIMIT})`)
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (app: string, collection: string, q: string, options: ExplainOptions) => {
      const limit = /^\d{1,9}$/.test(options.limit ?? '') ? Number(options.limit) : Number.NaN
      const explanation = await withIndexes({ env, options }, (context) =>
        explainQuery(context, {
          app,
          collection,
          q,
          s: options.sort,
          limit: options.limit === undefined ? DEFAULT_LIMIT : limit,
        }),
      )
      report(print, options, { text: textOf(explanation), json: jsonOf(explanation) })
    })
}

const PLANS = {
  id: 'by the index on _id',
  count: 'by the count that is kept',
  index: 'by the index',
  scan: 'by a scan of the collection',
} as const

function textOf({ plan, returned, milliseconds, isWhole }: Explanation): string {
  const how = plan.index === undefined ? PLANS[plan.kind] : `${PLANS[plan.kind]} ${plan.index}`
  const part = isWhole ? '' : ' (the first piece of a longer answer)'
  return `${how}: ${plan.examined} looked at, ${returned} found, ${milliseconds.toFixed(1)} ms${part}`
}

function jsonOf({ plan, returned, milliseconds, isWhole }: Explanation): object {
  return { ...plan, returned, milliseconds: Number(milliseconds.toFixed(3)), whole: isWhole }
}
