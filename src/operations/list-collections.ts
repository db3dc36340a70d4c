import type { Principal } from '../domain/principal.ts'
import { authorise } from './authorise.ts'
import type { OperationContext } from './context.ts'

/**
 * The names of an app's collections that a principal may use, ordered by code point.
 * @throws AppError for the app as `authorise` does, and what the store throws
 */
export async function listCollections(
  context: OperationContext,
  principal: Principal,
  { app }: { app: string },
): Promise<string[]> {
  const names = await context.store.listCollections(authorise(context, principal, app, 'read').id)
  const { collections } = principal.rules
  return collections === 'all' ? names : names.filter((name) => collections.includes(name))
}
