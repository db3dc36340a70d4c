import { statSync } from 'node:fs'
import { siteKeyPermission } from '../domain/site-key-permission.ts'
import { AppError } from '../errors.ts'
import { DeployProgress } from './deploy-progress.ts'
import { fileToSend } from './file-to-send.ts'
import type { CommandResult } from './output.ts'
import type { Terminal } from './program.ts'
import { queryText } from './query-text.ts'
import { type Deployed, type SiteServer, sendFiles, sendZip } from './send-deploy.ts'
import { readSiteFolder } from './site-folder.ts'
import { whenStopped } from './when-stopped.ts'

/** Connects, has the work done, and ends the connection. */
export type AskSite = <T>(work: (asked: SiteServer) => Promise<T>) => Promise<T>

interface NewDeploy {
  /** A folder, or a zip of one. */
  readonly path: string
  readonly message?: string | undefined
  readonly isDraft: boolean
  /** What the key of the site is to be allowed, where one is asked for. */
  readonly siteKey?: string | undefined
}

interface MadeDeploy {
  readonly result: CommandResult
  /** What is said beside it, in lines. */
  readonly notes: readonly string[]
  /** What was asked for beside a version, and is not done. */
  readonly warnings: readonly string[]
}

/** Sends what was read before. */
type Send = (to: SiteServer, query: string) => Promise<Deployed>

/** What every zip file begins with. */
const ZIP = 'PK'
/** Of what stays out. */
const SHOWN_NAMES = 5

/**
 * Makes a version of a site of a folder or a zip, and a key of the site where that is asked for and there is none.
 * @throws AppError what is wrong with the files, and what the server refuses; then no version was made
 */
export async function makeDeploy(terminal: Terminal, wanted: NewDeploy, ask: AskSite): Promise<MadeDeploy> {
  if (wanted.siteKey !== undefined) siteKeyPermission(wanted.siteKey)
  const query = queryText({ message: wanted.message, live: wanted.isDraft ? 'false' : undefined })
  const progress = new DeployProgress(terminal)
  const forget = whenStopped(() => progress.sayStopped())
  try {
    const send = await sender(wanted.path, { terminal, progress })
    return await ask(async (asked) => {
      const made = await send(asked, query)
      progress.end()
      return withSiteKey(asked, madeDeploy(asked.slug, made), wanted.siteKey)
    })
  } finally {
    progress.end()
    forget()
  }
}

/** Reads what there is to send, so that what is wrong with it is told before a server is asked. */
async function sender(
  path: string,
  { terminal, progress }: { readonly terminal: Terminal; readonly progress: DeployProgress },
): Promise<Send> {
  const onSent = (bytes: number, of: number | undefined): void => progress.noteSent(bytes, of)
  if (!isFolder(path)) {
    const file = fileToSend(path, terminal)
    if ((await file.beginning(ZIP.length)).toString('latin1') !== ZIP)
      throw new AppError('invalid_deploy', `${path} is neither a folder nor a zip file`)
    return (to, query) => sendZip(to, { query, onSent }, file)
  }
  const { files, leftOut } = await readSiteFolder(path, (bytes) => progress.noteRead(bytes))
  const left = leftOut.map((each) => ({ path: each, reason: 'hidden' }))
  return async (to, query) => {
    const made = await sendFiles(to, { query, onSent }, files)
    return {
      ...made,
      leftOut: [...left, ...made.leftOut],
      leftOutCount: left.length + made.leftOutCount,
    }
  }
}

/** What is not there is for whoever opens it to say. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function madeDeploy(slug: string, made: Deployed): MadeDeploy {
  const { version, isLive, url, files, bytes, problem } = made
  const where = url === null ? `, and has no address: ${problem?.message ?? ''}` : `: ${url}`
  const text = [
    `Version ${version} of ${slug} is ${isLive ? 'live' : 'a draft'}${where}`,
    `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / 1024).toFixed(1)} KiB`,
  ].join('\n')
  return { result: { text, json: made }, notes: notesOf(made), warnings: [] }
}

function notesOf({ leftOut, leftOutCount, likelyFolder }: Deployed): readonly string[] {
  const notes: string[] = []
  const names = leftOut.slice(0, SHOWN_NAMES).map((each) => each.path)
  const others = leftOutCount - names.length
  if (leftOutCount > 0)
    notes.push(`sheaf: left out: ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`)
  if (likelyFolder !== null)
    notes.push(`sheaf: there is no index.html at the top; did you mean ${likelyFolder}/?`)
  return notes
}

/** The version is there, whatever becomes of its key. */
async function withSiteKey(
  { server, app }: SiteServer,
  made: MadeDeploy,
  permission: string | undefined,
): Promise<MadeDeploy> {
  if (permission === undefined) return made
  try {
    const siteKey = (await server.json({
      method: 'POST',
      path: `${app}/site/key`,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ permission }),
    })) as { readonly name: string; readonly sentence: string }
    const { text, json } = made.result
    const result = { text: `${text}\nKey ${siteKey.name}: ${siteKey.sentence}`, json: { ...json, siteKey } }
    return { ...made, result }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'key_exists')
      return { ...made, notes: [...made.notes, 'sheaf: the site has a key already, which stays as it is'] }
    return { ...made, warnings: [`sheaf: no key of the site was made: ${error.message}`] }
  }
}
