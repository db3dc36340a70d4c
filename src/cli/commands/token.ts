import { Command } from 'commander'
import { isoTime } from '../../domain/iso-time.ts'
import { rotateTokenSecret } from '../../operations/rotate-token-secret.ts'
import { dataOption, jsonOption, type OutputOptions, reportDone } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withControl } from '../with-control.ts'

/** `sheaf token …`: works on the data folder itself, beside a running server or without one. */
export function tokenCommand({ env, print }: Terminal): Command {
  const token = new Command('token').description(
    'manage what tokens are signed with; clients make them by POST /create-token/KEY',
  )

  token
    .command('rotate-secret')
    .description('sign new tokens with a new secret; tokens that there are go on until they end')
    .option('--now', 'end every token that there is, at once')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (options: OutputOptions & { now?: boolean }) => {
      const now = options.now === true
      const oldUntil = await withControl({ env, options }, (account) => rotateTokenSecret(account, { now }))
      const text = now
        ? 'Tokens have a new secret, and every older token is void.'
        : `Tokens have a new secret; older tokens are good until they end, at most until ${isoTime(oldUntil)}.`
      reportDone(print, options, { text, json: { rotated: true, oldUntil: isoTime(oldUntil) } })
    })

  return token
}
