import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Limits } from '../../domain/limits.ts'
import { AppError } from '../../errors.ts'
import type { SiteManifest } from '../../sites/manifest.ts'
import { mostListBytes } from '../../sites/open-file-stream.ts'
import { makeFolder } from '../../sites/place-files.ts'
import type { ReceivedDeploy } from '../../sites/receive-deploy.ts'
import { SiteFiles } from '../../sites/site-files.ts'
import type { DeployBody, DeployOrigin, DeployUpload, SiteService } from '../../sites/site-service.ts'
import { markToCollect, sitesToCollect, unmarkToCollect } from '../../sites/to-collect.ts'
import { spareBytes } from './files/measure-storage.ts'
import { createPrivateFile, giveToOwner } from './files/private-file.ts'
import { areSiteFilesHeld, temporaryFile } from './files/temporary-folder.ts'
import type { SiteJob } from './site-job.ts'
import { startJob } from './start-job.ts'

/** Deploys that come in at a time. */
const MOST_UPLOADS = 8
/** Of them, of one account, so that it keeps nobody else from deploying. */
const MOST_UPLOADS_OF_ONE = 2
/** What a thread has read of files lives for one file: with more room than this, garbage waits to be collected. */
const YOUNG_MB = 8
/** Of a thread: three times what a list needs that is as long as lists may be. What takes more ends the thread alone. */
const OLD_MB = 512
/** Of these, threads that work on one: each compresses two files at once on a pool of four. */
const MOST_JOBS = 2
/** After which it is tried again to collect what a backup holds. */
const HELD_MS = 60 * 1000

export interface SiteOptions {
  readonly dataDir: string
  readonly limits: Limits
  /** Hashes of the manifests of all versions that an app keeps. */
  readonly keptOf: (app: string) => Promise<readonly string[]>
  /** Told of garbage that could not be collected. */
  readonly onFailure: (error: unknown) => void
}

/** Files of sites in a data folder; what takes long is done on threads that are started for it. */
export class SqliteSites implements SiteService {
  private readonly options: SiteOptions
  private readonly files: SiteFiles
  /** Whose they are, by their paths. */
  private readonly uploads = new Map<string, DeployOrigin>()
  /** What was begun last for each app: what comes next waits for it. */
  private readonly turns = new Map<string, Promise<unknown>>()
  private readonly running = new Set<Worker>()
  private readonly waiting: (() => void)[] = []
  private jobs = 0
  /** Apps whose garbage waits until no backup is made any more. */
  private readonly heldOff = new Set<string>()
  private later: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(options: SiteOptions) {
    this.options = options
    this.files = new SiteFiles(options.dataDir)
  }

  async prepareUpload(origin: DeployOrigin): Promise<DeployUpload> {
    const { dataDir, limits } = this.options
    // What is written down is there once more as files, for a while.
    const room = Math.floor((await spareBytes(dataDir)) / 2)
    for (const path of this.uploads.keys()) if (!existsSync(path)) this.uploads.delete(path)
    const others = [...this.uploads.values()]
    if (others.some(({ app }) => app === origin.app))
      throw new AppError(
        'deploy_under_way',
        'another deploy to this app is under way; wait until it has ended',
      )
    if (others.filter(({ by }) => by === origin.by).length >= MOST_UPLOADS_OF_ONE)
      throw new AppError(
        'rate_limited',
        `${MOST_UPLOADS_OF_ONE} deploys of this account are under way; wait until one of them has ended`,
      )
    if (this.uploads.size >= MOST_UPLOADS)
      throw new AppError('overloaded', `${MOST_UPLOADS} deploys are under way; try again in a moment`)
    const path = temporaryFile(dataDir, 'deploy')
    createPrivateFile(path, dirname(path))
    this.uploads.set(path, origin)
    const mostBytes = limits.siteBytes + mostListBytes(limits)
    return { path, mostBytes: Math.min(room, mostBytes), isDiskFull: room < mostBytes }
  }

  async missing(app: string, hashes: readonly string[]): Promise<readonly string[]> {
    const there = new Set<string>()
    // A look into a folder takes less time than one for each of its files.
    const folders = new Set(hashes.map((hash) => dirname(this.files.pathOf(app, hash))))
    for (const folder of folders)
      for (const name of await readdir(folder).catch(ifMissing([]))) there.add(name)
    return hashes.filter((hash) => !there.has(hash))
  }

  receive<Made>(
    { app, body, kind }: DeployBody,
    commit: (received: ReceivedDeploy) => Promise<Made>,
  ): Promise<Made> {
    const { dataDir, limits } = this.options
    const { siteFiles, siteFileBytes, siteBytes } = limits
    const command = { app, body, kind, limits: { siteFiles, siteFileBytes, siteBytes } }
    return this.inTurn(app, async () => {
      this.mark(app)
      try {
        const made = await commit(await this.run<ReceivedDeploy>({ kind: 'receive', dataDir, command }))
        if (!this.heldOff.has(app)) this.unmark(app)
        return made
      } catch (error) {
        this.collect(app)
        throw error
      }
    })
  }

  readManifest(app: string, hash: string): Promise<SiteManifest> {
    return this.files.readManifest(app, hash)
  }

  collect(app: string): void {
    const { dataDir, keptOf, onFailure } = this.options
    const collected = this.inTurn(app, async () => {
      const kept = await keptOf(app)
      if (!existsSync(this.files.folderOf(app))) return
      this.mark(app)
      // Asked after it is known what is kept: a backup that begins later has no version that isn't.
      if (areSiteFilesHeld(dataDir)) return this.collectLater(app)
      if (kept.length === 0) return this.run<void>({ kind: 'remove', dataDir, app })
      await this.run({ kind: 'collect', dataDir, app, kept })
      this.unmark(app)
    })
    // What is left is collected by the next start.
    collected.catch((error: unknown) => {
      if (!this.isClosed) onFailure(error)
    })
  }

  /** Collects what killed processes have left. */
  collectLeft(): void {
    for (const app of sitesToCollect(this.options.dataDir)) this.collect(app)
  }

  /** Ends what is under way; the next start removes what that leaves. */
  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.later)
    for (const wake of this.waiting.splice(0)) wake()
    await Promise.all([...this.running].map((worker) => worker.terminate()))
    await Promise.allSettled(this.turns.values())
  }

  private collectLater(app: string): void {
    this.heldOff.add(app)
    this.later ??= setTimeout(() => {
      this.later = undefined
      const apps = [...this.heldOff]
      this.heldOff.clear()
      for (const each of apps) this.collect(each)
    }, HELD_MS).unref()
  }

  private mark(app: string): void {
    const { dataDir } = this.options
    const folder = this.files.folderOf(app)
    makeFolder(folder, (path) => giveToOwner(path, dataDir))
    markToCollect(folder)
  }

  private unmark(app: string): void {
    unmarkToCollect(this.files.folderOf(app))
  }

  private inTurn<Done>(app: string, work: () => Promise<Done>): Promise<Done> {
    const before = this.turns.get(app) ?? Promise.resolve()
    const done = before.catch(() => undefined).then(work)
    this.turns.set(app, done)
    const forget = (): void => {
      if (this.turns.get(app) === done) this.turns.delete(app)
    }
    done.then(forget, forget)
    return done
  }

  private async run<Done>(job: SiteJob): Promise<Done> {
    // Whoever is woken has the slot of the job that ended.
    if (this.jobs >= MOST_JOBS) await new Promise<void>((resolve) => this.waiting.push(resolve))
    else this.jobs++
    if (this.isClosed) throw stopping()
    const { worker, result } = startJob<Done>(new URL('./site-thread.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: OLD_MB },
      stopping,
    })
    this.running.add(worker)
    try {
      return await result
    } catch (error) {
      throw isOutOfMemory(error) ? tooMuchMemory(error) : error
    } finally {
      this.running.delete(worker)
      const next = this.waiting.shift()
      if (next === undefined) this.jobs--
      else next()
    }
  }
}

function ifMissing<Else>(otherwise: Else): (error: unknown) => Else {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise
    throw error
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooMuchMemory(cause: unknown): AppError {
  return new AppError(
    'deploy_too_large',
    `the deploy took more than ${OLD_MB} MiB of memory; deploy fewer files, or shorter names of them`,
    { cause },
  )
}

function stopping(): AppError {
  return new AppError('store_unavailable', 'the server is stopping; the deploy was given up')
}
