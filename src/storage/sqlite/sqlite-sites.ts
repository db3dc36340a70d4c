import { existsSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Limits } from '../../domain/limits.ts'
import { AppError } from '../../errors.ts'
import type { SiteManifest } from '../../sites/manifest.ts'
import { mostListBytes } from '../../sites/open-file-stream.ts'
import { makeFolder } from '../../sites/place-files.ts'
import type { ReceivedDeploy } from '../../sites/receive-deploy.ts'
import { SiteFiles } from '../../sites/site-files.ts'
import type { DeployBody, DeployUpload, SiteService } from '../../sites/site-service.ts'
import { markToCollect, sitesToCollect, unmarkToCollect } from '../../sites/to-collect.ts'
import { spareBytes } from './files/measure-storage.ts'
import { createPrivateFile, giveToOwner } from './files/private-file.ts'
import { temporaryFile } from './files/temporary-folder.ts'
import type { SiteJob } from './site-job.ts'
import { startJob } from './start-job.ts'

/** Deploys that come in at a time. */
const MOST_UPLOADS = 8
/** What a thread has read of files lives for one file: with more room than this, garbage waits to be collected. */
const YOUNG_MB = 8
/** Of these, threads that work on one: each compresses two files at once on a pool of four. */
const MOST_JOBS = 2

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
  private readonly uploads = new Map<string, string>()
  /** What was begun last for each app: what comes next waits for it. */
  private readonly turns = new Map<string, Promise<unknown>>()
  private readonly running = new Set<Worker>()
  private readonly waiting: (() => void)[] = []
  private jobs = 0
  private isClosed = false

  constructor(options: SiteOptions) {
    this.options = options
    this.files = new SiteFiles(options.dataDir)
  }

  async prepareUpload(app: string): Promise<DeployUpload> {
    const { dataDir, limits } = this.options
    // What is written down is there once more as files, for a while.
    const room = Math.floor((await spareBytes(dataDir)) / 2)
    for (const path of this.uploads.keys()) if (!existsSync(path)) this.uploads.delete(path)
    if ([...this.uploads.values()].includes(app))
      throw new AppError(
        'deploy_under_way',
        'another deploy to this app is under way; wait until it has ended',
      )
    if (this.uploads.size >= MOST_UPLOADS)
      throw new AppError('overloaded', `${MOST_UPLOADS} deploys are under way; try again in a moment`)
    const path = temporaryFile(dataDir, 'deploy')
    createPrivateFile(path, dirname(path))
    this.uploads.set(path, app)
    const mostBytes = limits.siteBytes + mostListBytes(limits)
    return { path, mostBytes: Math.min(room, mostBytes), isDiskFull: room < mostBytes }
  }

  async missing(app: string, hashes: readonly string[]): Promise<readonly string[]> {
    const root = this.files.filesOf(app)
    const folders = await readdir(root).catch(ifMissing([]))
    const there = new Set<string>()
    for (const folder of folders)
      for (const name of await readdir(join(root, folder)).catch(ifMissing([]))) there.add(name)
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
        this.unmark(app)
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
      if (kept.length === 0) rmSync(this.files.folderOf(app), { recursive: true, force: true })
      else {
        this.mark(app)
        await this.run({ kind: 'collect', dataDir, app, kept })
        this.unmark(app)
      }
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
    for (const wake of this.waiting.splice(0)) wake()
    await Promise.all([...this.running].map((worker) => worker.terminate()))
    await Promise.allSettled(this.turns.values())
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
    if (this.jobs >= MOST_JOBS) await new Promise<void>((resolve) => this.waiting.push(resolve))
    if (this.isClosed) throw stopping()
    this.jobs++
    const { worker, result } = startJob<Done>(new URL('./site-thread.ts', import.meta.url), {
      workerData: job,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      stopping,
    })
    this.running.add(worker)
    try {
      return await result
    } finally {
      this.running.delete(worker)
      this.jobs--
      this.waiting.shift()?.()
    }
  }
}

function ifMissing<Else>(otherwise: Else): (error: unknown) => Else {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise
    throw error
  }
}

function stopping(): AppError {
  return new AppError('store_unavailable', 'the server is stopping; the deploy was given up')
}
