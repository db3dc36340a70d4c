import { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { FileToSend } from './file-to-send.ts'
import type { ServerConnection } from './server-connection.ts'
import { contentOf, type SiteFileToSend } from './site-folder.ts'

/** A server, and the app on it whose site it is. */
export interface SiteServer {
  readonly server: ServerConnection
  /** `/_/api/apps/todo` */
  readonly app: string
  readonly slug: string
}

/** A version as the server tells of it. */
export interface DeployedVersion {
  readonly version: number
  readonly message: string
  readonly author: string
  readonly createdAt: string
  readonly files: number
  readonly bytes: number
  readonly isLive: boolean
  readonly url: string | null
}

export interface Deployed extends DeployedVersion {
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[]
  readonly leftOutCount: number
  /** The folder in it that may have been meant. */
  readonly likelyFolder: string | null
  /** Why the site has no address. */
  readonly problem: { readonly message: string } | null
}

export interface DeploySettings {
  /** The parameters of a deploy. */
  readonly query: string
  /** Told how many bytes were taken to be sent, and of how many. */
  readonly onSent: (bytes: number, of: number | undefined) => void
}

/** Sends a zip. @throws AppError what is wrong with it, and as `ServerConnection.request` does */
export async function sendZip(
  { server, app }: SiteServer,
  { query, onSent }: DeploySettings,
  file: FileToSend,
): Promise<Deployed> {
  let bytes = 0
  const body = file.content((read) => {
    bytes += read
    onSent(bytes, file.length)
  })
  const headers = { 'Content-Type': 'application/zip' }
  return (await server.json({ method: 'POST', path: `${app}/deploys?${query}`, headers, body })) as Deployed
}

/**
 * Sends the files of a folder, of which those stay here that the app has.
 * @throws AppError what is wrong with them, and as `ServerConnection.request` does
 */
export async function sendFiles(
  to: SiteServer,
  settings: DeploySettings,
  files: readonly SiteFileToSend[],
): Promise<Deployed> {
  try {
    return await sendMissing(to, settings, files)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'files_missing') throw error
    // Some went between the question and the deploy: with an old version, by another deploy.
    return sendMissing(to, settings, files)
  }
}

async function sendMissing(
  { server, app }: SiteServer,
  { query, onSent }: DeploySettings,
  files: readonly SiteFileToSend[],
): Promise<Deployed> {
  const { missing } = (await server.json({
    method: 'POST',
    path: `${app}/deploys/missing`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ hashes: [...new Set(files.map(({ hash }) => hash))] }),
  })) as { readonly missing: readonly string[] }
  const { head, sent } = planned(files, new Set(missing))
  const length = sent.reduce((sum, { bytes }) => sum + bytes, head.length)
  const body = Readable.from(bodyOf(head, sent), { objectMode: false })
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    onSent(bytes, length)
  })
  const headers = { 'Content-Type': 'application/x-sheaf-deploy', 'Content-Length': String(length) }
  return (await server.json({ method: 'POST', path: `${app}/deploys?${query}`, headers, body })) as Deployed
}

/** The first line of a deploy, and the files of which the bytes stand behind it: each hash once. */
function planned(
  files: readonly SiteFileToSend[],
  missing: Set<string>,
): { readonly head: Buffer; readonly sent: readonly SiteFileToSend[] } {
  const sent = new Set(files.filter(({ hash }) => missing.delete(hash)))
  const listed = files.map((file) => {
    const { path, hash, bytes } = file
    return { path, hash, bytes, sent: sent.has(file) }
  })
  return { head: Buffer.from(`${JSON.stringify({ files: listed })}\n`), sent: [...sent] }
}

async function* bodyOf(head: Buffer, files: readonly SiteFileToSend[]): AsyncGenerator<Buffer> {
  yield head
  for (const file of files) yield* contentOf(file)
}
