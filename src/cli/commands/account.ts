import { Command, Option } from 'commander'
import { isoTime } from '../../domain/iso-time.ts'
import { AppError } from '../../errors.ts'
import { createAccount } from '../../operations/create-account.ts'
import { createInvitation } from '../../operations/create-invitation.ts'
import { createPasswordReset } from '../../operations/create-password-reset.ts'
import { createSetupLink } from '../../operations/create-setup-link.ts'
import { deleteAccount } from '../../operations/delete-account.ts'
import { type DeletionDescription, describeDeletion } from '../../operations/describe-deletion.ts'
import { disableAccountTotp } from '../../operations/disable-account-totp.ts'
import { findAccount } from '../../operations/find-account.ts'
import { listAccounts } from '../../operations/list-accounts.ts'
import { setAccountPassword } from '../../operations/set-account-password.ts'
import { setupLinkText } from '../greeting.ts'
import { type LinkOptions, linkOptions, originFrom } from '../link-options.ts'
import { dataOption, jsonOption, type OutputOptions, report, reportDone, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { readPassword } from '../read-secret.ts'
import { withAccounts } from '../with-control.ts'
import { accountQuotaCommand } from './account-quota.ts'
import { accountTokenCommand } from './account-token.ts'

/** `sheaf account …`: works on the data folder itself, beside a running server or without one. */
export function accountCommand(terminal: Terminal): Command {
  return new Command('account')
    .description('make, list and help accounts, which apps and keys belong to')
    .addCommand(setupLinkCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(createCommand(terminal))
    .addCommand(resetPasswordCommand(terminal))
    .addCommand(disableTotpCommand(terminal))
    .addCommand(accountTokenCommand(terminal))
    .addCommand(accountQuotaCommand(terminal))
    .addCommand(deleteCommand(terminal))
}

function setupLinkCommand({ env, print }: Terminal): Command {
  return withOptions(
    new Command('setup-link').description(
      'make a link by which the first account is made; the one before it ends, as that of a start',
    ),
    linkOptions(),
  ).action(async (options: OutputOptions & LinkOptions) => {
    const origin = originFrom(env, options)
    const { link, until } = await withAccounts({ env, options }, (context, caller) =>
      createSetupLink({ ...context, origin }, caller),
    )
    reportDone(print, options, { text: setupLinkText(link), json: { link, until: isoTime(until) } })
  })
}

function listCommand({ env, print }: Terminal): Command {
  return withOptions(new Command('list').description('list the accounts by their e-mail')).action(
    async (options: OutputOptions) => {
      const accounts = await withAccounts({ env, options }, listAccounts)
      const rows = accounts.map(({ email, name, isOperator, hasTotp, createdAt }) => [
        email,
        name,
        isOperator ? 'yes' : 'no',
        hasTotp ? 'yes' : 'no',
        isoTime(createdAt),
      ])
      report(print, options, {
        text: table(['EMAIL', 'NAME', 'OPERATOR', 'SECOND FACTOR', 'CREATED'], rows),
        json: accounts.map(accountJson),
      })
    },
  )
}

interface CreateOptions extends OutputOptions, LinkOptions {
  readonly name?: string
  readonly operator?: true
  readonly passwordStdin?: true
}

function createCommand({ env, print, printError, input }: Terminal): Command {
  return withOptions(
    new Command('create')
      .description('print a link by which the account of an address is made, or make it at once')
      .argument('<email>')
      .option('--operator', 'one that sees the server itself, and owns what the command line makes')
      .option('--name <name>', 'what it is called; whoever uses the link says so otherwise')
      .addOption(passwordOption('make it at once, with the password that')),
    linkOptions(),
  ).action(async (email: string, options: CreateOptions, command: Command) => {
    const { name, operator: isOperator = false } = options
    if (options.passwordStdin === undefined) {
      if (name !== undefined) command.error('--name goes with --password-stdin; a link asks for it')
      const origin = originFrom(env, options)
      const { link, until } = await withAccounts({ env, options }, (context, caller) =>
        createInvitation({ ...context, origin }, caller, { email, isOperator }),
      )
      const what = isOperator ? "an operator's account for" : 'an account for'
      const text = `Whoever has this link makes ${what} ${email} within 7 days:\n  ${link}`
      return reportDone(print, options, { text, json: { email, isOperator, link, until: isoTime(until) } })
    }
    if (name === undefined) return command.error("required option '--name <name>' not specified")
    const password = await readPassword({ input, printError })
    const made = await withAccounts({ env, options }, (context, caller) =>
      createAccount(context, caller, { email, name, password, isOperator }),
    )
    reportDone(print, options, { text: `Account ${made.email} is made.`, json: accountJson(made) })
  })
}

function resetPasswordCommand({ env, print, printError, input }: Terminal): Command {
  return withOptions(
    new Command('reset-password')
      .description('print a link by which an account gets another password, or give it one at once')
      .argument('<email>')
      .addOption(passwordOption('give it at once the password that')),
    linkOptions(),
  ).action(async (email: string, options: OutputOptions & LinkOptions & { passwordStdin?: true }) => {
    if (options.passwordStdin === undefined) {
      const origin = originFrom(env, options)
      const { link, until } = await withAccounts({ env, options }, (context, caller) =>
        createPasswordReset({ ...context, origin }, caller, { account: email }),
      )
      const text = `Whoever has this link gives ${email} another password within 24 hours:\n  ${link}`
      return reportDone(print, options, { text, json: { email, link, until: isoTime(until) } })
    }
    const password = await readPassword({ input, printError })
    const changed = await withAccounts({ env, options }, (context, caller) =>
      setAccountPassword(context, caller, { account: email, password }),
    )
    reportDone(print, options, {
      text: `Account ${changed.email} has another password, and its sessions are ended.`,
      json: accountJson(changed),
    })
  })
}

function disableTotpCommand({ env, print }: Terminal): Command {
  return withOptions(
    new Command('disable-totp')
      .description('take the second factor of an account away, for who has lost it, and end its sessions')
      .argument('<email>'),
  ).action(async (email: string, options: OutputOptions) => {
    const account = await withAccounts({ env, options }, (context, caller) =>
      disableAccountTotp(context, caller, { account: email }),
    )
    reportDone(print, options, {
      text: `Account ${account.email} has no second factor, and its sessions are ended.`,
      json: accountJson(account),
    })
  })
}

function deleteCommand({ env, print }: Terminal): Command {
  return withOptions(
    new Command('delete')
      .description('delete an account with its sessions and tokens')
      .argument('<email>')
      .option(
        '--apps <what>',
        "what becomes of its apps: delete them with all of their documents, or operator: they become the operator's",
      ),
  ).action(async (email: string, options: OutputOptions & { apps?: string }) => {
    const { account, slugs, apps } = await withAccounts({ env, options }, async (context, caller) => {
      const found = await findAccount(context, email)
      const description = await describeDeletion(context, caller, { id: found.id })
      const fate = (options.apps ?? fateOf(email, description)) as 'delete' | 'operator'
      await deleteAccount(context, caller, { id: found.id, apps: fate })
      return { account: found, slugs: description.apps.map(({ slug }) => slug), apps: fate }
    })
    const list = slugs.join(', ')
    const end = apps === 'delete' ? `, with its apps: ${list}` : `; its apps are the operator's: ${list}`
    reportDone(print, options, {
      text: `Account ${account.email} is deleted${slugs.length === 0 ? '' : end}.`,
      json: {
        email: account.email,
        deleted: true,
        [apps === 'delete' ? 'deletedApps' : 'operatorsApps']: slugs,
      },
    })
  })
}

/**
 * Where there is nothing, nothing has to be said, and what comes meanwhile is not lost.
 * @throws AppError `invalid_parameter`
 */
function fateOf(email: string, { apps, keys }: DeletionDescription): 'operator' {
  if (apps.length === 0 && keys === 0) return 'operator'
  const owned = [
    ...(apps.length === 0 ? [] : [`the apps ${apps.map(({ slug }) => slug).join(', ')}`]),
    ...(keys === 0 ? [] : [`${keys} ${keys === 1 ? 'key' : 'keys'}`]),
  ]
  throw new AppError(
    'invalid_parameter',
    `${email} has ${owned.join(' and ')}; --apps delete deletes all of it, --apps operator leaves the apps to the operator`,
  )
}

/** @param what is done with it, before `stands on standard input` */
function passwordOption(what: string): Option {
  return new Option('--password-stdin', `${what} stands on standard input`)
}

function withOptions(command: Command, options: readonly Option[] = []): Command {
  for (const option of [...options, dataOption(), jsonOption()]) command.addOption(option)
  return command
}

type AccountRecord = Awaited<ReturnType<typeof createAccount>>

function accountJson({ createdAt, ...account }: AccountRecord): object {
  return { ...account, createdAt: isoTime(createdAt) }
}
