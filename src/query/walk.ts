import { arrayIndex, type Path } from '../json/path.ts'
import type { JsonArray, JsonValue } from '../json/value.ts'

/** Looks at a value that stands at a path's end, undefined where nothing does. */
export type ValueTest = (value: JsonValue | undefined) => boolean

/** At which parts of the path each array was gone through. */
type Visited = Map<JsonArray, Set<number>>

/**
 * A part that is a number can be taken in two ways at each array, so the ways double with every part. Up to this
 * many parts that is cheaper than keeping a record of them.
 */
const UNRECORDED_PARTS = 6

/**
 * Whether a test holds for one of the values that a path leads to, as MongoDB walks it. An array on the way is gone
 * through at the index that the part names and, with the same part, through each of its elements that is an object.
 * Where that leads nowhere at all there is nothing to test, not even a missing value; everywhere else a path that
 * can't go on ends in one. An array at the end is tested as it is.
 */
export function someValueAt(root: JsonValue | undefined, path: Path, test: ValueTest): boolean {
  return some(root, { path, test, visited: path.length > UNRECORDED_PARTS ? new Map() : undefined }, 0)
}

interface Walk {
  readonly path: Path
  readonly test: ValueTest
  readonly visited: Visited | undefined
}

function some(value: JsonValue | undefined, walk: Walk, position: number): boolean {
  if (position === walk.path.length) return walk.test(value)
  if (value instanceof Map) return some(value.get(walk.path[position]!), walk, position + 1)
  if (Array.isArray(value)) return someInArray(value, walk, position)
  return walk.test(undefined)
}

function someInArray(array: JsonArray, walk: Walk, position: number): boolean {
  if (walk.visited !== undefined && !isFirstVisit(walk.visited, array, position)) return false
  const index = arrayIndex(walk.path[position]!)
  if (index !== undefined && index < array.length && some(array[index], walk, position + 1)) return true
  return array.some((element) => element instanceof Map && some(element, walk, position))
}

function isFirstVisit(visited: Visited, array: JsonArray, position: number): boolean {
  const positions = visited.get(array)
  if (positions === undefined) visited.set(array, new Set([position]))
  else if (positions.has(position)) return false
  else positions.add(position)
  return true
}
