import { Command } from 'commander'
import { type Config, configFrom } from '../../config.ts'
import { type FirstStart, firstStartText, greeting } from '../greeting.ts'
import { dataOption } from '../output.ts'
import type { Terminal } from '../program.ts'
import { stopSignal } from '../stop-signal.ts'

/** The part of a running server that the command needs. */
export interface ServedServer {
  readonly addresses: readonly string[]
  /** Where there is no account yet: what makes the first one. */
  readonly setupLink?: string | undefined
  close(): Promise<void>
}

interface ServeOptions {
  readonly data?: string
  readonly port?: string
  readonly host?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly sitesCert?: string
  readonly sitesKey?: string
  readonly acmeDomain?: readonly string[]
  readonly acmeEmail?: string
  readonly acmeDirectory?: string
  readonly acmeHttpPort?: string
  readonly acmeSites?: string
  readonly publicUrl?: string
  readonly sitesDomain?: string
  readonly openSignup?: string
  readonly serviceName?: readonly string[]
  readonly trustProxy?: readonly string[]
  readonly httpThreads?: string
  readonly logLevel?: string
  readonly autoIndex?: string
  readonly compression?: string
  readonly slowMs?: string
  readonly backupDir?: string
  readonly backupEvery?: string
  readonly backupKeep?: string
  readonly oidcIssuer?: string
  readonly oidcClientId?: string
  readonly oidcClientSecretFile?: string
  readonly oidcName?: string
  readonly oidcSignUp?: string
  readonly smtpUrlFile?: string
  readonly mailFrom?: string
  readonly alertErrorPercent?: string
  readonly webhookHost?: readonly string[]
}

/** `sheaf serve`: serves until a signal asks it to stop. */
export function serveCommand({ env, print, say }: Terminal): Command {
  const command = new Command('serve').description('serve a data folder over HTTPS')
  return addMessageOptions(addSignInOptions(addListeningOptions(command)))
    .option(
      '--public-url <url>',
      'what browsers reach the dashboard by, for links: https://db.example.org (SHEAF_PUBLIC_URL, else the address that is printed)',
    )
    .option(
      '--sites-domain <domain>',
      'the domain below which apps have their sites, or off (SHEAF_SITES_DOMAIN, else localhost)',
    )
    .option(
      '--service-name <name>',
      'another name beside Service, Flybase and DataMcFly in headers and placeholders; may be repeated; none takes those two away (SHEAF_SERVICE_NAMES, with commas)',
      (name: string, names: readonly string[] | undefined) => [...(names ?? []), name],
    )
    .option(
      '--trust-proxy <cidr...>',
      'networks of proxies whose X-Forwarded-For and Forwarded are believed (SHEAF_TRUST_PROXY, with commas)',
    )
    .option(
      '--http-threads <number>',
      'threads that speak HTTP and TLS (SHEAF_HTTP_THREADS, else one less than there are cores, at most 8)',
    )
    .option(
      '--log-level <level>',
      'silent, error, warn, info (a line for each request) or debug (SHEAF_LOG_LEVEL, else warn)',
    )
    .option(
      '--auto-index <on|off>',
      'whether indexes are made and dropped without being asked for (SHEAF_AUTO_INDEX, else on)',
    )
    .option(
      '--compression <on|off>',
      'whether answers are compressed for clients that ask for it (SHEAF_COMPRESSION, else on)',
    )
    .option('--slow-ms <number>', 'the time from which on a query is slow (SHEAF_SLOW_MS, else 500)')
    .option('--backup-dir <dir>', 'a folder in which backups of everything are made (SHEAF_BACKUP_DIR)')
    .option(
      '--backup-every <duration>',
      'how often: 1d, 6h, 30m (SHEAF_BACKUP_EVERY, else when an operator asks)',
    )
    .option('--backup-keep <number>', 'how many there are, the oldest go (SHEAF_BACKUP_KEEP, else 7)')
    .action(async (options: ServeOptions) => {
      const config = configFrom(env, options)
      // Here and not above, so that every other command starts without loading the server.
      const { startServer } = await import('../../main.ts')
      await serve(config, { startServer, print, say, now: () => performance.now() })
      // All is on the disk and every connection is closed; nothing that is left may hold the process back.
      process.exit(0)
    })
}

/** Where the server is found, and what it shows there. */
function addListeningOptions(command: Command): Command {
  return command
    .addOption(dataOption())
    .option('--port <number>', 'the port to listen on; 0 takes a free one (SHEAF_PORT, else 8443)')
    .option('--host <address>', 'the address to listen on (SHEAF_HOST, else localhost: IPv4 and IPv6)')
    .option('--tls-cert <file>', 'a certificate of your own, with its chain, in PEM (SHEAF_TLS_CERT)')
    .option('--tls-key <file>', "the certificate's private key in PEM (SHEAF_TLS_KEY)")
    .option(
      '--sites-cert <file>',
      'a certificate for hosts of sites in PEM, such as a wildcard; takes --sites-key (SHEAF_SITES_CERT)',
    )
    .option('--sites-key <file>', 'its private key in PEM (SHEAF_SITES_KEY)')
    .option(
      '--acme-domain <name...>',
      "public names to get a certificate for by ACME, which agrees to the authority's terms (SHEAF_ACME_DOMAINS, with commas)",
    )
    .option('--acme-email <address>', 'where the authority may write to (SHEAF_ACME_EMAIL)')
    .option('--acme-directory <url>', "the authority (SHEAF_ACME_DIRECTORY, else Let's Encrypt)")
    .option(
      '--acme-http-port <number>',
      'where challenges are answered while an order is open (SHEAF_ACME_HTTP_PORT, else 80)',
    )
    .option(
      '--acme-sites <on|off>',
      'whether hosts of sites get certificates by ACME, too (SHEAF_ACME_SITES, else on)',
    )
}

/** Mail to people, and alerts to programs. */
function addMessageOptions(command: Command): Command {
  return command
    .option(
      '--smtp-url-file <file>',
      'a file with the mail server: smtps://user:password@smtp.example.org (SHEAF_SMTP_URL_FILE, or the server itself in SHEAF_SMTP_URL)',
    )
    .option('--mail-from <address>', 'the address that mail is from (SHEAF_MAIL_FROM)')
    .option(
      '--alert-error-percent <number>',
      'the part of requests that fail from which on operators are alerted (SHEAF_ALERT_ERROR_PERCENT, else 5)',
    )
    .option(
      '--webhook-host <host...>',
      'hosts inside your network that alerts may be told to (SHEAF_WEBHOOK_HOSTS, with commas)',
    )
}

/** How people get in to the dashboard. */
function addSignInOptions(command: Command): Command {
  return command
    .option('--open-signup <on|off>', 'whether anybody may make an account (SHEAF_OPEN_SIGNUP, else off)')
    .option(
      '--oidc-issuer <url>',
      'an OpenID provider that accounts are signed in to by (SHEAF_OIDC_ISSUER); its secret for this server is SHEAF_OIDC_CLIENT_SECRET',
    )
    .option('--oidc-client-id <id>', 'what this server is called there (SHEAF_OIDC_CLIENT_ID)')
    .option('--oidc-client-secret-file <file>', 'a file with that secret (SHEAF_OIDC_CLIENT_SECRET_FILE)')
    .option(
      '--oidc-name <name>',
      'what people call the provider, for a button (SHEAF_OIDC_NAME, else its host)',
    )
    .option(
      '--oidc-sign-up <on|off>',
      'whether everybody whom the provider lets in may make an account (SHEAF_OIDC_SIGN_UP, else off)',
    )
}

interface ServeTools extends Pick<Terminal, 'print' | 'say'> {
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number
  readonly startServer: (config: Config, onFirstStart: (first: FirstStart) => void) => Promise<ServedServer>
}

/**
 * Starts a server, says where it is, and closes it when a signal comes.
 * @throws AppError what `startServer` throws, and `output_failed` where the key of a first start can't be shown
 */
export async function serve(config: Config, { startServer, print, say, now }: ServeTools): Promise<void> {
  const stopped = stopSignal(now)
  let firstStart: FirstStart | undefined
  const server = await startServer(config, (first) => {
    // The key is shown nowhere else; all else that a server prints can be missed.
    print(firstStartText(first))
    firstStart = first
  })
  say(greeting(config, { ...server, firstStart }))
  await stopped
  await server.close()
}
