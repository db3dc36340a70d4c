import type { DashboardRoute } from './dashboard-request.ts'

/** Routes by method and path under `/_/api`, as in `GET /apps/{app}/keys`. */
export type DashboardRoutes = Readonly<Record<string, DashboardRoute>>

interface PathPattern {
  readonly parts: readonly string[]
  readonly methods: Map<string, DashboardRoute>
}

export interface FoundPath {
  readonly names: Readonly<Record<string, string>>
  readonly methods: ReadonlyMap<string, DashboardRoute>
}

/** Finds what the decoded parts of a path name; undefined where that is nothing. */
export type FindPath = (path: readonly string[]) => FoundPath | undefined

/** A slash may end a path. A part that a name in braces stands for is never empty. */
export function createDashboardRouter(routes: DashboardRoutes): FindPath {
  const patterns = new Map<string, PathPattern>()
  for (const [routed, handle] of Object.entries(routes)) {
    const [method, path] = routed.split(' ') as [string, string]
    const pattern = patterns.get(path) ?? { parts: path.split('/').slice(1), methods: new Map() }
    patterns.set(path, pattern)
    pattern.methods.set(method, handle)
    // Node leaves the body out of an answer to HEAD.
    if (method === 'GET') pattern.methods.set('HEAD', handle)
  }
  const byLength = Map.groupBy(patterns.values(), ({ parts }) => parts.length)
  return (path) => {
    const given = path.at(-1) === '' ? path.slice(0, -1) : path
    const found = (byLength.get(given.length) ?? []).flatMap(({ parts, methods }) => {
      const names = namesIn(given, parts)
      return names === undefined ? [] : [{ names, methods }]
    })
    if (found.length <= 1) return found[0]
    // An app may be called as something that has other methods here.
    return {
      names: Object.assign({}, ...found.map(({ names }) => names)) as FoundPath['names'],
      methods: new Map(found.flatMap(({ methods }) => [...methods])),
    }
  }
}

function namesIn(path: readonly string[], pattern: readonly string[]): Record<string, string> | undefined {
  const names: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const given = path[index]!
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    if (name === undefined ? given !== part : given === '') return undefined
    if (name !== undefined) names[name] = given
  }
  return names
}
