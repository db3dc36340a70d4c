import type { TrafficInput } from '../../operations/describe-traffic.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { jsonReply } from '../replies.ts'

/** What the traffic of an app was. */
export const ANALYTICS_ROUTES: DashboardRoutes = {
  'GET /apps/{app}/analytics': Object.assign(
    async (request: DashboardRequest) =>
      jsonReply(200, await request.call('describeTraffic', trafficInput(request))),
    { parameters: ['range', 'key', 'collection'] },
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
