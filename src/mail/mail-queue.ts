import type { Mail } from '../domain/mail.ts'
import { AppError } from '../errors.ts'
import type { SendMail } from './send-mail.ts'

export interface MailJob {
  /** What it is, for the log: `the mail about …`. */
  readonly about: string
  /** Makes the message, once; undefined where there is none to send after all. */
  readonly compose: () => Promise<Mail | undefined>
}

interface QueuedJob extends MailJob {
  mail?: Mail | undefined
  failures: number
}

export interface MailQueueOptions {
  readonly send: SendMail
  /** Told in words of each message that is given up, and of anything that nobody expected. */
  readonly onFailure: (error: unknown) => void
  /** Before each further attempt. */
  readonly pausesMs?: readonly number[]
}

/** Messages that wait, are sent, or pause at a time. */
const MOST_JOBS = 1_000
const SENT_AT_ONCE = 4
/** Short of the hour that a link is good for. */
const PAUSES_MS = [10_000, 60_000, 5 * 60_000]

/** Messages on their way out, for whom nobody waits. They are in memory alone: a stop loses those that were not sent. */
export class MailQueue {
  private readonly options: MailQueueOptions
  private readonly waiting: QueuedJob[] = []
  private readonly sending = new Set<Promise<void>>()
  private readonly pauses = new Set<NodeJS.Timeout>()
  private isFullTold = false
  private isClosed = false

  constructor(options: MailQueueOptions) {
    this.options = options
  }

  /** Has a message made and sent. One too many is dropped, which is told once until there is room again. */
  later(job: MailJob): void {
    if (this.isClosed) return
    const isFull = this.waiting.length + this.sending.size + this.pauses.size >= MOST_JOBS
    if (isFull && !this.isFullTold)
      this.options.onFailure(
        new AppError('mail_failed', `mail is dropped: ${MOST_JOBS} messages wait to be sent`),
      )
    this.isFullTold = isFull
    if (!isFull) this.enqueue({ ...job, failures: 0 })
  }

  /** What is being sent is waited for, no longer than a silent server is. */
  async close(): Promise<void> {
    this.isClosed = true
    this.waiting.length = 0
    for (const pause of this.pauses) clearTimeout(pause)
    await Promise.all(this.sending)
  }

  private enqueue(job: QueuedJob): void {
    this.waiting.push(job)
    this.sendNext()
  }

  private sendNext(): void {
    while (this.sending.size < SENT_AT_ONCE && this.waiting.length > 0) {
      const sent = this.attempt(this.waiting.shift()!).finally(() => {
        this.sending.delete(sent)
        this.sendNext()
      })
      this.sending.add(sent)
    }
  }

  private async attempt(job: QueuedJob): Promise<void> {
    try {
      job.mail ??= await job.compose()
      if (job.mail !== undefined) await this.options.send(job.mail)
    } catch (error) {
      this.failed(job, error)
    }
  }

  private failed(job: QueuedJob, error: unknown): void {
    const { pausesMs = PAUSES_MS, onFailure } = this.options
    const isPassing = error instanceof AppError && error.code === 'mail_failed'
    const pauseMs = isPassing && !this.isClosed ? pausesMs[job.failures++] : undefined
    if (pauseMs === undefined) {
      onFailure(givenUp(job, error))
      return
    }
    const pause = setTimeout(() => {
      this.pauses.delete(pause)
      this.enqueue(job)
    }, pauseMs)
    this.pauses.add(pause)
  }
}

/** What nobody expected keeps its stack. */
function givenUp({ about }: MailJob, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  return new AppError(error.code, `the mail about ${about} was not sent: ${error.message}`)
}
