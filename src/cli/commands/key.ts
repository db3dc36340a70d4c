import { Command } from 'commander'
import { createKey } from '../../operations/create-key.ts'
import { listKeys } from '../../operations/list-keys.ts'
import { revokeKey } from '../../operations/revoke-key.ts'
import { dataOption, jsonOption, type OutputOptions, report, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import { withControl } from '../with-control.ts'

/** `sheaf key …`: works on the data folder itself, beside a running server or without one. */
export function keyCommand({ env, print }: Terminal): Command {
  const key = new Command('key').description('make, list and revoke API keys')

  key
    .command('create')
    .description('make an API key; it is printed this once and can not be shown again')
    .option('--name <name>', 'what to call it (required)')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (options: OutputOptions & { name?: string }, command: Command) => {
      // Not `requiredOption`, which would complain of the missing name where `--nmae` was written.
      const wanted = options.name ?? command.error("required option '--name <name>' not specified")
      const control = { env, options, folder: 'create' } as const
      const { record, apiKey } = await withControl(control, (c) => createKey(c, wanted))
      const { name, ...rest } = keyJson(record)
      report(print, options, { text: apiKey, json: { name, key: apiKey, ...rest } })
    })

  key
    .command('list')
    .description('list the API keys by name; the keys themselves are stored nowhere')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (options: OutputOptions) => {
      const records = (await withControl({ env, options, folder: 'require' }, listKeys)).map(keyJson)
      const rows = records.map((record) => [record.name, record.permission, record.createdAt])
      report(print, options, { text: table(['NAME', 'PERMISSION', 'CREATED'], rows), json: records })
    })

  key
    .command('revoke')
    .description('end an API key and every token made from it')
    .argument('<name>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (name: string, options: OutputOptions) => {
      await withControl({ env, options, folder: 'require' }, (c) => revokeKey(c, name))
      report(print, options, { text: `Key ${name} is revoked.`, json: { name, revoked: true } })
    })

  return key
}

interface KeyJson {
  name: string
  permission: string
  apps: 'all' | readonly string[]
  createdAt: string
}

function keyJson(record: Awaited<ReturnType<typeof listKeys>>[number]): KeyJson {
  return {
    name: record.name,
    permission: record.permission,
    apps: record.apps ?? 'all',
    createdAt: new Date(record.createdAt).toISOString(),
  }
}
