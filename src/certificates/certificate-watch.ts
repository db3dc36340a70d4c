import { statSync } from 'node:fs'
import type { CertificateLog } from './load-or-create-certificate.ts'

/** How often the files are checked: watching them misses what is replaced by renaming, and network file systems. */
const CHECK_MS = 2_000
/** Checks between two tries to make a certificate anew: ten minutes. */
const RETRY_CHECKS = 300

export interface CertificateWatchOptions {
  /** The certificate and its key. */
  readonly files: readonly string[]
  /**
   * Reads the files again and begins to serve with them.
   * @throws where they can't be used
   */
  readonly reload: () => Promise<void>
  /** Whether what is served has to be made anew, which `reload` then does. */
  readonly isDue: () => boolean
  /** Called with every check. */
  readonly onCheck: () => void
  readonly log: CertificateLog
}

/**
 * Takes up a certificate that was replaced while the server runs, and has one made anew when it is time. Files that are
 * just being written are waited for: a change counts when two checks in a row find the same. With files that can't be
 * used the old certificate stays, and the log says so once.
 */
export class CertificateWatch {
  private readonly options: CertificateWatchOptions
  private readonly timer: NodeJS.Timeout
  private served: string
  private lastSeen: string
  private pausedChecks = 0
  private isChecking = false
  /** Why the last check failed; empty where it didn't. */
  private failure = ''

  constructor(options: CertificateWatchOptions) {
    this.options = options
    this.served = stampOf(options.files)
    this.lastSeen = this.served
    this.timer = setInterval(() => this.check(), CHECK_MS).unref()
  }

  close(): void {
    clearInterval(this.timer)
  }

  /** Checks the files once; called by the timer. It never rejects: what fails in it is said, once for each reason. */
  async check(): Promise<void> {
    if (this.isChecking) return
    this.isChecking = true
    try {
      await this.checkFiles()
      this.failure = ''
    } catch (error) {
      this.say(messageOf(error))
    } finally {
      this.isChecking = false
    }
  }

  private say(failure: string): void {
    if (failure === this.failure) return
    this.failure = failure
    this.options.log.warn(`the TLS certificate could not be looked at, the old one stays: ${failure}`)
  }

  private async checkFiles(): Promise<void> {
    const { files, isDue, onCheck } = this.options
    this.pausedChecks = Math.max(0, this.pausedChecks - 1)
    const stamp = stampOf(files)
    const isSettled = stamp === this.lastSeen
    this.lastSeen = stamp
    if (isSettled && stamp !== this.served) await this.takeUp(stamp)
    else if (this.pausedChecks === 0 && isDue()) await this.renew()
    onCheck()
  }

  private async takeUp(stamp: string): Promise<void> {
    const { reload, log } = this.options
    this.served = stamp
    try {
      await reload()
      log.info('the TLS certificate was replaced; new connections get the new one')
    } catch (error) {
      log.warn(`the new TLS certificate is not used, the old one stays: ${messageOf(error)}`)
    }
  }

  private async renew(): Promise<void> {
    const { files, reload, log } = this.options
    try {
      await reload()
      this.served = stampOf(files)
      this.lastSeen = this.served
    } catch (error) {
      this.pausedChecks = RETRY_CHECKS
      log.warn(`the self-made TLS certificate can't be made anew, the old one stays: ${messageOf(error)}`)
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Changes whenever a file is written or replaced. */
function stampOf(files: readonly string[]): string {
  return files.map(stampOfFile).join(' ')
}

function stampOfFile(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file)
    return `${ino}/${size}/${mtimeMs}/${ctimeMs}`
  } catch {
    return 'missing'
  }
}
