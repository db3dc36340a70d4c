import { renameSync } from 'node:fs'
import { Kysely } from 'kysely'
import { DEFAULT_LIMITS, type Limits } from '../../../domain/limits.ts'
import type { AccountStore } from '../../account-store.ts'
import type { AppDocuments } from '../../accounts/account-database.ts'
import { KyselyAccountStore } from '../../accounts/kysely-account-store.ts'
import type { Tables } from '../../accounts/tables.ts'
import { appFile, appsFolder, syncFolder } from '../files/data-folder.ts'
import { createAppFile } from '../files/schema.ts'
import { removeAppFile, removeSiteFiles } from './app-files.ts'
import { openControlDatabase } from './control-database.ts'
import { controlError } from './control-failures.ts'
import { ControlFile } from './control-file.ts'
import { NodeSqliteDialect } from './node-sqlite-dialect.ts'

export interface AccountOptions {
  readonly dataDir: string
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
  /** For whoever makes apps and keys. */
  readonly limits?: Pick<Limits, 'apps' | 'keys'>
}

/**
 * Opens the accounts of the embedded store, in `<data>/control.sqlite`. Its writes wait for the disk on the thread that
 * calls, which must not be one that serves HTTP.
 * @throws AppError `data_folder_unusable`, `store_unavailable`
 */
export async function openAccounts({
  dataDir,
  now = Date.now,
  limits = DEFAULT_LIMITS,
}: AccountOptions): Promise<AccountStore> {
  const db = await openControlDatabase(dataDir)
  const database = {
    kysely: new Kysely<Tables>({ dialect: new NodeSqliteDialect(db) }),
    // The transaction has the file's lock for writing.
    lockChanges: async () => {},
    // Others look at the file.
    announce: async () => {},
    errorOf: (error: unknown) => controlError(dataDir, error),
    close: async () => {
      if (db.isOpen) db.close()
    },
  }
  const store = new KyselyAccountStore({ database, documents: documentsIn(dataDir), now, limits })
  try {
    if (new ControlFile(db, dataDir).needsTidying(now())) await store.tidy()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

function documentsIn(dataDir: string): AppDocuments {
  return {
    create(app) {
      createAppFile(appFile(dataDir, app))
      syncFolder(appsFolder(dataDir))
    },
    adopt(app, file) {
      renameSync(file, appFile(dataDir, app))
      syncFolder(appsFolder(dataDir))
    },
    async remove(app) {
      removeAppFile(dataDir, app)
      await removeSiteFiles(dataDir, app)
    },
  }
}
