import { validateKey } from '../../operations/validate-key.ts'
import type { Call } from '../call.ts'
import type { Reply } from '../reply.ts'

export function getValidateKey({ principal }: Call): Reply {
  return { status: 200, body: JSON.stringify(validateKey(principal)) }
}

/** The answer to `POST /create-token/<api_key>`, which needs no credentials beside the path. */
export function tokenReply(token: string): Reply {
  return { status: 200, body: JSON.stringify({ id_result: token }) }
}
