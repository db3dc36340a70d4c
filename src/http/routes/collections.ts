import { listApps } from '../../operations/list-apps.ts'
import { listCollections } from '../../operations/list-collections.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { Reply } from '../response/reply.ts'

export function getApps({ context, principal }: RequestContext): Reply {
  return { status: 200, body: JSON.stringify(listApps(context, principal)) }
}

export async function getCollections({ context, principal, app }: RequestContext): Promise<Reply> {
  return { status: 200, body: JSON.stringify(await listCollections(context, principal, { app })) }
}
