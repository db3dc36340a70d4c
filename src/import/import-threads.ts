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
/** Threads that may run at once: each takes some 50 MiB, and a processor. */
const MOST_THREADS = 4

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
   * @throws AppError what ends the import; `overloaded`, `store_unavailable`; what the pieces throw
   */
  async *read(pieces: FilePieces, options: ImportOptions & BatchOptions): AsyncGenerator<RecordBatch> {
    const { limits } = this.options
    const thread = this.start({ kind: 'read', limits, options })
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

  private start(task: ImportTask): ImportThread {
    if (this.isClosing) throw stopping()
    if (this.open.size >= MOST_THREADS)
      throw new AppError('overloaded', 'too many files are being imported at once; try again in a moment')
    const thread = new ImportThread(task, this.options)
    this.open.add(thread)
    return thread
  }

  private end(thread: ImportThread): void {
    this.open.delete(thread)
    thread.end()
  }
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
  private readonly worker: Worker
  private readonly messages: FromImportThread[] = []
  private failure: { readonly error: unknown } | undefined
  private wake = (): void => {}

  constructor(task: ImportTask, { heap, onFailure }: ImportThreadsOptions) {
    this.worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
      workerData: task,
      ...(heap && { resourceLimits: heap }),
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

function stopping(): AppError {
  return new AppError('store_unavailable', 'the server is stopping')
}
