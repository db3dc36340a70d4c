import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import type { LogSink } from './log-output.ts'

const STANDARD_ERROR = 2

/**
 * Standard error, so that nothing which it may be holds up a thread: a pipe that nobody reads, a terminal that was
 * stopped with Ctrl-S, a full disk. It depends on what it is:
 * - Pipes and sockets are given to Node.js, which makes them non-blocking.
 * - A file is written to by the thread pool, where a slow disk holds up nobody. (For a pipe that would not do: a process
 *   can't end while its thread pool writes.)
 * - A terminal is opened anew for that, because Node.js makes terminals blocking, and what is set on the one that was
 *   inherited holds for every process that has it.
 */
export function standardErrorSink(): LogSink {
  const about = fstatSync(STANDARD_ERROR)
  if (about.isFIFO() || about.isSocket()) return streamSink(process.stderr)
  return fileSink(about.isCharacterDevice() ? openedAnew() : STANDARD_ERROR)
}

function streamSink(stream: NodeJS.WriteStream): LogSink {
  // Whoever read is gone; the callback says so, too. Standard error stays open, and may be read again.
  stream.on('error', () => {})
  return {
    write: (bytes, done) => stream.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length)),
    writeNow: (bytes) => stream.write(bytes),
  }
}

function fileSink(file: number): LogSink {
  return {
    write: (bytes, done) => write(file, bytes, done),
    writeNow(bytes) {
      try {
        writeSync(file, bytes)
      } catch {
        // There is no place left to say so.
      }
    },
  }
}

function openedAnew(): number {
  const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync('/dev/stderr', O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY)
  } catch {
    // Another user's terminal, as after `su`.
    return STANDARD_ERROR
  }
}
