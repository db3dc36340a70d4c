import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'
import { AUDIT_PARAMETERS, fateOfApps } from './account.ts'

/** The server itself, for operators. */
export const SERVER_ROUTES: DashboardRoutes = {
  'GET /server': async (request) => jsonReply(200, await request.call('describeServer')),
  'GET /server/accounts': async (request) =>
    jsonReply(200, await request.call('listAccounts', request.page(['after', 'email']))),
  'GET /server/accounts/{account}/deletion': async (request) =>
    jsonReply(200, await request.call('describeDeletion', { id: request.name('account') })),
  'DELETE /server/accounts/{account}': async (request) => {
    const apps = fateOfApps(request.parameter('apps'))
    await request.call('deleteAccount', { id: request.name('account'), apps })
    return doneReply()
  },
  'POST /server/accounts/{account}/password-reset': async (request) =>
    jsonReply(201, await request.call('createPasswordReset', { account: request.name('account') })),
  'DELETE /server/accounts/{account}/totp': async (request) =>
    jsonReply(200, await request.call('disableAccountTotp', { account: request.name('account') })),
  'DELETE /server/accounts/{account}/ways-in': async (request) =>
    jsonReply(200, await request.call('resetWaysIn', { account: request.name('account') })),
  'POST /server/invitations': async (request) => {
    const given = await request.fields({ email: 'text?', isOperator: 'flag?', send: 'flag?' })
    return jsonReply(201, await request.call('createInvitation', given))
  },
  'POST /server/test-mail': async (request) => jsonReply(200, await request.call('sendTestMail')),
  'GET /server/alerts': async (request) => jsonReply(200, await request.call('listAlerts')),
  'GET /server/alert-webhook': async (request) => jsonReply(200, await request.call('describeAlertWebhook')),
  'PUT /server/alert-webhook': async (request) =>
    jsonReply(200, await request.call('setAlertWebhook', await request.fields({ url: 'text' }))),
  'DELETE /server/alert-webhook': async (request) => {
    await request.call('deleteAlertWebhook')
    return doneReply()
  },
  'POST /server/alert-webhook/test': async (request) =>
    jsonReply(200, await request.call('testAlertWebhook')),
  'GET /server/token-secrets': async (request) => jsonReply(200, await request.call('listTokenSecrets')),
  'POST /server/token-secrets': async (request) => {
    const how = await request.fields({ now: 'flag' })
    return jsonReply(201, await request.call('replaceTokenSecret', how))
  },
  'GET /server/audit': async (request) =>
    jsonReply(200, await request.call('listServerAudit', request.page([...AUDIT_PARAMETERS, 'app']))),
}
