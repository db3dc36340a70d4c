import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { damagedSitesText } from '../../domain/damaged-sites-text.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { endCleanly } from '../end-cleanly.ts'
import { dataOption, jsonOption, type OutputOptions, reportDone } from '../output.ts'
import type { Terminal } from '../program.ts'
import type { MadeBackup } from '../with-control/with-backups.ts'

interface BackupOptions extends OutputOptions {
  readonly app?: string
  readonly secrets: boolean
}

const STANDARD_STREAM = '-'

const WITH_SECRETS =
  'It has what accounts sign in by, what tokens are signed with, and the private key of the certificate: keep it as safe as ' +
  'the server itself.'
const WITHOUT_SECRETS =
  'It has no passwords, second factors, sessions, tokens or certificate: after a restore each account needs a new password ' +
  '("sheaf account reset-password"); API keys go on.'
const OF_AN_APP = 'It has the documents, the indexes and the hashes of the keys that name the app.'

/** `sheaf backup`: one file that `sheaf restore` takes, made beside a running server or without one. */
export function backupCommand({ env, print, printError }: Terminal): Command {
  return new Command('backup')
    .description('make a backup of everything, or of one app, and read it back')
    .argument(
      '<file>',
      'where it is written, or - for standard output; a file that is there is replaced by a good one',
    )
    .option('--app <slug>', 'only this app')
    .option('--no-secrets', 'without what accounts sign in by, what signs tokens, and the certificate')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (file: string, options: BackupOptions) => {
      const { backUp } = await import('../with-control/with-backups.ts')
      const { app, secrets: hasSecrets } = options
      const isPrinted = file === STANDARD_STREAM
      const wanted = { file: isPrinted ? undefined : resolve(file), app, hasSecrets }
      const take = async (made: MadeBackup): Promise<void> => {
        if (!isPrinted) return reportDone(print, options, result(made, { app, hasSecrets }))
        for await (const chunk of createReadStream(made.path)) print(chunk as Uint8Array)
        if (app === undefined && hasSecrets) printError(WITH_SECRETS)
        const problem = damagedSitesText(made.damagedSites)
        if (problem !== undefined) printError(`Warning: ${problem}.`)
      }
      await endCleanly(() => backUp({ env, options }, wanted, take))
    })
}

function result(
  { path, bytes, apps, madeAt, damagedSites }: MadeBackup,
  { app, hasSecrets }: { app: string | undefined; hasSecrets: boolean },
) {
  const what = app === undefined ? `${apps} ${apps === 1 ? 'app' : 'apps'}` : `the app ${app}`
  const meaning = app !== undefined ? OF_AN_APP : hasSecrets ? WITH_SECRETS : WITHOUT_SECRETS
  const problem = damagedSitesText(damagedSites)
  const text = `${path} is a backup of ${what}, ${bytes} bytes long, and was read back.\n${meaning}`
  return {
    text: problem === undefined ? text : `${text}\nWarning: ${problem}.`,
    json: {
      ...{ file: path, bytes, apps, madeAt: isoTime(madeAt), secrets: app === undefined && hasSecrets },
      damagedSites,
    },
  }
}
