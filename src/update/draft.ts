import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { documentTooLarge } from '../json/document-too-large.ts'
import { arrayIndex, type Path } from '../json/path.ts'
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../json/value.ts'
import { checkDepth } from './check-depth.ts'
import { describe, shownPath } from './describe.ts'

/** What a path leads to. */
export type Target =
  | { readonly kind: 'present'; readonly value: JsonValue }
  /** Nothing stands there, and it could be created. */
  | { readonly kind: 'missing' }
  /** `holder` stands at the first `depth` parts and can't hold the next one. */
  | { readonly kind: 'blocked'; readonly holder: JsonValue; readonly depth: number }

const MISSING: Target = Object.freeze({ kind: 'missing' })

/** A part that is a number addresses an element of an array, and a key everywhere else. */
export function targetAt(root: JsonValue, path: Path): Target {
  let value: JsonValue | undefined = root
  for (let depth = 0; depth < path.length; depth++) {
    const part = path[depth]!
    const index = isJsonArray(value) ? arrayIndex(part) : undefined
    if (isJsonObject(value)) value = value.get(part)
    else if (isJsonArray(value) && index !== undefined) value = value[index]
    else return { kind: 'blocked', holder: value, depth }
    if (value === undefined) return MISSING
  }
  return { kind: 'present', value }
}

/** Whether an array stands on the way to a path's end. */
export function leadsThroughArray(root: JsonValue, path: Path): boolean {
  let value: JsonValue | undefined = root
  for (const part of path) {
    if (isJsonArray(value)) return true
    value = isJsonObject(value) ? value.get(part) : undefined
  }
  return false
}

export function blocked(path: Path, { holder, depth }: { holder: JsonValue; depth: number }): AppError {
  const reason = isJsonArray(holder) ? 'an array, whose elements are named by numbers' : describe(holder)
  return new AppError(
    'update_not_applicable',
    `${shownPath(path)} can't be reached: ${shownPath(path.slice(0, depth))} holds ${reason}`,
  )
}

const NULL_BYTES = 'null,'.length

/**
 * A document in the making. The one it began with is never changed: what is on the way to a change is copied
 * once, the rest is shared.
 */
export class Draft {
  root: JsonObject
  private readonly limits: Limits
  /** Containers that this draft made, and may therefore change. */
  private readonly own = new Set<JsonValue>()
  /** How many elements each array was padded with. */
  private readonly padding = new Map<JsonArray, number>()
  private paddingBytes = 0

  constructor(root: JsonObject, limits: Limits) {
    this.root = root
    this.limits = limits
  }

  /**
   * Puts a value at a path that is not blocked and creates what is missing on the way. A new key is the last
   * one of its object, a known one keeps its place.
   * @throws AppError `nesting_too_deep`, `update_not_applicable`, `document_too_large`
   */
  set(path: Path, value: JsonValue): void {
    checkDepth(value, this.limits.nestingLevels - path.length)
    this.put(this.parentOf(path), path, path.length - 1, value)
  }

  /** Takes out what is present at a path: a key goes, an element becomes null. */
  remove(path: Path): void {
    const parent = this.parentOf(path)
    if (isJsonObject(parent)) parent.delete(path.at(-1)!)
    else this.put(parent, path, path.length - 1, null)
  }

  private parentOf(path: Path): JsonArray | JsonObject {
    this.root = this.owned(this.root)
    let parent: JsonArray | JsonObject = this.root
    for (let i = 0; i < path.length - 1; i++) {
      const part = path[i]!
      const child: JsonValue | undefined = isJsonObject(parent) ? parent.get(part) : parent[arrayIndex(part)!]
      const next: JsonArray | JsonObject =
        isJsonArray(child) || isJsonObject(child) ? this.owned(child) : this.created()
      if (next !== child) this.put(parent, path, i, next)
      parent = next
    }
    return parent
  }

  private owned<T extends JsonArray | JsonObject>(container: T): T {
    if (this.own.has(container)) return container
    const copy = isJsonArray(container) ? [...container] : new Map(container)
    this.own.add(copy)
    return copy as T
  }

  private created(): JsonObject {
    const object: JsonObject = new Map()
    this.own.add(object)
    return object
  }

  private put(parent: JsonArray | JsonObject, path: Path, position: number, value: JsonValue): void {
    const part = path[position]!
    if (isJsonObject(parent)) {
      parent.set(part, value)
      return
    }
    const index = arrayIndex(part)!
    if (index > parent.length) this.pad(parent, index, path.slice(0, position))
    parent[index] = value
  }

  /** Bounded for each array, and for all of them by what a document may hold at all. */
  private pad(array: JsonArray, length: number, path: Path): void {
    const added = (this.padding.get(array) ?? 0) + length - array.length
    const { arrayPaddingElements, documentBytes } = this.limits
    if (added > arrayPaddingElements)
      throw new AppError(
        'update_not_applicable',
        `${shownPath(path)} would be padded with more than ${arrayPaddingElements} nulls; use lower numbers`,
      )
    this.paddingBytes += (length - array.length) * NULL_BYTES
    if (this.paddingBytes > documentBytes) throw documentTooLarge(documentBytes)
    this.padding.set(array, added)
    while (array.length < length) array.push(null)
  }
}
