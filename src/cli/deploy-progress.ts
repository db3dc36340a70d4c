import type { Terminal } from './program.ts'
import { progressLine } from './progress-line.ts'

const SHOWN_EVERY_MS = 100

/** Shows how far a deploy is, and says what became of it where it is stopped. */
export class DeployProgress {
  private readonly terminal: Pick<Terminal, 'showProgress' | 'printError'>
  private readonly timer: NodeJS.Timeout | undefined
  private read = 0
  private length: number | undefined

  constructor(terminal: Pick<Terminal, 'showProgress' | 'printError'>) {
    this.terminal = terminal
    const { showProgress } = terminal
    if (showProgress === undefined) return
    const show = (): void => showProgress(progressLine({ read: this.read, length: this.length }))
    this.timer = setInterval(show, SHOWN_EVERY_MS)
  }

  /** That so many bytes more were read of files that are not sent yet. */
  noteRead(bytes: number): void {
    this.read += bytes
  }

  /** How many bytes are sent, and of how many. */
  noteSent(read: number, length: number | undefined): void {
    this.read = read
    this.length = length
  }

  /** A server makes nothing of a deploy before it has all of it. */
  sayStopped(): void {
    this.terminal.showProgress?.('')
    this.terminal.printError(
      this.length === undefined || this.read < this.length
        ? 'sheaf: stopped: nothing was deployed'
        : 'sheaf: stopped, and it is not known whether a version was made; look with --list',
    )
  }

  end(): void {
    clearInterval(this.timer)
    this.terminal.showProgress?.('')
  }
}
