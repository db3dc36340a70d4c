import { Command } from 'commander'
import { isoTime } from '../../domain/iso-time.ts'
import { TOKEN_PERMISSIONS } from '../../domain/token-permissions.ts'
import { createAccountToken } from '../../operations/create-account-token.ts'
import type { CreatedToken } from '../../operations/create-token.ts'
import { deleteAccountToken } from '../../operations/delete-account-token.ts'
import { findAccount } from '../../operations/find-account.ts'
import { dataOption, jsonOption, type OutputOptions, report, reportDone, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withAccounts } from '../with-control.ts'

const DEFAULT_EXPIRY = '90d'

/** `sheaf account token …` */
export function accountTokenCommand(terminal: Terminal): Command {
  return new Command('token')
    .description('make, list and end tokens, by which programs act for an account')
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(revokeCommand(terminal))
}

interface CreateOptions extends OutputOptions {
  readonly name?: string
  readonly permission?: string
  readonly expires: string
}

function createCommand({ env, print }: Terminal): Command {
  return new Command('create')
    .description('make a token; it is printed this once and can not be shown again')
    .argument('<email>')
    .option('--name <name>', 'what to call it (required)')
    .option(
      '--permission <permissions>',
      `what it may do (required): some of ${TOKEN_PERMISSIONS.join(',')} with commas between`,
    )
    .option('--expires <when>', `when it ends: 30d, 12h, 90m, 2s from now, 2027-01-31 (${DEFAULT_EXPIRY})`)
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (email: string, options: CreateOptions, command: Command) => {
      const name = options.name ?? command.error("required option '--name <name>' not specified")
      const written =
        options.permission ?? command.error("required option '--permission <permissions>' not specified")
      const permissions = written.split(',').map((word) => word.trim())
      const { expires = DEFAULT_EXPIRY } = options
      const { record, token } = await withAccounts({ env, options }, (context, caller) =>
        createAccountToken(context, caller, { account: email, name, permissions, expires }),
      )
      reportDone(print, options, { text: token, json: { token, ...tokenJson(record) } })
    })
}

function listCommand({ env, print }: Terminal): Command {
  return new Command('list')
    .description('list the tokens of an account by name; the tokens themselves are stored nowhere')
    .argument('<email>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (email: string, options: OutputOptions) => {
      const { tokens, now } = await withAccounts({ env, options }, async (context) => {
        const { id } = await findAccount(context, email)
        return { tokens: await context.accounts.listTokens(id), now: context.now() }
      })
      const rows = tokens.map(({ name, permissions, expiresAt, createdAt, lastUsedAt }) => [
        name,
        permissions.join(','),
        `${expiresAt <= now ? 'ended ' : ''}${isoTime(expiresAt)}`,
        isoTime(createdAt),
        lastUsedAt === null ? 'never' : isoTime(lastUsedAt),
      ])
      report(print, options, {
        text: table(['NAME', 'PERMISSIONS', 'ENDS', 'CREATED', 'LAST USED'], rows),
        json: tokens.map(tokenJson),
      })
    })
}

function revokeCommand({ env, print }: Terminal): Command {
  return new Command('revoke')
    .description('end a token of an account')
    .argument('<email>')
    .argument('<name>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (email: string, name: string, options: OutputOptions) => {
      await withAccounts({ env, options }, (context, caller) =>
        deleteAccountToken(context, caller, { account: email, name }),
      )
      reportDone(print, options, { text: `Token ${name} is revoked.`, json: { name, revoked: true } })
    })
}

function tokenJson({
  id,
  name,
  permissions,
  expiresAt,
  createdAt,
  lastUsedAt,
}: CreatedToken['record']): object {
  return {
    ...{ id, name, permissions },
    expires: isoTime(expiresAt),
    createdAt: isoTime(createdAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
