import { Command } from 'commander'
import { NO_SETTINGS, SHARED_RULES } from '../../domain/app-settings.ts'
import { describeAppSentence } from '../../domain/describe-key-sentence.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { describeAppSettings } from '../../domain/read-app-settings.ts'
import { createApp } from '../../operations/create-app.ts'
import { deleteApp } from '../../operations/delete-app.ts'
import { endAppTokens } from '../../operations/end-app-tokens.ts'
import { describeDeletedApp } from '../../operations/list-deleted-apps.ts'
import { restoreApp } from '../../operations/restore-app.ts'
import { updateApp } from '../../operations/update-app.ts'
import {
  dataArgument,
  dataOption,
  jsonOption,
  makeAndShow,
  type OutputOptions,
  report,
  reportDone,
} from '../output.ts'
import { ownerEmails, tableWithOwners } from '../owner-emails.ts'
import type { Terminal } from '../program.ts'
import { addLiftingOptions, addRuleOptions, type RuleOptions, rulesInput } from '../rule-options.ts'
import { withControl } from '../with-control.ts'

/** `sheaf app …`: works on the data folder itself, beside a running server or without one. */
export function appCommand({ env, print }: Terminal): Command {
  const app = new Command('app').description('make, list, delete and restore apps')

  app
    .command('create')
    .description('make an app')
    .argument('<slug>', '1 to 63 of a-z, 0-9 and -')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (slug: string, options: OutputOptions) => {
      const result = (record: AppRecord) => ({ text: `App ${record.slug} is made.`, json: appJson(record) })
      await makeAndShow(print, options, result, (show) =>
        withControl({ env, options }, (account) => createApp(account, slug, show)),
      )
    })

  app.addCommand(listCommand({ env, print }))

  app.addCommand(updateCommand({ env, print }))
  app.addCommand(endTokensCommand({ env, print }))
  app.addCommand(deleteCommand({ env, print }))
  app.addCommand(restoreCommand({ env, print }))

  return app
}

interface UpdateOptions {
  readonly autoIndex?: string
  readonly documentBytes?: string
  readonly keyDefaults?: false
}

/** What of an app's settings is a rule of a key, too, has its options. */
function updateCommand({ env, print }: Pick<Terminal, 'env' | 'print'>): Command {
  const command = new Command('update')
    .description('change the settings of an app, which hold for all of its keys')
    .argument('<slug>')
    .option('--auto-index <on|off>', 'whether indexes are made for it without being asked for')
  return addLiftingOptions(addRuleOptions(command, SHARED_RULES), SHARED_RULES)
    .option(
      '--document-bytes <bytes>',
      'how long one document may be, or none for as long as the server takes',
    )
    .option('--no-key-defaults', 'drop the rules that keys begin with which are made on its page')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (slug: string, options: OutputOptions & RuleOptions & UpdateOptions) => {
      const { autoIndex, documentBytes, keyDefaults } = options
      const settings = {
        ...rulesInput(options),
        ...(documentBytes !== undefined && { documentBytes: bytesOf(documentBytes) }),
        // Commander has it true where the option is not there.
        ...(keyDefaults === false && { keyDefaults: {} }),
      }
      const record = await withControl({ env, options }, (account) =>
        updateApp(account, { slug, autoIndex, settings }),
      )
      reportDone(print, options, {
        text: [
          ...(autoIndex === undefined ? [] : [`App ${slug} has automatic indexes ${autoIndex}.`]),
          ...(Object.values(settings).every((setting) => setting === undefined)
            ? []
            : [
                describeAppSentence(record.settings ?? NO_SETTINGS) ?? `App ${slug} bounds none of its keys.`,
              ]),
        ].join('\n'),
        json: {
          slug,
          ...(autoIndex !== undefined && { autoIndex: autoIndex === 'on' }),
          ...settingsJson(record),
        },
      })
    })
}

/** What is no number is refused with all others. */
function bytesOf(text: string): number | null {
  return text === 'none' ? null : Number(text)
}

function listCommand({ env, print }: Pick<Terminal, 'env' | 'print'>): Command {
  return new Command('list')
    .description('list the apps')
    .option('--deleted', 'list those that were deleted and can be restored')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (options: OutputOptions & { deleted?: true }) => {
      if (options.deleted) return listDeleted({ env, print }, options)
      const { records, owners } = await withControl({ env, options }, async (account) => {
        const records = await account.control.listApps()
        return { records, owners: await ownerEmails(account, records) }
      })
      const rows = records.map((record) => [record.slug, isoTime(record.createdAt)])
      report(print, options, {
        text: tableWithOwners(['APP', 'CREATED'], rows, owners),
        json: records.map((record, index) => ({
          ...{ ...appJson(record), owner: owners[index] },
          ...settingsJson(record),
        })),
      })
    })
}

async function listDeleted({ env, print }: Pick<Terminal, 'env' | 'print'>, options: OutputOptions) {
  const { records, owners } = await withControl({ env, options }, async (account) => {
    const records = await account.control.listDeletedApps()
    return { records, owners: await ownerEmails(account, records) }
  })
  const described = records.map(describeDeletedApp)
  const rows = described.map((app) => [app.slug, app.createdAt, app.deletedAt, app.restorableUntil])
  report(print, options, {
    text: tableWithOwners(['APP', 'CREATED', 'DELETED', 'RESTORABLE UNTIL'], rows, owners),
    json: described.map((app, index) => ({ ...app, owner: owners[index] })),
  })
}

function endTokensCommand({ env, print }: Pick<Terminal, 'env' | 'print'>): Command {
  return new Command('end-tokens')
    .description('end every token that lets anybody in at an app, in all apps of its key; the keys go on')
    .argument('<slug>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (slug: string, options: OutputOptions) => {
      const keys = await withControl({ env, options }, (account) => endAppTokens(account, slug))
      reportDone(print, options, {
        text: `Every token of ${keys} ${keys === 1 ? 'key' : 'keys'} of the app ${slug} is void.`,
        json: { slug, tokensEnded: true, keys },
      })
    })
}

function deleteCommand({ env, print }: Pick<Terminal, 'env' | 'print'>): Command {
  return new Command('delete')
    .description('delete an app; for 7 days it can be restored')
    .argument('<slug>')
    .option('--now', 'remove it at once, with all of its documents, also if it was deleted before')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (slug: string, options: OutputOptions & { now?: true }) => {
      const { restorableUntil: until } = await withControl({ env, options }, (account) =>
        deleteApp(account, { slug, isAtOnce: options.now }),
      )
      const restorableUntil = until === null ? null : isoTime(until)
      const text =
        restorableUntil === null
          ? `App ${slug} is removed.`
          : `App ${slug} is deleted; until ${restorableUntil} "sheaf app restore ${slug}${dataArgument(options)}" brings it back.`
      reportDone(print, options, { text, json: { slug, deleted: true, restorableUntil } })
    })
}

function restoreCommand({ env, print }: Pick<Terminal, 'env' | 'print'>): Command {
  return new Command('restore')
    .description('bring a deleted app back, with its documents')
    .argument('<slug>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (slug: string, options: OutputOptions) => {
      const record = await withControl({ env, options }, (account) => restoreApp(account, slug))
      reportDone(print, options, { text: `App ${slug} is restored.`, json: appJson(record) })
    })
}

type AppRecord = Awaited<ReturnType<typeof createApp>>

function appJson(record: AppRecord): { slug: string; createdAt: string } {
  return { slug: record.slug, createdAt: isoTime(record.createdAt) }
}

function settingsJson({ settings = NO_SETTINGS, damage }: AppRecord) {
  return { settings: describeAppSettings(settings), ...(damage !== undefined && { damaged: damage }) }
}
