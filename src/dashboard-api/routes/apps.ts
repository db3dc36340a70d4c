import { STATUS_OF_CODE } from '../../http/response/error-reply.ts'
import { measureApp } from '../../operations/measure-app.ts'
import type { AppInput } from '../../operations/open-app.ts'
import { previewUpdate } from '../../operations/preview-update.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'
import { AUDIT_PARAMETERS } from './account.ts'

/** Changes that are shown where nobody says how many. */
const CHANGES_SHOWN = 20

const SETTINGS_FIELDS = {
  addresses: 'list?',
  websites: 'list?',
  localhost: 'flag?',
  rate: 'text?',
  documentBytes: 'count?',
  keyDefaults: 'rules?',
} as const

/** Apps of an account, and with whom they are shared; their documents have the routes of the REST interface. */
export const APP_ROUTES: DashboardRoutes = {
  'GET /apps': async (request) => jsonReply(200, await request.call('listAccountApps')),
  'POST /apps': async (request) =>
    jsonReply(201, await request.call('createAccountApp', await request.fields({ slug: 'text' }))),
  'GET /apps/{app}': async (request) => jsonReply(200, await request.call('getAccountApp', appOf(request))),
  'GET /apps/{app}/size': async (request) => {
    const of = appOf(request)
    return jsonReply(
      200,
      await request.inApp(of.app, (context, principal) => measureApp(context, principal, of)),
    )
  },
  'POST /apps/{app}/update-preview/{collection}': async (request) => {
    const of = { ...appOf(request), collection: request.name('collection') }
    const body = await request.inApp(of.app, async (context, principal) =>
      previewUpdate(context, principal, {
        ...of,
        q: request.parameter('q'),
        limit: request.integer('l', CHANGES_SHOWN),
        body: await request.body(context.limits.bodyBytes),
        isCancelled: () => request.isCancelled(),
      }),
    )
    return { status: 200, body }
  },
  'DELETE /apps/{app}/tokens': async (request) =>
    jsonReply(200, await request.call('endAccountAppTokens', appOf(request))),
  'GET /apps/{app}/settings': async (request) =>
    jsonReply(200, await request.call('getAppSettings', appOf(request))),
  'PATCH /apps/{app}/settings': async (request) => {
    const settings = await request.fields(SETTINGS_FIELDS)
    return jsonReply(200, await request.call('updateAppSettings', { ...appOf(request), settings }))
  },
  'POST /apps/{app}/settings/summary': async (request) => {
    const settings = await request.fields(SETTINGS_FIELDS)
    return jsonReply(200, await request.look('summariseAppSettings', { ...appOf(request), settings }))
  },
  'DELETE /apps/{app}': async (request) => {
    await request.call('deleteAccountApp', appOf(request))
    return doneReply()
  },
  'GET /deleted-apps': async (request) => jsonReply(200, await request.call('listDeletedApps')),
  'DELETE /deleted-apps/{app}': async (request) => {
    await request.call('removeDeletedApp', appOf(request))
    return doneReply()
  },
  'POST /deleted-apps/{app}/restoration': async (request) =>
    jsonReply(200, await request.call('restoreAccountApp', appOf(request))),
  'GET /apps/{app}/shares': async (request) =>
    jsonReply(200, await request.call('listAppShares', appOf(request))),
  'POST /apps/{app}/shares': async (request) => {
    const share = await request.fields({ email: 'text', role: 'text' })
    return jsonReply(200, await request.call('shareApp', { ...appOf(request), ...share }))
  },
  'DELETE /apps/{app}/shares/{account}': async (request) => {
    await request.call('endAppShare', { ...appOf(request), account: request.name('account') })
    return doneReply()
  },
  'GET /apps/{app}/audit': async (request) =>
    jsonReply(
      200,
      await request.call('listAppAudit', { ...appOf(request), ...request.page(AUDIT_PARAMETERS) }),
    ),
}

/** Keys that open an app. */
export const KEY_ROUTES: DashboardRoutes = {
  'GET /apps/{app}/keys': async (request) =>
    jsonReply(200, await request.call('listAppKeys', appOf(request))),
  'POST /apps/{app}/keys': async (request) => {
    const key = await request.fields({ name: 'text', rules: 'rules?', secret: 'text?' })
    return jsonReply(201, await request.call('createAppKey', { ...appOf(request), ...key }))
  },
  'POST /apps/{app}/keys/summary': async (request) => {
    const of = await request.fields({ rules: 'rules?', isSiteKey: 'flag?' })
    return jsonReply(200, await request.look('summariseKeyRules', { ...appOf(request), ...of }))
  },
  'PATCH /apps/{app}/keys/{key}': async (request) => {
    const change = await request.fields({ rules: 'rules' })
    return jsonReply(200, await request.call('updateAppKey', { ...keyOf(request), ...change }))
  },
  'POST /apps/{app}/keys/{key}/rotation': async (request) => {
    const how = await request.fields({ overlap: 'text?', secret: 'text?' })
    return jsonReply(200, await request.call('rotateAppKey', { ...keyOf(request), ...how }))
  },
  'POST /apps/{app}/keys/{key}/trial': async (request) => {
    const trial = await request.fields({
      method: 'text',
      collection: 'text?',
      address: 'text?',
      origin: 'text?',
    })
    const result = await request.look('tryAppKey', { ...keyOf(request), ...trial })
    const status = result.code === null ? 200 : STATUS_OF_CODE[result.code]
    return jsonReply(200, { ...result, status })
  },
  'DELETE /apps/{app}/keys/{key}/tokens': async (request) => {
    await request.call('endAppKeyTokens', keyOf(request))
    return doneReply()
  },
  'DELETE /apps/{app}/keys/{key}': async (request) => {
    await request.call('revokeAppKey', keyOf(request))
    return doneReply()
  },
}

function appOf(request: DashboardRequest): AppInput {
  return { app: request.name('app') }
}

function keyOf(request: DashboardRequest): AppInput & { readonly id: string } {
  return { ...appOf(request), id: request.name('key') }
}
