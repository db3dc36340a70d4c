import { resolve } from 'node:path'
import { Command } from 'commander'
import { damagedSitesText } from '../../domain/damaged-sites-text.ts'
import { AppError } from '../../errors.ts'
import { endCleanly } from '../end-cleanly.ts'
import { dataOption, jsonOption, type OutputOptions, reportDone } from '../output.ts'
import type { Terminal } from '../program.ts'
import type { BackupSource, RestoredKeys } from '../with-control/with-backups.ts'

interface RestoreOptions extends OutputOptions {
  readonly app?: string
  readonly from?: string
}

const WITHOUT_SECRETS =
  'The backup has no secrets: nobody can sign in before "sheaf account reset-password" gave an account a link, second ' +
  'factors are off, tokens that were given out are void, and the next start makes another certificate.'

/** `sheaf restore`: makes a data folder of a backup, or a new app of one that a backup has. */
export function restoreCommand({ env, print, input }: Terminal): Command {
  return new Command('restore')
    .description('make a data folder of a backup, or a new app in one that is there')
    .argument('<file>', 'the backup, or - for standard input')
    .option('--app <slug>', 'make this new app of one in the backup, beside a running server or without one')
    .option('--from <slug>', 'which app of the backup; with --app, where it has several')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (file: string, options: RestoreOptions) => {
      const { app, from } = options
      const source = file === '-' ? (input() as BackupSource) : resolve(file)
      if (app !== undefined) return restoreOne({ env, print }, options, { source, slug: app, from })
      if (from !== undefined)
        throw new AppError('invalid_request', '--from goes with --app: what should the new app be called?')
      const { restoreAll } = await import('../with-control/with-backups.ts')
      const {
        dataDir,
        hasCertificate: _,
        ...restored
      } = await endCleanly(() => restoreAll({ env, options }, source))
      const { apps, documents, madeAt, hasSecrets, damagedSites } = restored
      const problem = damagedSitesText(damagedSites)
      const text =
        `${dataDir} has ${apps} ${apps === 1 ? 'app' : 'apps'} with ${documents} ` +
        `${documents === 1 ? 'document' : 'documents'}, as they were at ${madeAt}.`
      reportDone(print, options, {
        text: [
          text,
          ...(hasSecrets ? [] : [WITHOUT_SECRETS]),
          ...(problem === undefined ? [] : [`Warning: ${problem}.`]),
        ].join('\n'),
        json: { data: dataDir, apps, documents, madeAt, secrets: hasSecrets, damagedSites },
      })
    })
}

async function restoreOne(
  { env, print }: Pick<Terminal, 'env' | 'print'>,
  options: RestoreOptions,
  wanted: { source: BackupSource; slug: string; from: string | undefined },
): Promise<void> {
  const { restoreApp } = await import('../with-control/with-backups.ts')
  const { app, keys, read } = await endCleanly(() => restoreApp({ env, options }, wanted))
  const { documents } = read
  const text = `App ${app.slug} is made, with ${documents} ${documents === 1 ? 'document' : 'documents'}.`
  reportDone(print, options, {
    text: [text, ...keyLines(keys)].join('\n'),
    json: { slug: app.slug, documents, collections: read.collections, keys },
  })
}

function keyLines({ made, renamed, leftOut }: RestoredKeys): string[] {
  const lines: string[] = []
  if (made.length > 0) lines.push(`Keys that work as they did: ${made.join(', ')}.`)
  for (const { from, to } of renamed) lines.push(`The key ${from} is called ${to} here.`)
  if (leftOut.length > 0) lines.push(`Keys that are here already, for other apps: ${leftOut.join(', ')}.`)
  return lines
}
