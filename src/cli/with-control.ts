import { availableParallelism, userInfo } from 'node:os'
import { configFrom } from '../config.ts'
import { createPasswords } from '../credentials/password.ts'
import { commandActor } from '../domain/command-user.ts'
import type { AccountsContext, CommandLineCaller, IndexContext, OwnerContext } from '../operations/context.ts'
import { QueryStatsFile } from '../query-stats/query-stats-file.ts'
import { openDataFolder, requireDataFolder } from '../storage/sqlite/files/data-folder.ts'
import { SqliteIndexes } from '../storage/sqlite/sqlite-indexes.ts'

/**
 * Runs one piece of work on the control file of the data folder that the options name.
 * @throws AppError `invalid_configuration`, `data_folder_unusable`, and what the work throws
 */
export async function withControl<T>(
  where: {
    env: Readonly<Record<string, string | undefined>>
    options: { readonly data?: string }
  },
  work: (account: OwnerContext) => Promise<T>,
): Promise<T> {
  const { dataDir, limits } = configFrom(where.env, { data: where.options.data })
  // Only a server makes a store: what was made in a folder whose name was misspelt would be known to none.
  requireDataFolder(dataDir)
  openDataFolder(dataDir)
  // The query builder takes longer to load than most commands to do.
  const { openAccounts } = await import('../storage/sqlite/control/open-accounts.ts')
  const control = await openAccounts({ dataDir, limits })
  try {
    return await work({ control, actor: commandActor(commandUser()), owner: null, now: Date.now })
  } finally {
    await control.close()
  }
}

/**
 * Runs one piece of work on the indexes of the data folder that the options name.
 * @throws AppError `invalid_configuration`, `data_folder_unusable`, and what the work throws
 */
export async function withIndexes<T>(
  where: {
    env: Readonly<Record<string, string | undefined>>
    options: { readonly data?: string }
  },
  work: (context: IndexContext) => Promise<T>,
): Promise<T> {
  const { dataDir, limits } = configFrom(where.env, { data: where.options.data })
  return withControl(where, async ({ control, now }) => {
    const indexes = new SqliteIndexes({ dataDir })
    try {
      return await work({ control, indexes, stats: new QueryStatsFile({ dataDir }), limits, now })
    } finally {
      await indexes.close()
    }
  })
}

/** What the command line has of what operations on accounts work with: it signs nobody in. */
export type CommandContext = Pick<AccountsContext, 'accounts' | 'passwords' | 'now'>

/**
 * Runs one piece of work on the accounts of the data folder that the options name.
 * @throws AppError `invalid_configuration`, `data_folder_unusable`, and what the work throws
 */
export async function withAccounts<T>(
  where: {
    env: Readonly<Record<string, string | undefined>>
    options: { readonly data?: string }
  },
  work: (context: CommandContext, caller: CommandLineCaller) => Promise<T>,
): Promise<T> {
  return withControl(where, async ({ control, now }) => {
    const passwords = createPasswords({ cores: availableParallelism() })
    return work(
      { accounts: control, passwords, now },
      { kind: 'command-line', actor: commandActor(commandUser()) },
    )
  })
}

/** The name of the user who runs the command. */
export function commandUser(): string {
  try {
    return userInfo().username
  } catch {
    // A user without a name, as in some containers.
    return String(process.getuid?.() ?? 'unknown')
  }
}
