import { Worker } from 'node:worker_threads'
import type { Limits } from '../domain/limits.ts'
import type { HeapLimits } from '../domain/memory.ts'
import { AppError } from '../errors.ts'
import type { ImportOptions } from './import-options.ts'
import type { FromImportThread, ImportTask, ToImportThread } from './import-thread.ts'
import type { PreviewOptions } from './preview-import.ts'
import type { BatchOptions, RecordBatch } from './record-batches.ts'

export interface ImportThreadsOptions {
  readonly limits: Limits
  readonly heap?: HeapLimits | undefined
  /** Told of a thread that ended by itself, for the log. */
  readonly onFailure: (error: unknown) => void
}

/** The bytes of a file. Its `return` has to answer at once, also while a `next` waits. */
export type FilePieces = AsyncIterable<Uint8Array>

/** Pieces that are sent ahead of those that were taken apart. */
const PIECES_AHEAD = 2
/** Threads that may read at once, and as many that preview: each takes some 50 MiB, and a processor. */
const MOST_THREADS = 4
/** Files of one account that may be read at once, so that slow ones of one leave room for others. */
const MOST_OF_ACCOUNT = 2
/** An import takes seconds to hours; whoever waits for one asks again after this. */
const RETRY_SECONDS = 10

/** Reads files that are imported, each on a thread of its own, so that no other request waits for their parsers. */
export class ImportThreads {
  private readonly options: ImportThreadsOptions
  private readonly open = new Set<ImportThread>()
  private isClosing = false

  constructor(options: ImportThreadsOptions) {
    this.options = options
  }

  /**
   * The records of a file. Leaving the loop ends the thread, and the file is read no further.
   * @param account whose file it is; without one, as many are read as there is room for
   * @throws AppError what ends the import; `rate_limited`, `overloaded`, `store_unavailable`; what the pieces throw
   */
  async *read(
    pieces: FilePieces,
    options: ImportOptions & BatchOptions,
    account?: string,
  ): AsyncGenerator<RecordBatch> {
    const { limits } = this.options
    const thread = this.start({ kind: 'read', limits, options }, account)
    let sending: PieceSender | undefined
    try {
      sending = new PieceSender(pieces, thread)
      for (;;) {
        const message = await thread.next()
        if (message.kind === 'more') sending.goOn()
        else if (message.kind === 'batch') {
          yield message.batch
          thread.send({ kind: 'taken' })
        } else return
      }
    } finally {
      sending?.stop()
      this.end(thread)
    }
  }

  /**
   * How the beginning of a file would be read.
   * @returns JSON
   * @throws AppError as `previewImport` does; `overloaded`, `store_unavailable`
   */
  async preview(bytes: Uint8Array, options: PreviewOptions): Promise<string> {
    const { limits } = this.options
    const thread = this.start({ kind: 'preview', limits, options, bytes })
    try {
      const message = await thread.next()
      return message.kind === 'preview' ? message.text : ''
    } finally {
      this.end(thread)
    }
  }

  /** Ends what is being read with `store_unavailable`. */
  close(): void {
    this.isClosing = true
    for (const thread of this.open) thread.fail(stopping())
  }

  private start(task: ImportTask, account?: string): ImportThread {
    if (this.isClosing) throw stopping()
    const alike = [...this.open].filter(({ kind }) => kind === task.kind)
    if (account !== undefined && alike.filter((each) => each.account === account).length >= MOST_OF_ACCOUNT)
      throw tooManyOfAccount()
    if (alike.length >= MOST_THREADS)
      throw new AppError('overloaded', 'too many files are being imported at once; try again in a moment')
    const thread = new ImportThread(task, account, this.options)
    this.open.add(thread)
    return thread
  }

  private end(thread: ImportThread): void {
    this.open.delete(thread)
    thread.end()
  }
}

/** What is read of a file lives for one batch: with more room than this, garbage of 50 MiB waits to be collected. */
const MOST_YOUNG_MB = 8

function youngMb(heap: HeapLimits | undefined): number {
  return Math.min(MOST_YOUNG_MB, heap?.maxYoungGenerationSizeMb ?? MOST_YOUNG_MB)
}

/** Sends the pieces of a file as fast as they are taken apart. */
class PieceSender {
  private readonly iterator: AsyncIterator<Uint8Array>
  private readonly thread: ImportThread
  private credit = PIECES_AHEAD
  private isSending = false
  private isOver = false

  constructor(pieces: FilePieces, thread: ImportThread) {
    this.iterator = pieces[Symbol.asyncIterator]()
    this.thread = thread
    void this.send()
  }

  goOn(): void {
    this.credit++
    void this.send()
  }

  stop(): void {
    this.isOver = true
    void this.iterator.return?.()
  }

  private async send(): Promise<void> {
    if (this.isSending) return
    this.isSending = true
    try {
      while (this.credit > 0 && !this.isOver) {
        const { done = false, value } = await this.iterator.next()
        if (this.isOver) return
        this.credit--
        this.isOver = done
        if (done) this.thread.send({ kind: 'end' })
        else this.thread.sendPiece(value)
      }
    } catch (error) {
      this.thread.fail(error)
    } finally {
      this.isSending = false
    }
  }
}

/** One thread, and what it has said that nobody has taken yet: a few messages, for it waits for answers. */
class ImportThread {
  readonly kind: ImportTask['kind']
  readonly account: string | undefined
  private readonly worker: Worker
  private readonly messages: FromImportThread[] = []
  private failure: { readonly error: unknown } | undefined
  private wake = (): void => {}

  constructor(task: ImportTask, account: string | undefined, { heap, onFailure }: ImportThreadsOptions) {
    this.kind = task.kind
    this.account = account
    this.worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { ...heap, maxYoungGenerationSizeMb: youngMb(heap) },
    })
    this.worker.on('message', (message: FromImportThread) => this.take(message))
    this.worker.once('error', (error) => {
      onFailure(error)
      this.fail(new AppError('internal', 'something went wrong inside', { cause: error }))
    })
  }

  send(message: ToImportThread): void {
    this.worker.postMessage(message)
  }

  /** The bytes are copied, for they may lie in memory that others use, too. */
  sendPiece(piece: Uint8Array): void {
    const bytes = new Uint8Array(piece)
    this.worker.postMessage({ kind: 'piece', bytes } satisfies ToImportThread, [bytes.buffer])
  }

  /** What it says next. @throws what it failed with, as soon as it has */
  async next(): Promise<FromImportThread> {
    for (;;) {
      if (this.failure !== undefined) throw this.failure.error
      const message = this.messages.shift()
      if (message !== undefined) return message
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  fail(error: unknown): void {
    this.failure ??= { error }
    this.wake()
  }

  end(): void {
    void this.worker.terminate()
  }

  private take(message: FromImportThread): void {
    if (message.kind === 'failure') {
      this.fail(new AppError(message.code, message.message, { cause: message.cause }))
      return
    }
    this.messages.push(message)
    this.wake()
  }
}

function tooManyOfAccount(): AppError {
  return new AppError(
    'rate_limited',
    `${MOST_OF_ACCOUNT} files of this account are being imported already; wait until one of them has ended`,
    { retryAfterSeconds: RETRY_SECONDS },
  )
}

function stopping(): AppError {
  return new AppError('store_unavailable', 'the server is stopping')
}
