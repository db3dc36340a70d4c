import { AppError } from '../../errors.ts'
import type { IndexedCollection } from '../../operations/context.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'

/** Indexes of an app, and what its reads cost. */
export const INDEX_ROUTES: DashboardRoutes = {
  'GET /apps/{app}/indexes': async (request) => {
    const of = { app: request.name('app'), collection: request.parameter('collection') }
    return jsonReply(200, await request.call('listAppIndexes', of))
  },
  'POST /apps/{app}/indexes': async (request) => {
    const index = await request.fields({ fields: 'text', unique: 'flag?' })
    return jsonReply(201, await request.call('createAppIndex', { ...collectionOf(request), ...index }))
  },
  'DELETE /apps/{app}/indexes/{name}': async (request) => {
    await request.call('dropAppIndex', { ...collectionOf(request), fields: request.name('name') })
    return doneReply()
  },
  'GET /apps/{app}/index-advice': async (request) => {
    const query = { q: request.filled('q'), s: request.filled('s') }
    return jsonReply(200, await request.call('adviseAppIndex', { ...collectionOf(request), ...query }))
  },
  'GET /apps/{app}/queries': async (request) =>
    jsonReply(200, await request.call('listAppQueries', { app: request.name('app') })),
  'GET /apps/{app}/auto-index': async (request) =>
    jsonReply(200, await request.call('getAppAutoIndex', { app: request.name('app') })),
  'PUT /apps/{app}/auto-index': async (request) => {
    const { on } = await request.fields({ on: 'flag' })
    return jsonReply(200, await request.call('setAppAutoIndex', { app: request.name('app'), on }))
  },
}

/** @throws AppError `invalid_parameter` */
function collectionOf(request: DashboardRequest): IndexedCollection {
  const collection = request.parameter('collection')
  if (collection === undefined)
    throw new AppError('invalid_parameter', 'say which collection the index is of: ?collection=')
  return { app: request.name('app'), collection }
}
