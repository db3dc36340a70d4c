import { isoTime } from '../domain/iso-time.ts'
import type { Mail } from '../domain/mail.ts'

/** What of an account's sign-in was changed. */
export type Notice = keyof typeof NOTICES

const NOTICES = {
  password: 'The password of your account was changed.',
  email: 'The e-mail address of your account was changed: this one is no longer its.',
  'totp-on': 'A second factor was added to your account.',
  'totp-off': 'The second factor was taken away from your account.',
  passkey: 'A passkey was added to your account.',
  'passkey-off': 'A passkey was taken away from your account.',
  identity: 'A sign-in by another service was connected to your account.',
  'identity-off': 'A sign-in by another service was taken away from your account.',
  'password-off': 'The password of your account was removed.',
  'ways-in-off':
    'An operator took the password, the passkeys, the connected sign-ins and the tokens of your account away, and has a link for you by which it gets another password.',
  'recovery-codes': 'The recovery codes of your account were made anew.',
} as const

interface Addressed {
  readonly to: string
  /** Of the dashboard, such as `https://db.example.org`. */
  readonly origin: string
}

interface Link {
  readonly link: string
  /** Milliseconds since the Unix epoch. */
  readonly until: number
}

/** A link by which an account gets another password. @param address where it was asked for from */
export function resetMail({
  to,
  origin,
  link,
  until,
  address,
}: Addressed & Link & { address: string }): Mail {
  return {
    to,
    subject: `Another password at ${hostOf(origin)}`,
    text: paragraphs(
      `Somebody asked for another password of the account ${to} at ${origin}, from ${address}.`,
      `This link is good once, until ${timeText(until)}:`,
      link,
      'If that was not you, there is nothing to do: the password stays as it is.',
    ),
  }
}

export function invitationMail({ to, origin, link, until }: Addressed & Link): Mail {
  return {
    to,
    subject: `An account at ${hostOf(origin)}`,
    text: paragraphs(
      `An operator of ${origin} invites you to make an account there.`,
      `This link is good once, until ${timeText(until)}:`,
      link,
      'If you expected none, there is nothing to do: no account is made without the link.',
    ),
  }
}

export interface NoticeOptions extends Addressed {
  readonly notice: Notice
  readonly at: number
  /** Where it was done from; empty for what was done on the server itself. */
  readonly address: string
}

export function noticeMail({ to, origin, notice, at, address }: NoticeOptions): Mail {
  return {
    to,
    subject: `Your account at ${hostOf(origin)} was changed`,
    text: paragraphs(
      NOTICES[notice],
      `It is the account ${to} at ${origin}. It was done at ${timeText(at)}${address === '' ? '' : ` from ${address}`}.`,
      'If that was you, or is as you asked, there is nothing to do. If not, another password alone shuts nobody out:',
      `- On the page of your account, ${origin}/_/account, remove the passkeys and connected sign-ins that you don't know, end the sessions and tokens that are not yours, and then take another password.`,
      '- Where you do not get in, have an operator of the server remove all ways in. You get a link from them then.',
    ),
  }
}

export function testMail({ to, origin }: Addressed): Mail {
  return {
    to,
    subject: `Mail of ${hostOf(origin)} arrives`,
    text: paragraphs(`An operator of ${origin} tried whether its mail arrives. It does.`),
  }
}

function hostOf(origin: string): string {
  return new URL(origin).host
}

function paragraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`
}

/** In UTC, for nobody knows where its reader is. */
function timeText(at: number): string {
  return `${isoTime(at).slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')} UTC`
}
