import type { AccountStore } from '../storage/account-store.ts'
import type { MadeBackup } from '../storage/backup-store.ts'

/** The setting that has them. */
const SETTING = 'backup_outcomes'

/** What became of the backups in the folder of the schedule; times are milliseconds since the Unix epoch. */
export interface BackupOutcomes {
  readonly success: { readonly at: number; readonly name: string; readonly bytes: number } | null
  /** The last one; null once one has gone well. */
  readonly failure: { readonly at: number; readonly message: string } | null
}

/** The last instant that a `Date` can hold (ECMAScript, section 21.4.1.1). */
const LATEST_MS = 8.64e15
const NONE: BackupOutcomes = { success: null, failure: null }

export async function backupOutcomes(accounts: Pick<AccountStore, 'setting'>): Promise<BackupOutcomes> {
  return outcomesFrom(await accounts.setting(SETTING))
}

type Settings = Pick<AccountStore, 'setting' | 'putSetting'>

export async function noteBackup(accounts: Settings, { path, bytes, madeAt }: MadeBackup): Promise<void> {
  const success = { at: madeAt, name: path.split('/').at(-1)!, bytes }
  await note(accounts, { success, failure: null })
}

export async function noteFailedBackup(accounts: Settings, at: number, error: unknown): Promise<void> {
  await note(accounts, { failure: { at, message: error instanceof Error ? error.message : String(error) } })
}

async function note(accounts: Settings, outcome: Partial<BackupOutcomes>): Promise<void> {
  await accounts.putSetting(SETTING, JSON.stringify({ ...(await backupOutcomes(accounts)), ...outcome }))
}

/** What can't be read is none. */
function outcomesFrom(text: string | undefined): BackupOutcomes {
  try {
    const { success, failure } = JSON.parse(text ?? '{}') as Partial<BackupOutcomes>
    return { success: hasTime(success) ? success : null, failure: hasTime(failure) ? failure : null }
  } catch {
    return NONE
  }
}

function hasTime<Outcome extends { readonly at: number }>(
  outcome: Outcome | null | undefined,
): outcome is Outcome {
  return typeof outcome === 'object' && outcome !== null && isTime(outcome.at)
}

function isTime(at: number): boolean {
  return Number.isSafeInteger(at) && at >= 0 && at <= LATEST_MS
}
