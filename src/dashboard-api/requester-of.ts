import type { IncomingMessage } from 'node:http'
import { isBearer } from '../credentials/authenticate.ts'
import { COMMAND_USER_HEADER, commandActorOf } from '../domain/command-user.ts'
import type { ClientOf } from '../http/request/client-address.ts'
import type { Requester } from './account-service.ts'
import { sessionSecret } from './session-cookie.ts'

/** Says of a request who sends it, which is not checked yet. */
export type RequesterOf = (request: IncomingMessage) => Requester

/** For what comes by HTTPS. */
export function clientRequester(clientOf: ClientOf): RequesterOf {
  return (request) => {
    const { authorization, cookie, 'user-agent': userAgent = '' } = request.headers
    const { address } = clientOf(request)
    if (authorization !== undefined && isBearer(authorization))
      return { address, userAgent, bearer: authorization.slice('bearer'.length).trim() }
    return { address, userAgent, sessionSecret: sessionSecret(cookie) }
  }
}

/** For what comes by the socket in the data folder, and for nothing else: who can open that has all that is in the folder. */
export function commandRequester({ headers }: IncomingMessage): Requester {
  return { address: '', userAgent: '', commandLine: commandActorOf(headers[COMMAND_USER_HEADER]) }
}
