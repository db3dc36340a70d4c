import type { Mail, MailServer } from '../domain/mail.ts'
import { createMailLimit, type LimitMail } from './mail-limits.ts'
import { type MailJob, MailQueue } from './mail-queue.ts'
import { createMailSender, type SendMail } from './send-mail.ts'

/** What operations send mail by. */
export interface MailService {
  readonly server: Pick<MailServer, 'host' | 'port' | 'security' | 'from'>
  /** Of the dashboard, such as `https://db.example.org`, as messages name it. */
  readonly origin: string
  /** Has a message made and sent for which nobody waits. */
  readonly later: (job: MailJob) => void
  /** Sends a message at once. @throws AppError `mail_failed`, `mail_refused` */
  readonly send: SendMail
  /** Of links for another password, which anybody may ask for, and of notices of changes. */
  readonly mayReset: LimitMail
  readonly mayNotice: LimitMail
  readonly close: () => Promise<void>
}

const RESETS = { perDay: 5, pauseMs: 5 * 60_000 }
const NOTICES = { perDay: 20, pauseMs: 0 }

export interface MailServiceOptions {
  readonly origin: string
  /** Told of each message that is given up. */
  readonly onFailure: (error: unknown) => void
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number
  readonly pausesMs?: readonly number[]
}

export function createMailService(
  { host, port, security, from, ...login }: MailServer,
  { origin, onFailure, now, pausesMs }: MailServiceOptions,
): MailService {
  const server = { host, port, security, from }
  const send: (mail: Mail) => Promise<void> = createMailSender({ ...server, ...login })
  const queue = new MailQueue({ send, onFailure, ...(pausesMs && { pausesMs }) })
  return {
    ...{
      server,
      origin,
      send,
      mayReset: createMailLimit(now, RESETS),
      mayNotice: createMailLimit(now, NOTICES),
    },
    later: (job) => queue.later(job),
    close: () => queue.close(),
  }
}
