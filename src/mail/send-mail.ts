import { emailProblem } from '../domain/accounts.ts'
import type { Mail, MailServer } from '../domain/mail.ts'
import { AppError } from '../errors.ts'

/** Resolves when the mail server has taken the message. @throws AppError `mail_failed`, `mail_refused` */
export type SendMail = (mail: Mail) => Promise<void>

/** Of a connection, of the first words on it, and of each silence after that. */
const CONNECTION_MS = 10_000
const SILENCE_MS = 15_000

/** What of a failure of the transport can be told. */
interface TransportFailure extends Error {
  readonly code?: string
  readonly command?: string
  /** Of SMTP. */
  readonly responseCode?: number
}

/** Sends by SMTP, each message on a connection of its own. The library is loaded by the first one. */
export function createMailSender({ host, port, security, user, password, from }: MailServer): SendMail {
  const options = {
    ...{ host, port, secure: security === 'tls' },
    ...{ requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: CONNECTION_MS, greetingTimeout: CONNECTION_MS, socketTimeout: SILENCE_MS },
    // Text comes from here alone, and is never a file or an address to read.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  }
  return async ({ to, subject, text }) => {
    // The library would mend what is none, and send it to somebody else.
    if (emailProblem(to) !== undefined)
      throw new AppError('mail_refused', 'the recipient has no address that mail can be sent to')
    const { createTransport } = await import('nodemailer')
    try {
      await createTransport(options).sendMail({
        from: { name: 'Sheaf', address: from },
        // Not a text, which would be taken apart at its commas.
        to: { name: '', address: to },
        ...{ subject, text },
        // Nobody who is away answers (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      throw failureOf(error as TransportFailure)
    }
  }
}

/**
 * Without what the server says in words, for that has the address in it, and logs hold no addresses of people who asked for
 * nothing here.
 */
function failureOf(error: TransportFailure): AppError {
  const { code = error.name, command, responseCode } = error
  const isRefused = responseCode === undefined ? code === 'EENVELOPE' : responseCode >= 500
  const told = [code, command, responseCode].filter((part) => part !== undefined).join(' ')
  return isRefused
    ? new AppError('mail_refused', `the mail server refused the message (${told})`, { cause: error })
    : new AppError('mail_failed', `the mail server could not be reached, or failed (${told})`, {
        cause: error,
      })
}
