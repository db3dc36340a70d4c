import { validateKey } from '../../operations/validate-key.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { Reply } from '../response/reply.ts'

export function getValidateKey({ principal }: RequestContext): Reply {
  return { status: 200, body: JSON.stringify(validateKey(principal)) }
}

/** The answer to `POST /create-token/<api_key>`, which needs no credentials beside the path. */
export function tokenReply(token: string): Reply {
  return { status: 200, body: JSON.stringify({ id_result: token }) }
}
