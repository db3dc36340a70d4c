import { Command } from 'commander'
import { isoTime } from '../../domain/iso-time.ts'
import { createApp } from '../../operations/create-app.ts'
import { deleteApp } from '../../operations/delete-app.ts'
import { endAppTokens } from '../../operations/end-app-tokens.ts'
import { describeDeletedApp } from '../../operations/list-deleted-apps.ts'
import { restoreApp } from '../../operations/restore-app.ts'
import { updateApp } from '../../operations/update-app.ts'
import { dataOption, jsonOption, makeAndShow, type OutputOptions, report, reportDone } from '../output.ts'
import { ownerEmails, tableWithOwners } from '../owner-emails.ts'
import type { Terminal } from '../program.ts'
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

  app
    .command('update')
    .description('change the settings of an app')
    .argument('<slug>')
    .requiredOption('--auto-index <on|off>', 'whether indexes are made for it without being asked for')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (slug: string, options: OutputOptions & { autoIndex: string }) => {
      const { autoIndex } = options
      await withControl({ env, options }, (account) => updateApp(account, { slug, autoIndex }))
      reportDone(print, options, {
        text: `App ${slug} has automatic indexes ${autoIndex}.`,
        json: { slug, autoIndex: autoIndex === 'on' },
      })
    })

  app.addCommand(endTokensCommand({ env, print }))
  app.addCommand(deleteCommand({ env, print }))
  app.addCommand(restoreCommand({ env, print }))

  return app
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
        json: records.map((record, index) => ({ ...appJson(record), owner: owners[index] })),
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
          : `App ${slug} is deleted; until ${restorableUntil} "sheaf app restore ${slug}" brings it back.`
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
