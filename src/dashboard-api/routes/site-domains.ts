import type { SiteDomainInput } from '../../operations/create-site-domain.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'

/** Domains that a site has beside its own host. */
export const SITE_DOMAIN_ROUTES: DashboardRoutes = {
  'POST /apps/{app}/site/domains': async (request) => {
    const domain = await request.fields({ domain: 'text' })
    return jsonReply(201, await request.call('createSiteDomain', { app: request.name('app'), ...domain }))
  },
  'POST /apps/{app}/site/domains/{domain}/check': async (request) =>
    jsonReply(200, await request.call('checkSiteDomain', domainOf(request))),
  'DELETE /apps/{app}/site/domains/{domain}': async (request) => {
    await request.call('deleteSiteDomain', domainOf(request))
    return doneReply()
  },
}

function domainOf(request: DashboardRequest): SiteDomainInput {
  return { app: request.name('app'), domain: request.name('domain') }
}
