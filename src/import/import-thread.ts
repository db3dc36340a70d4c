import { parentPort, workerData } from 'node:worker_threads'
import type { Limits } from '../domain/limits.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { createReader } from './create-reader.ts'
import type { ImportOptions } from './import-options.ts'
import { type PreviewOptions, previewImport } from './preview-import.ts'
import { type BatchOptions, type RecordBatch, RecordBatches } from './record-batches.ts'

/** What the thread is started for: to read a file, or to show how it would be read. */
export type ImportTask =
  | { readonly kind: 'read'; readonly limits: Limits; readonly options: ImportOptions & BatchOptions }
  | {
      readonly kind: 'preview'
      readonly limits: Limits
      readonly options: PreviewOptions
      readonly bytes: Uint8Array
    }

/** Batches that are sent ahead of those that were taken. */
const BATCHES_AHEAD = 2
/** Looked at in one go. A row of two bytes may make a document of a kilobyte, by the name of its column. */
const PART_BYTES = 16 * 1024

export type ToImportThread =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' }
  /** A batch was taken. */
  | { readonly kind: 'taken' }

export type FromImportThread =
  /** A piece was taken apart. */
  | { readonly kind: 'more' }
  | { readonly kind: 'batch'; readonly batch: RecordBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'preview'; readonly text: string }
  | { readonly kind: 'failure'; readonly code: ErrorCode; readonly message: string; readonly cause?: unknown }

const task = workerData as ImportTask

function send(message: FromImportThread): void {
  parentPort!.postMessage(message)
}

function fail(error: unknown): void {
  if (error instanceof AppError) send({ kind: 'failure', code: error.code, message: error.message })
  else send({ kind: 'failure', code: 'internal', message: 'something went wrong inside', cause: error })
}

/** Reads a file as its pieces come, and no faster than its batches are taken. */
function readFile(limits: Limits, options: ImportOptions & BatchOptions): void {
  const batches = new RecordBatches(options)
  const reader = createReader({ limits, options, sink: batches })
  let ahead = 0
  let onTaken = (): void => {}
  const sendBatch = async (): Promise<void> => {
    send({ kind: 'batch', batch: batches.take() })
    ahead++
    while (ahead >= BATCHES_AHEAD) await new Promise<void>((resolve) => (onTaken = resolve))
  }
  const take = async (message: Exclude<ToImportThread, { readonly kind: 'taken' }>): Promise<void> => {
    if (message.kind === 'end') {
      await reader.end()
      if (!batches.isEmpty) send({ kind: 'batch', batch: batches.take() })
      send({ kind: 'end' })
      return
    }
    const piece = Buffer.from(message.bytes.buffer)
    for (let at = 0; at < piece.length; at += PART_BYTES) {
      await reader.push(piece.subarray(at, at + PART_BYTES))
      if (batches.isFull) await sendBatch()
    }
    send({ kind: 'more' })
  }
  let done = Promise.resolve()
  parentPort!.on('message', (message: ToImportThread) => {
    if (message.kind !== 'taken') {
      done = done.then(() => take(message))
      done.catch(fail)
      return
    }
    ahead--
    onTaken()
  })
}

if (task.kind === 'read') readFile(task.limits, task.options)
else
  previewImport(Buffer.from(task.bytes), task.options, task.limits).then(
    (text) => send({ kind: 'preview', text }),
    fail,
  )
