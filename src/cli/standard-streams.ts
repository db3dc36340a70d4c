import { writeSync, write as writeToFile } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { systemProblem } from '../domain/system-problem.ts'
import { AppError } from '../errors.ts'

const STANDARD_OUTPUT = 1
const RETRY_MS = 10
const writeBytes = promisify(writeToFile)
/** Nobody wakes up those who wait for it. */
const NEVER = new Int32Array(new SharedArrayBuffer(4))

const READERS_PROBLEMS: Readonly<Record<string, string>> = Object.freeze({
  EPIPE: 'nobody reads it any more',
  // The same of a socket, with which some programs start others, where it had not read all.
  ECONNRESET: 'nobody reads it any more',
  EIO: 'its terminal is gone',
  EBADF: 'it is not open for writing',
})

/**
 * Prints the result of a command. When this returns, all of it was handed over; that is what "shown" means here, and it
 * waits for a slow reader, as for a pager.
 * @throws AppError `output_failed`
 */
export function print(text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  for (let written = 0; written < bytes.length; )
    try {
      written += writeSync(STANDARD_OUTPUT, bytes, written)
    } catch (error) {
      // A pipe that whoever started this process has made non-blocking, and that is full.
      if (codeOf(error) === 'EAGAIN') Atomics.wait(NEVER, 0, 0, RETRY_MS)
      else throw outputFailed(error)
    }
}

/** The same of some bytes of many, while whoever started it goes on with other things. @throws AppError `output_failed` */
export async function write(bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; )
    try {
      written += (await writeBytes(STANDARD_OUTPUT, bytes, written)).bytesWritten
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') await wait(RETRY_MS)
      else throw outputFailed(error)
    }
}

/** Shows a line on a terminal in the place of the one before; an empty one leaves nothing. */
export function showProgress(line: string): void {
  printError(`\r${line}\u001b[K`)
}

/** Prints what need not be read by anyone: never waits for a pipe, and never fails. */
export function say(text: string): void {
  process.stdout.on('error', () => {})
  process.stdout.write(text)
}

/** Prints what is said beside a result; where it can't be said there is no place left to say that. */
export function printError(text: string): void {
  process.stderr.on('error', () => {})
  process.stderr.write(text)
}

function outputFailed(error: unknown): AppError {
  const problem = systemProblem(error) ?? READERS_PROBLEMS[codeOf(error)] ?? (error as Error).message
  return new AppError('output_failed', `standard output can't be written: ${problem}`, { cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
