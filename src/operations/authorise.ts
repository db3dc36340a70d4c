import { collectionName } from '../domain/names.ts'
import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import type { AppRecord, CollectionAddress } from '../storage/store.ts'
import type { CollectionInput, OperationContext } from './context.ts'

/** What a permission allows or refuses. */
export type Verb = 'read' | 'create' | 'update' | 'delete'

const PERMITTED: Readonly<Record<Principal['permission'], readonly Verb[]>> = {
  full: ['read', 'create', 'update', 'delete'],
}

/**
 * Lets a principal at an app, or not. An app outside the key's list is refused alike whether it exists or not, so
 * that a key tells nothing about other apps.
 * @throws AppError `app_not_allowed`, `permission_denied`, `app_not_found`
 */
export function authorise(
  context: OperationContext,
  principal: Principal,
  app: string,
  verb: Verb,
): AppRecord {
  if (principal.apps !== 'all' && !principal.apps.includes(app))
    throw new AppError('app_not_allowed', 'this API key may not use that app')
  if (!PERMITTED[principal.permission].includes(verb))
    throw new AppError('permission_denied', `this API key may not ${verb} documents`)
  const record = context.directory().apps.get(app)
  if (record === undefined)
    throw new AppError(
      'app_not_found',
      'there is no such app; apps are made with `bin/sheaf app create SLUG`',
    )
  return record
}

/**
 * The collection that a request names, for a principal who may do this there.
 * @throws AppError as `authorise` does, and `invalid_name`
 */
export function authoriseCollection(
  context: OperationContext,
  principal: Principal,
  input: CollectionInput,
  verb: Verb,
): CollectionAddress {
  const { id } = authorise(context, principal, input.app, verb)
  return { app: id, collection: collectionName(input.collection) }
}
