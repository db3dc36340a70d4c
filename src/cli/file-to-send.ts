import { createReadStream, openSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { Terminal } from './program.ts'

/** A file, or standard input, that is sent somewhere once. */
export interface FileToSend {
  /** Undefined where nobody knows before. */
  readonly length: number | undefined
  /** Whether the last byte of `content` was taken. */
  readonly isSent: boolean
  /** Its first bytes, as many as that where there are as many; they are in `content`, too. */
  beginning(bytes: number): Promise<Buffer>
  /** All of it. @param onRead told how many bytes were read */
  content(onRead: (bytes: number) => void): Readable
}

const STANDARD_INPUT = '-'
const READ_BYTES = 256 * 1024

/** What the system says of a path, in words. */
const PROBLEMS: Readonly<Record<string, (path: string) => string>> = Object.freeze({
  ENOENT: (path) => `there is no file ${path}`,
  ENOTDIR: (path) => `there is no file ${path}`,
  EACCES: (path) => `${path} may not be read by this user`,
  EPERM: (path) => `${path} may not be read by this user`,
  EISDIR: (path) => `${path} is a folder; name a file in it`,
})

/**
 * What a command is to send.
 * @param name a path, or `-` for standard input
 * @throws AppError `input_failed`, here and where it is read
 */
export function fileToSend(
  name: string,
  { input, printError }: Pick<Terminal, 'input' | 'printError'>,
): FileToSend {
  if (name !== STANDARD_INPUT) return openedFile(name)
  const source = input()
  if (source.isTTY) printError('sheaf: write the documents, and then press Ctrl-D')
  return new SentFile(source, undefined)
}

class SentFile implements FileToSend {
  readonly length: number | undefined
  isSent = false
  private readonly chunks: AsyncIterator<Uint8Array | string>
  private readonly read: Buffer[] = []
  private isEnded = false

  constructor(source: AsyncIterable<Uint8Array | string>, length: number | undefined) {
    this.length = length
    this.chunks = source[Symbol.asyncIterator]()
  }

  async beginning(bytes: number): Promise<Buffer> {
    let known = 0
    while (known < bytes) {
      const chunk = await this.next()
      if (chunk === undefined) break
      this.read.push(chunk)
      known += chunk.length
    }
    return Buffer.concat(this.read).subarray(0, bytes)
  }

  content(onRead: (bytes: number) => void): Readable {
    return Readable.from(this.all(onRead), { objectMode: false })
  }

  private async *all(onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
    try {
      let chunk = this.read.shift() ?? (await this.next())
      while (chunk !== undefined) {
        onRead(chunk.length)
        yield chunk
        chunk = this.read.shift() ?? (await this.next())
      }
      this.isSent = true
    } finally {
      await this.chunks.return?.()
    }
  }

  private async next(): Promise<Buffer | undefined> {
    if (this.isEnded) return undefined
    const { done, value } = await this.chunks.next().catch((error: unknown) => {
      throw inputFailed(error)
    })
    this.isEnded = done === true
    return done ? undefined : Buffer.from(value as Uint8Array)
  }
}

/** @throws AppError `input_failed` */
function openedFile(path: string): FileToSend {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    // Opened at once, so that what is wrong with it is told before a server is asked.
    const stream = createReadStream(path, { fd: openSync(path, 'r'), highWaterMark: READ_BYTES })
    // A pipe, such as a shell makes, has no length.
    return new SentFile(stream, stats.isFile() ? stats.size : undefined)
  } catch (error) {
    const problem = PROBLEMS[(error as NodeJS.ErrnoException).code ?? '']
    throw problem === undefined
      ? inputFailed(error)
      : new AppError('input_failed', problem(path), { cause: error })
  }
}

function inputFailed(cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('input_failed', `what is to be sent can't be read: ${reason}`, { cause })
}
