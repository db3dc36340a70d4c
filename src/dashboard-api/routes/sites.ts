import { rm, writeFile } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import type { Reply } from '../../http/response/reply.ts'
import type { DeployInput } from '../../operations/describe-deploy.ts'
import type { AppInput } from '../../operations/open-app.ts'
import { boundedStream } from '../bounded-stream.ts'
import type { DashboardRequest, DashboardRoute } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'

const ZIP = 'application/zip'
const DEPLOYS: ReadonlySet<string> = new Set(['application/x-sheaf-deploy', ZIP])
/** Of the hashes of as many files as a server may take for a site. */
const HASHES_BYTES = 8 * 1024 * 1024
/** Few deploys may come in at a time. */
const DEPLOY_BYTES_PER_SECOND = 4 * 1024

/** What apps show the world. */
export const SITE_ROUTES: DashboardRoutes = {
  'GET /apps/{app}/site': async (request) =>
    jsonReply(200, await request.call('describeSite', appOf(request))),
  'PATCH /apps/{app}/site': async (request) => {
    const change = await request.fields({ kept: 'count' })
    return jsonReply(200, await request.call('updateSite', { ...appOf(request), ...change }))
  },
  'PUT /apps/{app}/site/live': async (request) => {
    const change = await request.fields({ version: 'count' })
    return jsonReply(200, await request.call('setLiveDeploy', { ...appOf(request), ...change }))
  },
  'GET /apps/{app}/deploys': async (request) =>
    jsonReply(200, await request.call('listDeploys', appOf(request))),
  'GET /apps/{app}/deploys/{version}': async (request) =>
    jsonReply(200, await request.call('describeDeploy', deployOf(request))),
  'DELETE /apps/{app}/deploys/{version}': async (request) => {
    await request.call('deleteDeploy', deployOf(request))
    return doneReply()
  },
  'POST /apps/{app}/deploys/missing': async (request) => {
    const asked = await request.fields({ hashes: 'texts' }, HASHES_BYTES)
    return jsonReply(200, await request.look('listMissingFiles', { ...appOf(request), ...asked }))
  },
  'POST /apps/{app}/deploys': takingDeploys(async (request) => {
    const about = { ...appOf(request), message: request.filled('message') ?? '' }
    const isLive = request.flag('live', true)
    const kind = request.mediaType === ZIP ? 'zip' : 'files'
    const { path, ...bounds } = await request.look('prepareDeploy', about)
    try {
      await writeFile(
        path,
        boundedStream(request.stream(DEPLOY_BYTES_PER_SECOND), bounds.mostBytes, () => tooLong(bounds)),
        { mode: 0o600 },
      )
      return jsonReply(201, await request.call('createDeploy', { ...about, isLive, kind, body: path }))
    } finally {
      await rm(path, { force: true })
    }
  }),
}

function takingDeploys(handle: (request: DashboardRequest) => Promise<Reply>): DashboardRoute {
  return Object.assign(handle, { mediaTypes: DEPLOYS, parameters: ['message', 'live'] })
}

function tooLong({
  mostBytes,
  isDiskFull,
}: {
  readonly mostBytes: number
  readonly isDiskFull: boolean
}): AppError {
  return isDiskFull
    ? new AppError('store_unavailable', `the disk has room for a deploy of ${mostBytes} bytes at most`)
    : new AppError('deploy_too_large', `a deploy may have at most ${mostBytes} bytes`)
}

function appOf(request: DashboardRequest): AppInput {
  return { app: request.name('app') }
}

/** @throws AppError `deploy_not_found` for what is no number of a version */
function deployOf(request: DashboardRequest): DeployInput {
  const text = request.name('version')
  if (/^[1-9]\d{0,14}$/.test(text)) return { ...appOf(request), version: Number(text) }
  throw new AppError('deploy_not_found', 'versions are called by whole numbers, from 1')
}
