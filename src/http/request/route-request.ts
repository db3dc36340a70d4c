import { AppError } from '../../errors.ts'
import { errorReply } from '../response/error-reply.ts'
import type { Reply } from '../response/reply.ts'
import { findResource, type Resource } from '../router.ts'
import { RequestContext, type RequestContextParts } from './request-context.ts'

/**
 * Answers a request of whoever was let in, by what its path names.
 * @returns undefined where the path names nothing
 */
export function routeRequest(parts: RequestContextParts): Reply | Promise<Reply> | undefined {
  const resource = findResource(parts.path)
  if (resource === undefined) return undefined
  const handler = resource.methods.get(parts.request.method!)
  return handler === undefined ? methodNotAllowed(resource) : handler(new RequestContext(parts))
}

/** @param allow value of the header `Allow` */
export function methodNotAllowed({ allow }: Pick<Resource, 'allow'>): Reply {
  const error = new AppError('method_not_allowed', `this path takes ${allow} and no other method`)
  return { ...errorReply(error), headers: ['Allow', allow] }
}
