import { checkKeyName } from '../credentials/key-name.ts'
import { appSlug } from '../domain/names.ts'
import { AppError } from '../errors.ts'
import type { RestoredKeys } from '../storage/account-changes.ts'
import type { BackedUpKey, ReadApp } from '../storage/backup-store.ts'
import type { AppRecord } from '../storage/store.ts'
import type { OwnerContext } from './context.ts'

export interface AppFromBackupInput {
  /** Of the new app. */
  readonly slug: string
  readonly read: ReadApp
}

export interface AppFromBackup {
  readonly app: AppRecord
  readonly keys: RestoredKeys
}

/**
 * Makes an app of what was read of a backup. Its keys open this app alone, whatever others they named.
 * @throws AppError `invalid_name`, `app_exists`, `too_many_apps`, `too_many_keys`, `invalid_rule`
 */
export async function createAppFromBackup(
  { control, actor, owner }: OwnerContext,
  { slug, read }: AppFromBackupInput,
): Promise<AppFromBackup> {
  const { path, isAutoIndexOn, settings } = read
  const named = read.keys.filter(hasKeyName)
  const keys = named.map((key) => ({ ...key, rules: { ...key.rules, apps: [appSlug(slug)] } }))
  const app = { slug: appSlug(slug), owner, documents: path, isAutoIndexOn, settings, keys }
  return control.createAppFrom(app, actor)
}

/** Whoever wrote the backup may have called a key by what can't be shown in one line. */
function hasKeyName({ name }: BackedUpKey): boolean {
  try {
    checkKeyName(name)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
