import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'
import { declaredLength } from '../http/request/receive-body.ts'

/**
 * Refuses a body of a type that a route doesn't name, above all those that a form on any page can send (WHATWG HTML,
 * "Form submission"). A request without a body needs none.
 * @throws AppError `unsupported_media_type`
 */
export function requireMediaType(request: IncomingMessage, types: ReadonlySet<string>): void {
  const given = request.headers['content-type']
  if (given === undefined && declaredLength(request) === 0) return
  const [type = ''] = (given ?? '').split(';', 1)
  if (types.has(type.trim().toLowerCase())) return
  throw new AppError(
    'unsupported_media_type',
    `the body should be sent with the header Content-Type: ${[...types].join(' or ')}`,
  )
}
