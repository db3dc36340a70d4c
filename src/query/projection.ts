import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { type Path, parsePath } from '../json/path.ts'
import type { JsonArray, JsonObject, JsonValue } from '../json/value.ts'
import { isJsonArray, isJsonNumber, isJsonObject, quantity } from '../json/value.ts'
import type { Projection } from './ast.ts'

/**
 * Takes the value of `f` apart. `{}` leaves documents whole.
 * @throws AppError `invalid_parameter`, `nesting_too_deep`
 */
export function parseProjection(value: JsonValue, limits: Limits): Projection {
  if (!isJsonObject(value))
    throw new AppError('invalid_parameter', 'f should be an object such as {"name":1,"age":1}')
  if (value.size > limits.queryConditions)
    throw new AppError('invalid_parameter', `f may name at most ${limits.queryConditions} fields`)
  const chosen: Path[] = []
  const left: Path[] = []
  let idIncluded: boolean | undefined
  for (const [field, flag] of value) {
    const included = parseFlag(flag)
    if (field === '_id') idIncluded = included
    else (included ? chosen : left).push(parsePath(field, limits.nestingLevels))
  }
  if (chosen.length > 0 && left.length > 0)
    throw new AppError(
      'invalid_parameter',
      'f either includes fields, all with 1, or excludes fields, all with 0; only _id may differ from the rest',
    )
  const includes = chosen.length > 0 || (left.length === 0 && idIncluded === true)
  const paths = includes ? chosen : left
  refuseCollisions(idIncluded === undefined ? paths : [...paths, ['_id']])
  return { mode: includes ? 'include' : 'exclude', paths, includesId: idIncluded ?? true }
}

function parseFlag(value: JsonValue): boolean {
  const flag = isJsonNumber(value) ? quantity(value) : undefined
  if (flag === 1 || flag === 0) return flag === 1
  throw new AppError('invalid_parameter', 'each field of f should have the value 1 (include) or 0 (exclude)')
}

/** The fields that a projection names, by their parts; `whole` ends a path. */
type Tree = Map<string, Tree | 'whole'>

function refuseCollisions(paths: readonly Path[]): void {
  const tree: Tree = new Map()
  for (const path of paths) {
    if (plant(tree, path)) continue
    throw new AppError(
      'invalid_parameter',
      `f names ${path.join('.')} beside a field that lies around it or in it; name one of them`,
    )
  }
}

/** Adds a path to a tree, or answers false where it meets another one. */
function plant(tree: Tree, path: Path): boolean {
  let branch = tree
  for (const part of path.slice(0, -1)) {
    const next: Tree | 'whole' = branch.get(part) ?? new Map()
    if (next === 'whole') return false
    branch.set(part, next)
    branch = next
  }
  const last = path.at(-1)!
  if (branch.has(last)) return false
  branch.set(last, 'whole')
  return true
}

/** The fields of a document that a projection asks for. To project many documents, prepare the projection once. */
export function project(document: JsonObject, projection: Projection): JsonObject {
  return prepareProjection(projection)(document)
}

export function prepareProjection(projection: Projection): (document: JsonObject) => JsonObject {
  const tree = treeOf(projection)
  return projection.mode === 'include'
    ? (document) => includeFrom(document, tree)
    : (document) => excludeFrom(document, tree)
}

/** What of a field of a document a projection leaves. */
export type FieldChoice = 'whole' | 'part' | 'nothing'

/** What a projection leaves of each field; how much a part is depends on the value. */
export function prepareChoice(projection: Projection): (field: string) => FieldChoice {
  const tree = treeOf(projection)
  const [named, other] =
    projection.mode === 'include' ? (['whole', 'nothing'] as const) : (['nothing', 'whole'] as const)
  return (field) => {
    const branch = tree.get(field)
    if (branch === undefined) return other
    return branch === 'whole' ? named : 'part'
  }
}

function treeOf(projection: Projection): Tree {
  const tree: Tree = new Map()
  for (const path of projection.paths) plant(tree, path)
  // `_id` is never an object: naming a field inside of it changes nothing about it.
  tree.delete('_id')
  if ((projection.mode === 'include') === projection.includesId) tree.set('_id', 'whole')
  return tree
}

function includeFrom(object: JsonObject, tree: Tree): JsonObject {
  const kept: JsonObject = new Map()
  for (const [key, value] of object) {
    const branch = tree.get(key)
    if (branch === undefined) continue
    const part = branch === 'whole' ? value : includeInside(value, branch)
    if (part !== undefined) kept.set(key, part)
  }
  return kept
}

/** What a path that goes on leaves of a value: nothing of a scalar, also where it is an element of an array. */
function includeInside(value: JsonValue, tree: Tree): JsonObject | JsonArray | undefined {
  if (isJsonObject(value)) return includeFrom(value, tree)
  if (!isJsonArray(value)) return undefined
  return value.map((element) => includeInside(element, tree)).filter((element) => element !== undefined)
}

function excludeFrom(object: JsonObject, tree: Tree): JsonObject {
  const kept: JsonObject = new Map()
  for (const [key, value] of object) {
    const branch = tree.get(key)
    if (branch !== 'whole') kept.set(key, branch === undefined ? value : excludeInside(value, branch))
  }
  return kept
}

function excludeInside(value: JsonValue, tree: Tree): JsonValue {
  if (isJsonObject(value)) return excludeFrom(value, tree)
  return isJsonArray(value) ? value.map((element) => excludeInside(element, tree)) : value
}
