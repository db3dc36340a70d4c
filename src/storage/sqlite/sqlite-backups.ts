import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { damagedSitesText } from '../../domain/damaged-sites-text.ts'
import type { Limits } from '../../domain/limits.ts'
import { AppError } from '../../errors.ts'
import type {
  BackupContents,
  BackupSchedule,
  BackupService,
  BackupUnderWay,
  KeptBackup,
  MadeBackup,
  ReadApp,
  Upload,
} from '../backup-store.ts'
import { backupName, keptBackups, removeOldBackups, removeUnfinished } from './backup/backup-folder.ts'
import type { BackupJob } from './backup-job.ts'
import { spareBytes } from './files/measure-storage.ts'
import { createPrivateFile } from './files/private-file.ts'
import { temporaryFile } from './files/temporary-folder.ts'
import { startJob } from './start-job.ts'

/** Jobs that wait for their turn. */
const MOST_WAITING = 8
/** What is free on the disk is for documents: an upload may take a quarter of it, and what it holds another. */
const UPLOAD_SHARE = 4
/** That are sent or restored at a time. */
const MOST_UPLOADS = 2

export interface BackupOptions {
  readonly dataDir: string
  readonly schedule?: BackupSchedule | undefined
  readonly limits: Limits
  /** Of Sheaf. */
  readonly version: string
  readonly now: () => number
  /** Told of what is not whole in a backup, in a line. */
  readonly onProblem: (line: string) => void
}

interface Turn {
  /** Whether it is refused where many wait. */
  readonly isBounded: boolean
  /** Called when its turn has come. */
  readonly begin: () => Promise<void>
}

/** Backups of the embedded store, each on a thread that is started for it and ends with it. */
export class SqliteBackups implements BackupService {
  readonly schedule: BackupSchedule | undefined
  private readonly options: BackupOptions
  private last: Promise<unknown> = Promise.resolve()
  private running: Worker | undefined
  private waiting = 0
  /** Whose they are, by their paths. */
  private readonly uploads = new Map<string, string>()
  private readonly keeping = new Set<BackupUnderWay>()
  private isClosed = false

  constructor(options: BackupOptions) {
    this.options = options
    this.schedule = options.schedule
  }

  async make(contents: BackupContents): Promise<MadeBackup> {
    const job = this.jobOf(temporaryFile(this.options.dataDir, 'backup.zip'), contents)
    return this.told(await this.afterOthers<MadeBackup>(job))
  }

  async keep(): Promise<MadeBackup> {
    const { folder, keep } = this.required()
    const since = this.options.now()
    const name = backupName(since)
    const underWay = { since, hasBegun: false }
    // However many others wait: they must not be able to put off the one of the schedule.
    const isBounded = this.keeping.size > 0
    this.keeping.add(underWay)
    try {
      const job = this.jobOf(join(folder, name), { hasSecrets: true })
      const made = await this.afterOthers<MadeBackup>(job, {
        isBounded,
        begin: async () => {
          underWay.hasBegun = true
          await removeUnfinished(folder, this.options.now())
        },
      })
      await removeOldBackups(folder, { made: name, keep, now: this.options.now() })
      return this.told(made)
    } finally {
      this.keeping.delete(underWay)
    }
  }

  async kept(): Promise<readonly KeptBackup[]> {
    return keptBackups(this.required().folder)
  }

  underWay(): BackupUnderWay | undefined {
    const [first] = this.keeping
    return first
  }

  async prepareUpload(by: string): Promise<Upload> {
    const { dataDir } = this.options
    const mostBytes = Math.floor((await spareBytes(dataDir)) / UPLOAD_SHARE)
    // Whoever asked for one removes its file at the end, however that comes.
    for (const path of this.uploads.keys()) if (!existsSync(path)) this.uploads.delete(path)
    if ([...this.uploads.values()].includes(by))
      throw new AppError(
        'rate_limited',
        'this account is restoring a backup already; wait until that has ended',
      )
    if (this.uploads.size >= MOST_UPLOADS)
      throw new AppError('overloaded', `${MOST_UPLOADS} backups are being restored; try again later`)
    const path = temporaryFile(dataDir, 'upload.zip')
    createPrivateFile(path, dirname(path))
    this.uploads.set(path, by)
    return { path, mostBytes }
  }

  read(path: string, from?: string): Promise<ReadApp> {
    const { dataDir, limits, now } = this.options
    return this.afterOthers({ kind: 'read', dataDir, command: { path, from, limits, now: now() } })
  }

  async discard(path: string): Promise<void> {
    await rm(path, { force: true })
  }

  /** Ends what is under way; the next start removes what that leaves. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.running?.terminate()
  }

  private told(made: MadeBackup): MadeBackup {
    const problem = damagedSitesText(made.damagedSites)
    if (problem !== undefined) this.options.onProblem(problem)
    return made
  }

  private jobOf(path: string, contents: BackupContents): BackupJob {
    const { dataDir, version, now } = this.options
    return { kind: 'make', command: { ...contents, dataDir, path, version, now: now() } }
  }

  private required(): BackupSchedule {
    if (this.schedule !== undefined) return this.schedule
    throw new AppError(
      'invalid_request',
      'this server has no folder for backups; start it with --backup-dir DIR',
    )
  }

  private async afterOthers<Result>(
    job: BackupJob,
    { isBounded, begin }: Turn = { isBounded: true, begin: async () => {} },
  ): Promise<Result> {
    if (isBounded && this.waiting > MOST_WAITING)
      throw new AppError('overloaded', 'too many backups are being made or restored; try again later')
    this.waiting++
    const done = this.last
      .catch(() => undefined)
      .then(begin)
      .then(() => this.run<Result>(job))
    this.last = done
    try {
      return await done
    } finally {
      this.waiting--
    }
  }

  private run<Result>(job: BackupJob): Promise<Result> {
    if (this.isClosed) return Promise.reject(stopping())
    const { worker, result } = startJob<Result>(new URL('./backup-thread.ts', import.meta.url), {
      workerData: job,
      stopping,
    })
    worker.once('exit', () => {
      this.running = undefined
    })
    this.running = worker
    return result
  }
}

function stopping(): AppError {
  return new AppError('store_unavailable', 'the server is stopping; the backup was given up')
}
