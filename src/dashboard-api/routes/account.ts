import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'

/** The account that asks: what it is, and what it signs in by. */
export const ACCOUNT_ROUTES: DashboardRoutes = {
  'PATCH /account': async (request) => {
    const change = await request.fields({ name: 'text?', email: 'text?' })
    return jsonReply(200, await request.call('updateAccount', change))
  },
  'PUT /account/password': async (request) => {
    const change = await request.fields({ current: 'text', code: 'text?', password: 'text' })
    await request.call('changePassword', change)
    return doneReply()
  },
}
