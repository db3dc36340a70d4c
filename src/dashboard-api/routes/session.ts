import type { Reply } from '../../http/response/reply.ts'
import type { SignedIn } from '../../operations/begin-session.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'
import { NO_SESSION_COOKIE, sessionCookie } from '../session-cookie.ts'

/** What an authenticator answers, without what is the same in every answer. */
const ASSERTION = {
  id: 'text',
  clientDataJSON: 'text',
  authenticatorData: 'text',
  signature: 'text',
  userHandle: 'text?',
} as const

/** Signing in and out, and what a link is good for: an account, or another password. */
export const SESSION_ROUTES: DashboardRoutes = {
  'GET /ways-in': async (request) => jsonReply(200, await request.call('describeWaysIn', {})),
  'POST /session': async (request) => {
    const given = await request.fields({ email: 'text', password: 'text', code: 'text?' })
    return signedIn(200, await request.call('signIn', given))
  },
  'GET /session': async (request) => jsonReply(200, await request.call('describeSession')),
  'DELETE /session': async (request) => {
    await request.call('signOut')
    return doneReply(NO_SESSION_COOKIE)
  },
  'POST /session/password': async (request) => {
    await request.call('confirmPassword', await request.fields({ password: 'text', code: 'text?' }))
    return doneReply()
  },
  'POST /session/passkey-options': async (request) => {
    const { confirm = false } = await request.fields({ confirm: 'flag?' })
    const asked = confirm ? request.look('beginPasskeyConfirmation') : request.look('beginPasskeySignIn', {})
    return jsonReply(200, await asked)
  },
  'POST /session/passkey': async (request) => {
    const { confirm = false, ...assertion } = await request.fields({ ...ASSERTION, confirm: 'flag?' })
    if (!confirm) return signedIn(200, await request.call('signInByPasskey', assertion))
    await request.call('confirmByPasskey', assertion)
    return doneReply()
  },
  'POST /link': async (request) =>
    jsonReply(200, await request.call('inspectLink', await request.fields({ secret: 'text' }))),
  'POST /account': async (request) => {
    const given = await request.fields({ secret: 'text?', email: 'text', name: 'text', password: 'text' })
    return signedIn(201, await request.call('setUpAccount', given))
  },
  'POST /password-reset-requests': async (request) => {
    await request.call('requestPasswordReset', await request.fields({ email: 'text' }))
    return jsonReply(202, { message: 'if there is such an account, a link is on its way to that address' })
  },
  'POST /account/password-reset': async (request) => {
    const given = await request.fields({ secret: 'text', password: 'text' })
    return jsonReply(200, await request.call('resetPassword', given))
  },
}

/** The secret of the session goes to the browser's cookie, and nowhere else. */
function signedIn(status: number, { secret, session, account }: SignedIn): Reply {
  return jsonReply(status, { account, session }, sessionCookie(secret))
}
