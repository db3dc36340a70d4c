import { writeFileSync } from 'node:fs'
import type { Answer } from './client.ts'
import type { RunningServer } from './contender.ts'
import type { Kit } from './kit.ts'
import type { BareSettings } from './servers/bare-server.ts'

/** Headers that Node's server writes by itself, in each server alike. */
const AUTOMATIC = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/**
 * Starts a bare `node:https` server in a process of its own, which answers just what Sheaf answered to the same
 * request: status, headers and body.
 */
export async function startBare(
  kit: Kit,
  settings: { readonly identity: BareSettings['identity']; readonly like: Answer } & Pick<
    BareSettings,
    'work' | 'database'
  >,
): Promise<RunningServer & { readonly port: number }> {
  const { identity, like, work, database } = settings
  const bodyFile = kit.path('answer')
  writeFileSync(bodyFile, like.body)
  const bare: BareSettings = {
    identity,
    work,
    database,
    status: like.status,
    headers: ownHeaders(like),
    bodyFile,
  }
  const { child, port } = await kit.startScript(new URL('./servers/bare-server.ts', import.meta.url), bare)
  return { pids: [child.pid!], port, stop: () => kit.stop(child) }
}

function ownHeaders({ rawHeaders, headers, body }: Answer): string[] {
  const own: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!AUTOMATIC.has(rawHeaders[i]!.toLowerCase())) own.push(rawHeaders[i]!, rawHeaders[i + 1]!)
  if (headers['content-length'] === undefined) own.push('Content-Length', String(Buffer.byteLength(body)))
  return own
}
