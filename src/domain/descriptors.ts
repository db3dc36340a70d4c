import { AppError } from '../errors.ts'

/** What the process holds open however little it has to do: the control file, the listening sockets, its streams. */
const PROCESS = 40
/** What the event loop of one thread takes: 7 or 8 by count. */
const THREAD = 8
/** Threads that come and go: for work on indexes, for checkpoints, and one for large bodies for each that serves HTTP. */
const PASSING_THREADS = 2
/** Connections of the embedded store that come beside those of its threads: the work on indexes, a look for it. */
const PASSING_CONNECTIONS = 2
/** An app's file and its log, for each thread that has it open, and a share of the memory that these have in common. */
const APP = 3
/** Where a thread keeps more apps open, it is no faster. */
const MOST_APPS = 64
const LEAST_CONNECTIONS = 8

export interface DescriptorUsers {
  /** Those that read and the one that writes. */
  readonly storageThreads: number
  readonly httpThreads: number
  /** Connections that are wanted. */
  readonly openConnections: number
}

export interface DescriptorShares {
  readonly openConnections: number
  /** Apps whose files one storage thread keeps open. */
  readonly openApps: number
}

/**
 * Divides the descriptors that the system lets the process have: after what it needs itself, a third is for the files of
 * apps, as far as that is of use, and the rest for connections.
 * @param openFiles the soft limit of the system; undefined where there is none
 * @throws AppError `invalid_configuration` where they are too few to serve with
 */
export function divideDescriptors(
  openFiles: number | undefined,
  { storageThreads, httpThreads, openConnections }: DescriptorUsers,
): DescriptorShares {
  if (openFiles === undefined) return { openConnections, openApps: MOST_APPS }
  const threads = 1 + storageThreads + PASSING_THREADS + 2 * httpThreads
  // The thread for checkpoints has the files open, too.
  const oneApp = APP * (storageThreads + 1)
  const reserved = PROCESS + THREAD * threads + APP * PASSING_CONNECTIONS
  const left = openFiles - reserved
  const openApps = Math.min(MOST_APPS, Math.max(1, Math.floor(left / 3 / oneApp)))
  const connections = left - openApps * oneApp
  if (connections < LEAST_CONNECTIONS) throw tooFew(openFiles, reserved + oneApp + LEAST_CONNECTIONS)
  return { openConnections: Math.min(openConnections, connections), openApps }
}

function tooFew(openFiles: number, least: number): AppError {
  return new AppError(
    'invalid_configuration',
    `the system lets this process open ${openFiles} files at once, and with this number of threads it needs ${least}; ` +
      'raise the limit (ulimit -n, or LimitNOFILE in a unit of systemd)',
  )
}

/** Whether the process, or the whole system, has as many files open as it may. */
export function isOutOfDescriptors(error: unknown): boolean {
  return descriptorCode(error) !== undefined
}

/** The same in words, for the log. */
export function outOfDescriptors(error: unknown): string {
  return `too many open files (${descriptorCode(error) ?? 'EMFILE'}); raise ulimit -n, or LimitNOFILE in a unit of systemd`
}

function descriptorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  // A thread that could not be started says it in its message alone.
  const code = error.code === 'ERR_WORKER_INIT_FAILED' ? error.message.split(': ').at(-1) : error.code
  return code === 'EMFILE' || code === 'ENFILE' ? code : undefined
}
