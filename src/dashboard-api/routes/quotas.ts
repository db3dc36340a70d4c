import type { DashboardRoutes } from '../dashboard-router.ts'
import { jsonReply } from '../replies.ts'

const LIMITS = { apps: 'count?', keys: 'count?', bytes: 'count?', requestsPerDay: 'count?' } as const

/** What accounts may have: one's own, and for operators that of all. */
export const QUOTA_ROUTES: DashboardRoutes = {
  'GET /account/quota': async (request) => jsonReply(200, await request.call('describeQuota')),
  'GET /server/quota': async (request) => jsonReply(200, await request.call('getDefaultQuota')),
  'PUT /server/quota': async (request) =>
    jsonReply(200, await request.call('setDefaultQuota', { quota: await request.fields(LIMITS) })),
  'GET /server/accounts/{account}/quota': async (request) =>
    jsonReply(200, await request.call('describeAccountQuota', { account: request.name('account') })),
  'PUT /server/accounts/{account}/quota': async (request) => {
    const change = { account: request.name('account'), quota: await request.fields(LIMITS) }
    return jsonReply(200, await request.call('setAccountQuota', change))
  },
  'DELETE /server/accounts/{account}/quota': async (request) =>
    jsonReply(200, await request.call('setAccountQuota', { account: request.name('account'), quota: null })),
}
