import { Command, InvalidArgumentError } from 'commander'
import { packageVersion } from '../config/package-version.ts'
import { accountCommand } from './commands/account.ts'
import { appCommand } from './commands/app.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommand } from './commands/backup.ts'
import { collectionCommand } from './commands/collection.ts'
import { compactCommand } from './commands/compact.ts'
import { deployCommand } from './commands/deploy.ts'
import { explainCommand } from './commands/explain.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { indexCommand } from './commands/index.ts'
import { keyCommand } from './commands/key.ts'
import { restoreCommand } from './commands/restore.ts'
import { serveCommand } from './commands/serve.ts'
import { slowCommand } from './commands/slow.ts'
import { tokenCommand } from './commands/token.ts'
import { UsageError } from './failure-line.ts'

/** What a command has of the outside. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** For results, which have been handed over when it returns. @throws AppError `output_failed` */
  readonly print: (text: string | Uint8Array) => void
  /**
   * For long results, some bytes at a time. It waits for a slow reader, while the process goes on with other things.
   * @throws AppError `output_failed`
   */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Shows a line in the place of the one that it showed before; undefined where nobody watches. */
  readonly showProgress?: ((line: string) => void) | undefined
  /** For what nobody has to read. It never waits, and never fails. */
  readonly say: (text: string) => void
  /** For what is said beside a result, a line or more at a time. */
  readonly printError: (text: string) => void
  /** Standard input, for those that read it. */
  readonly input: () => AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean }
}

/** The `sheaf` command. Nothing in it ends the process: what goes wrong is thrown, and said in one line. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('sheaf')
    .description('A JSON document store over HTTPS')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', ENVIRONMENT)
    .addCommand(serveCommand(terminal))
    .addCommand(appCommand(terminal))
    .addCommand(keyCommand(terminal))
    .addCommand(accountCommand(terminal))
    .addCommand(collectionCommand(terminal))
    .addCommand(indexCommand(terminal))
    .addCommand(explainCommand(terminal))
    .addCommand(slowCommand(terminal))
    .addCommand(tokenCommand(terminal))
    .addCommand(auditCommand(terminal))
    .addCommand(deployCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(backupCommand(terminal))
    .addCommand(restoreCommand(terminal))
    .addCommand(compactCommand(terminal))
  for (const command of withDescendants(program)) {
    // Whoever wraps `serve` in a script has options of his own overridden by those that come behind them.
    if (command.name() !== 'serve') refuseRepeatedOptions(command)
    command
      .exitOverride((error) => {
        throw new UsageError(error, pathOf(command))
      })
      .showSuggestionAfterError(true)
      .configureOutput({ writeOut: terminal.print, outputError: () => {} })
  }
  return program
}

/**
 * Of an option that is given twice, the last would count and the first be forgotten without a word: a key that was
 * meant to `read` and `create` could `create` alone. Lists have parsers of their own.
 */
function refuseRepeatedOptions(command: Command): void {
  const options = command.options.filter(({ required, variadic }) => required && !variadic)
  for (const option of options.filter(({ parseArg }) => parseArg === undefined))
    option.argParser((value: string, earlier: string | undefined) => {
      if (earlier === undefined) return value
      throw new InvalidArgumentError(`It can be given once, and was '${earlier}' before.`)
    })
}

const ENVIRONMENT = `
Environment:
  SHEAF_DATA, SHEAF_PORT, SHEAF_HOST, SHEAF_TLS_CERT, SHEAF_TLS_KEY, SHEAF_SERVICE_NAMES, SHEAF_TRUST_PROXY,
  SHEAF_ACME_DOMAINS, SHEAF_ACME_EMAIL, SHEAF_ACME_DIRECTORY, SHEAF_ACME_HTTP_PORT, SHEAF_HTTP_THREADS,
  SHEAF_LOG_LEVEL, SHEAF_AUTO_INDEX, SHEAF_COMPRESSION, SHEAF_SLOW_MS, SHEAF_PUBLIC_URL, SHEAF_OPEN_SIGNUP,
  SHEAF_BACKUP_DIR, SHEAF_BACKUP_EVERY, SHEAF_BACKUP_KEEP, SHEAF_OIDC_ISSUER, SHEAF_OIDC_CLIENT_ID,
  SHEAF_OIDC_CLIENT_SECRET_FILE, SHEAF_OIDC_NAME, SHEAF_OIDC_SIGN_UP, SHEAF_SMTP_URL_FILE, SHEAF_MAIL_FROM,
  SHEAF_SITES_DOMAIN, SHEAF_SITES_CERT, SHEAF_SITES_KEY, SHEAF_ACME_SITES,
  SHEAF_ALERT_ERROR_PERCENT, SHEAF_WEBHOOK_HOSTS
                  the same as the options of serve of those names
  SHEAF_OIDC_CLIENT_SECRET, SHEAF_SMTP_URL, SHEAF_METRICS_TOKEN
                  secrets, which no option takes
  SHEAF_READER_THREADS, SHEAF_LIMIT_<NAME>
                  how many threads read, and the limits; see docs/reference
  SHEAF_TOKEN     the token of an account, for deploy --server
  SHEAF_DEBUG     print the stack of a failure`

/** The words that the command is called by. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)]
}
