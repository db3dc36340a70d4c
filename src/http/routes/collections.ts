import { listApps } from '../../operations/list-apps.ts'
import { listCollections } from '../../operations/list-collections.ts'
import type { Call } from '../call.ts'
import type { Reply } from '../reply.ts'

export function getApps({ context, principal }: Call): Reply {
  return { status: 200, body: JSON.stringify(listApps(context, principal)) }
}

export async function getCollections({ context, principal, app }: Call): Promise<Reply> {
  return { status: 200, body: JSON.stringify(await listCollections(context, principal, { app })) }
}
