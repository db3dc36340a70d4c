import { Command } from 'commander'
import { AppError } from '../../errors.ts'
import { type AskSite, makeDeploy } from '../make-deploy.ts'
import { type CommandResult, dataOption, jsonOption, report, reportDone, table } from '../output.ts'
import type { Terminal } from '../program.ts'
import type { DeployedVersion, SiteServer } from '../send-deploy.ts'
import { lineSafe } from '../terminal-safe.ts'
import { type ConnectionOptions, withConnection } from '../with-connection.ts'

interface DeployOptions extends ConnectionOptions {
  readonly app?: string
  readonly message?: string
  readonly draft?: true
  readonly siteKey?: string
  readonly list?: true
  readonly rollback?: string | true
  readonly json?: boolean
}

/** What the server says of an app's site, as far as it is of use here. */
interface Site {
  readonly url: string | null
  readonly live: number | null
}

const COLUMNS = ['VERSION', 'LIVE', 'CREATED', 'AUTHOR', 'FILES', 'KiB', 'MESSAGE'] as const

/** `sheaf deploy`: versions of an app's site, by the server of the data folder or by one that is named. */
export function deployCommand(terminal: Terminal): Command {
  return new Command('deploy')
    .description("put a folder or a zip online as an app's site, list its versions, or go back to one")
    .argument('[path]', 'a folder, or a zip of one')
    .option('--app <slug>', 'the app whose site it is (required)')
    .option('--message <text>', 'what is new in this version')
    .option('--draft', 'do not make it live; it is at the address of its preview, open to whoever guesses it')
    .option(
      '--site-key <permissions>',
      "make the key of the site's pages, unless there is one: some of read,create,update,delete",
    )
    .option('--list', 'list the versions that are kept')
    .option(
      '--rollback [version]',
      'make a version live that is kept; without a number the one before, also a draft',
    )
    .option(
      '--server <url>',
      'a server elsewhere, by the token of an account in SHEAF_TOKEN that may apps (and read, to list)',
    )
    .option('--token-stdin', 'take that token from standard input')
    .option('--cacert <file>', 'certificates that are trusted beside those of the system')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (path: string | undefined, options: DeployOptions, command: Command) => {
      const slug = options.app ?? command.error("required option '--app <slug>' not specified")
      const { message, draft, siteKey, list, rollback } = options
      if ([path, list, rollback].filter((each) => each !== undefined).length !== 1)
        command.error('give a folder or a zip, or --list, or --rollback')
      const app = `/_/api/apps/${encodeURIComponent(slug)}`
      const ask: AskSite = (work) =>
        withConnection(terminal, options, (server) => work({ server, app, slug }))
      if (list) return report(terminal.print, options, listed(await ask(deploysOf)))
      if (rollback !== undefined)
        return reportDone(terminal.print, options, await ask((asked) => rollBack(asked, rollback)))
      const wanted = { path: path!, message, isDraft: draft === true, siteKey }
      const { result, notes, warnings } = await makeDeploy(terminal, wanted, ask)
      reportDone(terminal.print, options, result)
      const said = options.json === true ? warnings : [...notes, ...warnings]
      for (const line of said) terminal.printError(lineSafe(line))
    })
}

function deploysOf({ server, app }: SiteServer): Promise<DeployedVersion[]> {
  return server.json({ method: 'GET', path: `${app}/deploys` }) as Promise<DeployedVersion[]>
}

function listed(deploys: readonly DeployedVersion[]): CommandResult {
  const rows = deploys.map(({ version, isLive, createdAt, author, files, bytes, message }) => [
    ...[String(version), isLive ? 'live' : '', createdAt, author],
    ...[String(files), (bytes / 1024).toFixed(1), message],
  ])
  return { text: table(COLUMNS, rows), json: deploys }
}

/** @throws AppError `deploy_not_found` */
async function rollBack(asked: SiteServer, wanted: string | true): Promise<CommandResult> {
  const before = wanted === true ? await deployBefore(asked) : undefined
  const version = before?.version ?? versionFrom(String(wanted))
  const { url, ...site } = (await asked.server.json({
    method: 'PUT',
    path: `${asked.app}/site/live`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ version }),
  })) as Site
  const text = `Version ${version} of ${asked.slug} is live${url === null ? '' : `: ${url}`}`
  return { text: before === undefined ? text : `${text}\n${madeBy(before)}`, json: { url, ...site } }
}

function madeBy({ createdAt, author, message }: DeployedVersion): string {
  return `Made ${createdAt} by ${author}${message === '' ? '' : `: ${message}`}`
}

/** The newest version that is older than the live one. @throws AppError `deploy_not_found` */
async function deployBefore(asked: SiteServer): Promise<DeployedVersion> {
  const { live } = (await asked.server.json({ method: 'GET', path: `${asked.app}/site` })) as Site
  // The newest stands first.
  const before = (await deploysOf(asked)).find(({ version }) => live !== null && version < live)
  if (before !== undefined) return before
  const problem = live === null ? 'no version is live' : `no version before ${live} is kept`
  throw new AppError('deploy_not_found', `${problem}; name the one to make live, as --list has them`)
}

function versionFrom(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new AppError(
    'deploy_not_found',
    `${JSON.stringify(text)} is no version; write its number, as in --list`,
  )
}
