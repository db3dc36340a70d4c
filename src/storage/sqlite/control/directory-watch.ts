import type { Directory } from '../../store.ts'
import { openControl, type SqliteControl } from './control.ts'

/** How often the control file is looked at for changes by another process. A look takes about a microsecond. */
const POLL_MS = 200

export interface DirectoryWatchOptions {
  readonly dataDir: string
  /** Told of a look that failed; of those that follow it, only when one has succeeded in between. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Watches the control file, on the thread that opened the store: a key that is revoked has to end within the second,
 * whatever it keeps the storage threads busy with.
 */
export class DirectoryWatch {
  private readonly control: SqliteControl
  private readonly onFailure: (error: unknown) => void
  private onChange: (directory: Directory) => void = () => {}
  private poll: NodeJS.Timeout | undefined
  private version = -1
  private isFailing = false

  /** @throws AppError `data_folder_unusable` */
  constructor({ dataDir, onFailure }: DirectoryWatchOptions) {
    this.control = openControl(dataDir)
    this.onFailure = onFailure
  }

  /** Tells the directory as it is, and from now on each time that it has changed. */
  start(onChange: (directory: Directory) => void): void {
    this.onChange = onChange
    this.poll = setInterval(() => this.tryToLook(), POLL_MS).unref()
    this.look()
  }

  /** Looks for changes now. @throws AppError `store_unavailable` */
  look(): void {
    const version = this.control.version()
    if (version === this.version) return
    const directory = this.control.readDirectory()
    this.version = version
    this.onChange(directory)
  }

  close(): void {
    clearInterval(this.poll)
    void this.control.close()
  }

  private tryToLook(): void {
    try {
      this.look()
      this.isFailing = false
    } catch (error) {
      if (!this.isFailing) this.onFailure(error)
      this.isFailing = true
    }
  }
}
