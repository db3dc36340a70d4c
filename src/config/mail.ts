import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { emailProblem } from '../domain/accounts.ts'
import type { MailServer } from '../domain/mail.ts'
import { type Environment, invalid, setting } from './settings.ts'

export interface MailArgs {
  readonly smtpUrlFile?: string | undefined
  readonly mailFrom?: string | undefined
}

/** Of submission (RFC 8314): TLS from the beginning, or STARTTLS. */
const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const
/** What would make several addresses of one, or a name and an address. */
const UNUSUAL = /[,;:<>()[\]\\"]/

/**
 * Undefined where no mail is sent. The URL has a password in it, so that there is no option for it, which everybody on the
 * machine could read.
 * @throws AppError `invalid_configuration`
 */
export function mailFrom(
  env: Environment,
  args: MailArgs,
  publicUrl: string | undefined,
): MailServer | undefined {
  const file = setting(args.smtpUrlFile, '--smtp-url-file', env.SHEAF_SMTP_URL_FILE)
  const given = setting(undefined, '', env.SHEAF_SMTP_URL)
  const from = setting(args.mailFrom, '--mail-from', env.SHEAF_MAIL_FROM)
  if (file !== undefined && given !== undefined)
    throw invalid('SHEAF_SMTP_URL and --smtp-url-file say the same; give one of them')
  const url = file === undefined ? given : contentOf(file)
  if (url === undefined) {
    if (from === undefined) return undefined
    throw invalid(
      '--mail-from says nothing without a mail server: give SHEAF_SMTP_URL or --smtp-url-file, too',
    )
  }
  if (from === undefined || emailProblem(from) !== undefined || UNUSUAL.test(from))
    throw invalid(
      'mail needs an address that it is from, and nothing beside it: --mail-from sheaf@example.org (SHEAF_MAIL_FROM)',
    )
  if (publicUrl === undefined)
    throw invalid('mail has links in it that lead here from everywhere: give --public-url, too')
  return { ...serverFrom(url), from }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw invalid(`--smtp-url-file can't be read: ${(error as Error).message}`)
  }
}

/** No message quotes the URL, for the password is in it. */
function serverFrom(text: string): Omit<MailServer, 'from'> {
  const url = URL.parse(text)
  const scheme = url?.protocol
  if (
    url === null ||
    (scheme !== 'smtps:' && scheme !== 'smtp:') ||
    !/^\/?$/.test(url.pathname) ||
    url.hostname === ''
  )
    throw invalid(FORM)
  if (url.search !== '' || url.hash !== '') throw invalid(FORM)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const security = scheme === 'smtps:' ? 'tls' : isLoopback(host) ? 'none' : 'starttls'
  return {
    ...{ host, security, port: url.port === '' ? PORTS[scheme] : Number(url.port) },
    ...(url.username !== '' && { user: decoded(url.username), password: decoded(url.password) }),
  }
}

const FORM =
  'the mail server (SHEAF_SMTP_URL, --smtp-url-file) is written as smtps://user:password@smtp.example.org:465, or with ' +
  'smtp:// where it begins TLS by STARTTLS; what is special in user and password is percent-encoded'

function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(FORM)
  }
}
