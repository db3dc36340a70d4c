import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Connections } from '../files/connections.ts'
import { appFile } from '../files/data-folder.ts'
import type { CheckpointMessage, CheckpointReply, CheckpointSettings } from './checkpoint-thread.ts'
import { CLOSE, RELEASE } from './thread-protocol.ts'

/** Rows that were changed, units of text that were saved, or bytes by which the log's file grew: then it is copied. */
const CHECKPOINT_ROWS = 2000
const CHECKPOINT_LENGTH = 8 * 1024 * 1024
/** SQLite's own page, in which it counts its log. */
const PAGE_BYTES = 4096
/** A log of this length begins anew as soon as no read needs it any more. */
const RESTART_BYTES = 8 * 1024 * 1024
/** From this length on writes wait for the reads that are under way, again and again until it could begin anew. */
const BOUND_BYTES = 64 * 1024 * 1024
/** How long the writer waits for reads at a time, below the bound and beyond it. */
const SHORT_WAIT_MS = 15
const LONG_WAIT_MS = 100

interface LogState {
  /** When the last checkpoint was asked for: the rows changed by then, the bytes of the file. */
  changesThen: number
  bytesThen: number
  /** Units of text since then. */
  length: number
  /** Whether the thread is copying. */
  underWay: boolean
  /** Whether it should begin anew. */
  isLong: boolean
}

/**
 * Keeps the write-ahead logs short. They are copied into their files by a thread of its own, so that no write waits
 * for it. What the writer alone can do is to let a log begin anew, for which all of it has to be copied: then the thread
 * has left little to copy. The thread starts when the first log is long enough.
 */
export class WalCheckpointer {
  private readonly connections: Connections
  private readonly dataDir: string
  private readonly openApps: number
  private readonly states = new Map<string, LogState>()
  private worker: Worker | undefined

  /** @param openApps apps whose files its thread keeps open */
  constructor(options: { connections: Connections; dataDir: string; openApps: number }) {
    this.connections = options.connections
    this.dataDir = options.dataDir
    this.openApps = options.openApps
  }

  /**
   * To be called after each group of writes.
   * @param length units of text that the group saved in this app
   */
  afterGroup(app: string, length: number): void {
    const state = this.stateOf(app)
    // One that was closed to make room for others is not opened for this: what its log has grown by is seen all the same.
    const changes = this.changes(app) ?? state.changesThen
    const bytes = this.fileBytes(app)
    // A connection that was opened anew counts from zero, and a log that began anew may have a shorter file.
    state.changesThen = Math.min(state.changesThen, changes)
    state.bytesThen = Math.min(state.bytesThen, bytes)
    state.length += length
    if (bytes >= BOUND_BYTES) state.isLong = this.connections.to(app).restartLog(LONG_WAIT_MS)
    else if (state.isLong && !state.underWay)
      state.isLong = this.connections.to(app).restartLog(SHORT_WAIT_MS)
    const isDue =
      changes - state.changesThen >= CHECKPOINT_ROWS ||
      state.length >= CHECKPOINT_LENGTH ||
      bytes - state.bytesThen >= CHECKPOINT_LENGTH
    if (!isDue || state.underWay) return
    Object.assign(state, { changesThen: changes, bytesThen: bytes, length: 0, underWay: true })
    this.send({ app })
  }

  /** Lets go of the apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    for (const app of this.states.keys()) if (!apps.has(app)) this.states.delete(app)
    this.worker?.postMessage({ apps: [...apps] } satisfies CheckpointMessage)
  }

  /** Closes every file that can be opened again. */
  release(): void {
    this.worker?.postMessage(RELEASE satisfies CheckpointMessage)
  }

  /** Resolves when the thread has closed its files. */
  async close(): Promise<void> {
    const { worker } = this
    if (worker === undefined) return
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage(CLOSE satisfies CheckpointMessage)
    await exited
  }

  private send(message: CheckpointMessage): void {
    this.worker ??= this.start()
    this.worker.postMessage(message)
  }

  private start(): Worker {
    const worker = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: { dataDir: this.dataDir, openApps: this.openApps } satisfies CheckpointSettings,
    })
    worker.on('message', ({ app, pages }: CheckpointReply) => {
      const state = this.states.get(app)
      if (state === undefined) return
      state.underWay = false
      state.isLong = pages * PAGE_BYTES >= RESTART_BYTES
    })
    // Without the thread the writer copies the log itself, at the bound; the next checkpoint starts a new one.
    worker.once('error', () => {
      this.worker = undefined
      for (const state of this.states.values()) state.underWay = false
    })
    return worker
  }

  private stateOf(app: string): LogState {
    const known = this.states.get(app)
    if (known !== undefined) return known
    const state = { changesThen: 0, bytesThen: 0, length: 0, underWay: false, isLong: false }
    this.states.set(app, state)
    return state
  }

  private changes(app: string): number | undefined {
    return this.connections.opened(app)?.row<[number]>('SELECT total_changes()')?.[0]
  }

  private fileBytes(app: string): number {
    return statSync(`${appFile(this.dataDir, app)}-wal`, { throwIfNoEntry: false })?.size ?? 0
  }
}
