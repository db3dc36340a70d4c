import type { Principal } from '../domain/principal.ts'
import { requirePermission } from './authorise.ts'
import type { OperationContext } from './context.ts'

/**
 * The slugs of the apps that exist and that a principal may use, ordered: none of another owner.
 * @throws AppError `permission_denied` where the principal may not read
 */
export function listApps(context: OperationContext, principal: Principal): string[] {
  requirePermission(principal, ['read'])
  const { apps } = context.directory()
  const allowed = principal.rules.apps
  const slugs = allowed === 'all' ? [...apps.keys()] : [...new Set(allowed)]
  return slugs.filter((slug) => apps.get(slug)?.owner === principal.owner).sort()
}
