import type { Reply } from '../../http/response/reply.ts'
import type { TrafficInput } from '../../operations/describe-traffic.ts'
import { attachment } from '../attachment.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { jsonReply } from '../replies.ts'

const VIEW = ['range', 'key', 'collection']
const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** What the traffic of an app was. */
export const ANALYTICS_ROUTES: DashboardRoutes = {
  'GET /apps/{app}/analytics': Object.assign(
    async (request: DashboardRequest) =>
      jsonReply(200, await request.call('describeTraffic', trafficInput(request))),
    { parameters: VIEW },
  ),
  'GET /apps/{app}/analytics.csv': Object.assign(
    async (request: DashboardRequest): Promise<Reply> => {
      const { app, range, ...filter } = trafficInput(request)
      const table = request.filled('table') ?? 'points'
      const { text } = await request.call('exportTraffic', { app, range, ...filter, table })
      const name = `${app}-${table}-${range}`
      return {
        status: 200,
        body: text,
        file: { type: CSV_TYPE, caching: 'no-store' },
        headers: attachment({ name, ending: 'csv' }),
      }
    },
    { parameters: [...VIEW, 'table'] },
  ),
}

function trafficInput(request: DashboardRequest): TrafficInput {
  return {
    app: request.name('app'),
    range: request.filled('range'),
    key: request.parameter('key'),
    collection: request.parameter('collection'),
  }
}
