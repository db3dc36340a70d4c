import { open, rm, writeFile } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import type { Reply } from '../../http/response/reply.ts'
import { attachment } from '../attachment.ts'
import { boundedStream } from '../bounded-stream.ts'
import type { DashboardRequest, DashboardRoute } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { jsonReply } from '../replies.ts'

const ZIP: ReadonlySet<string> = new Set(['application/zip'])

/** Backups: made, kept, and what becomes of one that is sent. */
export const BACKUP_ROUTES: DashboardRoutes = {
  'GET /apps/{app}/backup': async (request) => {
    const app = request.name('app')
    return backupReply(app, await request.call('backUpApp', { app, isTrial: request.isHead }))
  },
  'GET /server/backup': async (request) => {
    const input = { hasSecrets: request.flag('secrets', true), isTrial: request.isHead }
    return backupReply('sheaf', await request.call('backUpServer', input))
  },
  'GET /server/backups': async (request) => jsonReply(200, await request.call('listBackups')),
  'POST /server/backups': async (request) => jsonReply(201, await request.call('keepBackup')),
  'POST /apps/restore': takingZip(async (request) => {
    const slug = request.parameter('slug')
    if (slug === undefined) throw new AppError('invalid_parameter', 'say what the new app is called: ?slug=')
    const from = request.filled('from')
    const { path, mostBytes } = await request.look('prepareAppRestore', { slug })
    try {
      const chunks = boundedStream(request.stream(), mostBytes, () => tooLong(mostBytes))
      await writeFile(path, chunks, { mode: 0o600 })
      return jsonReply(201, await request.call('restoreAppFromBackup', { slug, from, path }))
    } finally {
      await rm(path, { force: true })
    }
  }),
}

function takingZip(handle: (request: DashboardRequest) => Promise<Reply>): DashboardRoute {
  return Object.assign(handle, { mediaTypes: ZIP })
}

function tooLong(mostBytes: number): AppError {
  return new AppError('body_too_large', `the disk has room for a backup of ${mostBytes} bytes at most`)
}

/** What was made is sent, and gone: from here on nothing but what is open has the file. */
async function backupReply(
  name: string,
  made: { readonly path: string; readonly bytes: number; readonly madeAt: number } | undefined,
): Promise<Reply> {
  if (made === undefined) return { status: 200, body: '' }
  const file = await open(made.path)
  await rm(made.path)
  const time = new Date(made.madeAt).toISOString().replace(/\.\d+|[-:]/g, '')
  return {
    status: 200,
    body: '',
    file: { type: 'application/zip', caching: 'no-store', isCompressed: true },
    rest: file.createReadStream(),
    headers: [
      ...attachment({ name: `${name}-${time}`, ending: 'zip' }),
      ...['Content-Length', String(made.bytes)],
    ],
  }
}
