import { statSync } from 'node:fs'
import { siteKeyPermission } from '../domain/site-key-permission.ts'
import { DeployProgress } from './deploy-progress.ts'
import { fileToSend } from './file-to-send.ts'
import type { CommandResult } from './output.ts'
import type { Terminal } from './program.ts'
import { queryText } from './query-text.ts'
import { type Deployed, type SiteServer, sendFiles, sendZip } from './send-deploy.ts'
import { readSiteFolder } from './site-folder.ts'
import { whenStopped } from './when-stopped.ts'

/** What the server says of an app's site, as far as it is of use here. */
export interface Site {
  readonly url: string | null
  readonly live: number | null
  readonly key: { readonly name: string } | null
  /** Why it has no address. */
  readonly problem: { readonly message: string } | null
}

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
}

/** Sends what was read before. */
type Send = (to: SiteServer, query: string) => Promise<Deployed>

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
      return withSiteKey(asked, madeDeploy(asked.slug, made, await siteOf(asked)), wanted.siteKey)
    })
  } finally {
    progress.end()
    forget()
  }
}

export function siteOf({ server, app }: SiteServer): Promise<Site> {
  return server.json({ method: 'GET', path: `${app}/site` }) as Promise<Site>
}

/** Reads what there is to send, so that what is wrong with it is told before a server is asked. */
async function sender(
  path: string,
  { terminal, progress }: { readonly terminal: Terminal; readonly progress: DeployProgress },
): Promise<Send> {
  const onSent = (bytes: number, of: number | undefined): void => progress.noteSent(bytes, of)
  if (!isFolder(path)) {
    const file = fileToSend(path, terminal)
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

function madeDeploy(slug: string, made: Deployed, { problem }: Site): MadeDeploy {
  const { version, isLive, url, files, bytes, leftOut, leftOutCount } = made
  const where = url === null ? `, and has no address: ${problem?.message ?? ''}` : `: ${url}`
  const text = [
    `Version ${version} of ${slug} is ${isLive ? 'live' : 'a draft'}${where}`,
    `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / 1024).toFixed(1)} KiB`,
  ].join('\n')
  const names = leftOut.slice(0, SHOWN_NAMES).map((each) => each.path)
  const others = leftOutCount - names.length
  const note = `sheaf: left out: ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  return { result: { text, json: made }, notes: leftOutCount === 0 ? [] : [note] }
}

/** @throws AppError `invalid_rule`, `permission_denied` */
async function withSiteKey(
  asked: SiteServer,
  made: MadeDeploy,
  permission: string | undefined,
): Promise<MadeDeploy> {
  if (permission === undefined) return made
  const { key } = await siteOf(asked)
  if (key !== null)
    return {
      ...made,
      notes: [...made.notes, `sheaf: the site has the key ${key.name}, which stays as it is`],
    }
  const siteKey = (await asked.server.json({
    method: 'POST',
    path: `${asked.app}/site/key`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ permission }),
  })) as { readonly name: string; readonly sentence: string }
  const { text, json } = made.result
  return {
    result: { text: `${text}\nKey ${siteKey.name}: ${siteKey.sentence}`, json: { ...json, siteKey } },
    notes: made.notes,
  }
}
