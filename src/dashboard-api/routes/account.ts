import type { DeleteAccountInput } from '../../operations/delete-account.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'
import { NO_SESSION_COOKIE } from '../session-cookie.ts'

/** Of an audit trail. */
export const AUDIT_PARAMETERS = ['before', 'actor', 'action', 'subject', 'address'] as const

/** The account that asks: who it is, and what becomes of it. */
export const ACCOUNT_ROUTES: DashboardRoutes = {
  'GET /account': async (request) => jsonReply(200, await request.call('describeAccount')),
  'PATCH /account': async (request) => {
    const change = await request.fields({ name: 'text?', email: 'text?' })
    return jsonReply(200, await request.call('updateAccount', change))
  },
  'GET /account/deletion': async (request) => jsonReply(200, await request.call('describeDeletion', {})),
  'DELETE /account': async (request) => {
    await request.call('deleteAccount', { apps: fateOfApps(request.parameter('apps')) })
    return doneReply(NO_SESSION_COOKIE)
  },
  'GET /account/preferences': async (request) => ({
    status: 200,
    body: await request.call('getPreferences'),
  }),
  'PUT /account/preferences': async (request) => {
    await request.call('putPreferences', { preferences: await request.json() })
    return doneReply()
  },
  'GET /account/audit': async (request) =>
    jsonReply(200, await request.call('listAccountAudit', request.page(AUDIT_PARAMETERS))),
}

/** What an account signs in by. */
export const CREDENTIAL_ROUTES: DashboardRoutes = {
  'PUT /account/password': async (request) => {
    const change = await request.fields({ current: 'text?', code: 'text?', password: 'text' })
    await request.call('changePassword', change)
    return doneReply()
  },
  'DELETE /account/password': async (request) => {
    await request.call('removePassword')
    return doneReply()
  },
  'GET /account/passkeys': async (request) => jsonReply(200, await request.call('listPasskeys')),
  'POST /account/passkeys/options': async (request) => jsonReply(200, await request.look('offerPasskey')),
  'POST /account/passkeys': async (request) => {
    const made = await request.fields({
      ...{
        name: 'text',
        id: 'text',
        clientDataJSON: 'text',
        attestationObject: 'text',
        transports: 'texts?',
      },
    })
    return jsonReply(201, await request.call('createPasskey', made))
  },
  'PATCH /account/passkeys/{passkey}': async (request) => {
    const change = { id: request.name('passkey'), ...(await request.fields({ name: 'text' })) }
    return jsonReply(200, await request.call('renamePasskey', change))
  },
  'DELETE /account/passkeys/{passkey}': async (request) => {
    await request.call('deletePasskey', { id: request.name('passkey') })
    return doneReply()
  },
  'POST /account/totp': async (request) => jsonReply(200, await request.call('beginTotp')),
  'PUT /account/totp': async (request) => {
    const given = await request.fields({ secret: 'text', code: 'text' })
    return jsonReply(200, await request.call('enableTotp', given))
  },
  'DELETE /account/totp': async (request) => {
    await request.call('disableTotp')
    return doneReply()
  },
  'POST /account/recovery-codes': async (request) =>
    jsonReply(200, await request.call('replaceRecoveryCodes')),
  'GET /account/sessions': async (request) => jsonReply(200, await request.call('listSessions')),
  'DELETE /account/sessions': async (request) => {
    const keepCurrent = request.flag('keepCurrent')
    const ended = await request.call('endSessions', { keepCurrent })
    return jsonReply(200, { ended }, keepCurrent ? [] : NO_SESSION_COOKIE)
  },
  'DELETE /account/sessions/{session}': async (request) => {
    await request.call('endSession', { id: request.name('session') })
    return doneReply()
  },
  'GET /account/tokens': async (request) => jsonReply(200, await request.call('listTokens')),
  'POST /account/tokens': async (request) => {
    const given = await request.fields({ name: 'text', permissions: 'texts', expires: 'text' })
    return jsonReply(201, await request.call('createToken', given))
  },
  'DELETE /account/tokens/{token}': async (request) => {
    await request.call('deleteToken', { id: request.name('token') })
    return doneReply()
  },
}

/** What is none is refused by the operation. */
export function fateOfApps(text: string | undefined): DeleteAccountInput['apps'] {
  return text as DeleteAccountInput['apps']
}
