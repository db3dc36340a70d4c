import type { Principal } from '../domain/principal.ts'
import type { OperationContext } from './context.ts'

/** The slugs of the apps that exist and that a principal may use, ordered. */
export function listApps(context: OperationContext, principal: Principal): string[] {
  const { apps } = context.directory()
  const slugs = principal.apps === 'all' ? [...apps.keys()] : principal.apps.filter((slug) => apps.has(slug))
  return slugs.sort()
}
