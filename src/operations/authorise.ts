import { isForCollection, type Permission } from '../domain/key-rules.ts'
import { collectionName } from '../domain/names.ts'
import type { Permitted } from '../domain/permitted.ts'
import { type Conditions, namesTags, type Precondition } from '../domain/precondition.ts'
import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import type { AppRecord, CollectionAddress } from '../storage/store.ts'
import type { CollectionInput, OperationContext } from './context.ts'

/** A collection that may be written to, and what its app has settled for that. */
export interface WritableCollection extends CollectionAddress {
  /** The app's own limit of a document, beside that of the server. */
  readonly documentBytes?: number
}

/** What deciding takes. */
export type DirectoryContext = Pick<OperationContext, 'directory'>

/**
 * Lets a principal at an app, or not. What a rule refuses is refused alike whether the app exists or not, and one of
 * another owner as one that doesn't exist, so that a key tells nothing about other apps.
 * @throws AppError `app_not_allowed`, `permission_denied`, `app_not_found`
 */
export function authorise(
  context: DirectoryContext,
  principal: Principal,
  app: string,
  permission: Permission,
): AppRecord {
  requireApp(principal, app)
  requirePermission(principal, [permission])
  return existingApp(context, principal, app)
}

/**
 * The collection that a request names, for a principal who may do all of this there.
 * @throws AppError as `authorise` does, and `collection_not_allowed`, `invalid_name`
 */
export function authoriseCollection(
  context: DirectoryContext,
  principal: Principal,
  input: CollectionInput,
  ...permissions: readonly Permission[]
): CollectionAddress {
  const { app, collection } = authoriseWrite(context, principal, input, ...permissions)
  return { app, collection }
}

/**
 * The same for a write that makes documents, with what bounds them.
 * @throws AppError as `authoriseCollection` does
 */
export function authoriseWrite(
  context: DirectoryContext,
  principal: Principal,
  input: CollectionInput,
  ...permissions: readonly Permission[]
): WritableCollection {
  requireApp(principal, input.app)
  requirePermission(principal, permissions)
  return allowedCollection(context, principal, input)
}

/**
 * The collection for a write that creates or overwrites, whichever it turns out to be. A principal who may do one of
 * them gets this far; the store refuses the other.
 * @throws AppError as `authoriseCollection` does
 */
export function authoriseUpsert(
  context: DirectoryContext,
  principal: Principal,
  input: CollectionInput,
): WritableCollection & { readonly permitted: Permitted } {
  const permitted = { create: may(principal, 'create'), update: may(principal, 'update') }
  requireApp(principal, input.app)
  if (!permitted.create && !permitted.update) throw permissionDenied(principal, 'create or update')
  return { ...allowedCollection(context, principal, input), permitted }
}

/**
 * What a principal's write may depend on. Whether a document has a tag tells what it holds, so that conditions on tags are
 * for those who may read it; whether it is there, every write tells.
 * @throws AppError `permission_denied`
 */
export function authoriseConditions(
  principal: Principal,
  conditions: Conditions | undefined,
): { readonly precondition?: Precondition } {
  if (conditions === undefined) return {}
  const tellsTag = may(principal, 'read')
  if (!tellsTag && namesTags(conditions)) throw permissionDenied(principal, 'read', ONLY_ANY)
  return { precondition: { ...conditions, tellsTag } }
}

/** What those may send all the same who may not read. */
const ONLY_ANY = ', which a condition on an entity tag does; If-Match and If-None-Match may be * here'

export function may({ rules }: Principal, permission: Permission): boolean {
  return rules.permission.includes(permission)
}

/** @throws AppError `permission_denied` */
export function requirePermission(principal: Principal, permissions: readonly Permission[]): void {
  for (const each of permissions) if (!may(principal, each)) throw permissionDenied(principal, each)
}

function requireApp({ rules }: Principal, app: string): void {
  if (rules.apps !== 'all' && !rules.apps.includes(app))
    throw new AppError('app_not_allowed', 'this API key may not use that app')
}

function allowedCollection(
  context: DirectoryContext,
  principal: Principal,
  { app, collection }: CollectionInput,
): WritableCollection {
  if (!isForCollection(principal.rules, collection))
    throw new AppError('collection_not_allowed', 'this API key may not use that collection')
  const { id, settings } = existingApp(context, principal, app)
  const documentBytes = settings?.documentBytes ?? undefined
  return {
    app: id,
    collection: collectionName(collection),
    ...(documentBytes !== undefined && { documentBytes }),
  }
}

/** One of another owner is as one that doesn't exist, also where a rule names it. */
function existingApp(context: DirectoryContext, { owner }: Principal, app: string): AppRecord {
  const record = context.directory().apps.get(app)
  if (record === undefined || record.owner !== owner) throw appNotFound()
  return record
}

/** In the same words whoever asks, and whether there is no such app or it is somebody else's. */
export function appNotFound(): AppError {
  return new AppError('app_not_found', 'there is no such app; apps are made with `bin/sheaf app create SLUG`')
}

function permissionDenied({ isAccount }: Principal, what: string, more = ''): AppError {
  const who = isAccount ? 'this account' : 'this API key'
  return new AppError('permission_denied', `${who} may not ${what} documents${more}`)
}
