import type { AppInput } from '../../operations/open-app.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'

/** The key that the pages of an app's site ask the API with. */
export const SITE_KEY_ROUTES: DashboardRoutes = {
  'POST /apps/{app}/site/key': async (request) => {
    const key = await request.fields({ permission: 'text', collections: 'list?' })
    return jsonReply(201, await request.call('createSiteKey', { ...appOf(request), ...key }))
  },
  'DELETE /apps/{app}/site/key': async (request) => {
    await request.call('revokeSiteKey', appOf(request))
    return doneReply()
  },
}

function appOf(request: DashboardRequest): AppInput {
  return { app: request.name('app') }
}
