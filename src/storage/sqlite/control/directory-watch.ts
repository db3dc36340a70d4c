import { AppError } from '../../../errors.ts'
import type { Directory } from '../../store.ts'
import type { ControlFile } from './control-file.ts'
import { DIRECTORY_GOOD_MS, DirectoryAge } from './directory-age.ts'

/** How often the control file is polled for changes by another process. A poll takes about a microsecond. */
const POLL_MS = 200

export interface DirectoryWatchOptions {
  /** Told of a poll that failed; of those that follow it, only when one has succeeded in between. */
  readonly onFailure: (error: unknown) => void
  /** Told of each row that can't be read, once, in a line for the log. */
  readonly onDamage?: (line: string) => void
}

/**
 * Watches the control file, on the thread that opened the store: a key that is revoked has to end within the second,
 * whatever it keeps the storage threads busy with.
 */
export class DirectoryWatch {
  private readonly control: ControlFile
  /** How old what was told last is; read on other threads, too. */
  readonly age: DirectoryAge
  private readonly options: DirectoryWatchOptions
  private toldDamages: ReadonlySet<string> = new Set()
  private polledAt = 0
  private onChange: (directory: Directory) => void = () => {}
  private timer: NodeJS.Timeout | undefined
  private version = -1
  private isFailing = false

  /** Closes the control file with itself. */
  constructor(control: ControlFile, options: DirectoryWatchOptions, age = new DirectoryAge()) {
    this.control = control
    this.options = options
    this.age = age
  }

  /** Tells the directory as it is, and from now on each time that it has changed. */
  start(onChange: (directory: Directory) => void): void {
    this.onChange = onChange
    this.timer = setInterval(() => this.tryToPoll(), POLL_MS).unref()
    this.poll()
  }

  /** Looks for changes now. @throws AppError `store_unavailable` */
  poll(): void {
    this.polledAt = performance.now()
    const version = this.control.version()
    if (version !== this.version) {
      const directory = this.control.readDirectory()
      this.version = version
      this.tellDamages(directory.damages)
      this.onChange(directory)
    }
    this.age.noteRead()
  }

  /**
   * Looks first where the timer is late, as it is behind work that took this thread for long.
   * @throws AppError `store_unavailable` where nothing could be read for `DIRECTORY_GOOD_MS`
   */
  checkAge(): void {
    if (this.age.isTooOld() && performance.now() - this.polledAt > POLL_MS) this.tryToPoll()
    this.age.check()
  }

  close(): void {
    clearInterval(this.timer)
    this.control.close()
  }

  private tryToPoll(): void {
    try {
      this.poll()
      this.isFailing = false
    } catch (error) {
      if (!this.isFailing) this.options.onFailure(unreadable(error))
      this.isFailing = true
    }
  }

  private tellDamages(damages: readonly string[]): void {
    for (const line of damages) if (!this.toldDamages.has(line)) this.options.onDamage?.(line)
    this.toldDamages = new Set(damages)
  }
}

function unreadable(cause: unknown): AppError {
  const message =
    `the apps and keys can't be read; ${DIRECTORY_GOOD_MS / 1000} seconds after the last time that they could, ` +
    'credentials are refused with 503 until they can'
  return new AppError('store_unavailable', message, { cause })
}
