import type { ProviderAnswer } from '../../credentials/identity-provider.ts'
import { decodePending, type SignInPurpose } from '../../credentials/pending-sign-in.ts'
import { AppError } from '../../errors.ts'
import { errorReply, isForTheLog } from '../../http/response/error-reply.ts'
import type { Reply } from '../../http/response/reply.ts'
import type { BegunProviderSignIn } from '../../operations/begin-provider-sign-in.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'
import { NO_PENDING_COOKIE, pendingCookie, sessionCookie } from '../session-cookie.ts'

/** Signing in by an OpenID provider, to which the browser goes between the two halves. */
export const OIDC_ROUTES: DashboardRoutes = {
  'POST /oidc/begin': async (request) => {
    const { purpose, secret, to } = await request.fields({ purpose: 'text', secret: 'text?', to: 'text?' })
    if (purpose === 'sign-in') return begun(await request.call('beginProviderSignIn', { to }))
    if (purpose === 'connect' || purpose === 'confirm')
      return begun(await request.call('beginProviderConnection', { purpose, to }))
    if (purpose !== 'link' || secret === undefined)
      throw new AppError(
        'invalid_request',
        'the field purpose should be sign-in, connect, confirm, or link with the field secret',
      )
    return begun(await request.call('beginProviderSignIn', { secret, to }))
  },
  'POST /oidc/finish': async (request) => {
    const answer = await request.fields({ state: 'text', code: 'text?', iss: 'text?', error: 'text?' })
    const pending = decodePending(request.pendingSignIn)
    try {
      return await finish(request, answer, pending?.purpose)
    } catch (error) {
      if (!(error instanceof AppError) || isForTheLog(error)) throw error
      // Any site may send a browser here with an answer of its own, which must not end a sign-in that is under way.
      if (pending?.state !== answer.state) throw error
      // An answer is good once, whatever comes of it.
      const reply = errorReply(error)
      return { ...reply, headers: [...(reply.headers ?? []), ...NO_PENDING_COOKIE] }
    }
  },
  'GET /account/identities': async (request) => jsonReply(200, await request.call('listIdentities')),
  'DELETE /account/identities/{identity}': async (request) => {
    await request.call('disconnectIdentity', { id: request.name('identity') })
    return doneReply()
  },
}

/** What is kept meanwhile goes to the browser's cookie, and nowhere else. */
function begun({ location, pending }: BegunProviderSignIn): Reply {
  return jsonReply(200, { location }, pendingCookie(pending))
}

async function finish(
  request: DashboardRequest,
  answer: ProviderAnswer,
  purpose: SignInPurpose | undefined,
): Promise<Reply> {
  const pending = request.pendingSignIn
  if (purpose === 'connect' || purpose === 'confirm') {
    const done = await request.call('finishProviderConnection', { answer, pending })
    return jsonReply(200, done, NO_PENDING_COOKIE)
  }
  const { secret, ...signedIn } = await request.call('finishProviderSignIn', { answer, pending })
  const status = purpose === 'link' ? 201 : 200
  return jsonReply(status, signedIn, [...sessionCookie(secret), ...NO_PENDING_COOKIE])
}
