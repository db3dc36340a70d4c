import { resolve } from 'node:path'
import { parseDuration } from '../domain/duration.ts'
import { AppError } from '../errors.ts'
import { type Environment, integer, invalid, setting } from './settings.ts'

/** Where backups are made by the clock, or when an operator asks for one. */
export interface BackupConfig {
  /** Absolute. */
  readonly folder: string
  readonly everyMs: number | undefined
  readonly keep: number
}

export interface BackupArgs {
  readonly backupDir?: string | undefined
  readonly backupEvery?: string | undefined
  readonly backupKeep?: string | undefined
}

const KEPT = '7'
const KEEP = { least: 1, most: 10_000 }
const LEAST_MS = 60_000

/** Undefined where no folder is named. @throws AppError `invalid_configuration` */
export function backupsFrom(env: Environment, args: BackupArgs): BackupConfig | undefined {
  const folder = setting(args.backupDir, '--backup-dir', env.SHEAF_BACKUP_DIR)
  const every = setting(args.backupEvery, '--backup-every', env.SHEAF_BACKUP_EVERY)
  const keep = setting(args.backupKeep, '--backup-keep', env.SHEAF_BACKUP_KEEP)
  if (folder === undefined) {
    if (every === undefined && keep === undefined) return undefined
    throw invalid(
      '--backup-every and --backup-keep say nothing without a folder for backups: give --backup-dir, too',
    )
  }
  return {
    folder: resolve(folder),
    everyMs: every === undefined ? undefined : everyFrom(every),
    keep: integer('the number of backups to keep (--backup-keep, SHEAF_BACKUP_KEEP)', keep ?? KEPT, KEEP),
  }
}

function everyFrom(text: string): number {
  try {
    const everyMs = parseDuration(text, { what: 'the time between backups (--backup-every)', least: 1 })
    if (everyMs >= LEAST_MS) return everyMs
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw invalid(error.message)
  }
  throw invalid(`${JSON.stringify(text)} is too short between backups (--backup-every); the shortest is 1m`)
}
