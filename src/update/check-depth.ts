import { AppError } from '../errors.ts'
import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts'

/**
 * Checks that a value has at most so many levels of objects and arrays; a scalar has none. It never looks
 * deeper than that, so the value may have any depth.
 * @throws AppError `nesting_too_deep`
 */
export function checkDepth(value: JsonValue, levels: number): void {
  if (hasLevels(value, levels)) return
  throw new AppError(
    'nesting_too_deep',
    'the update would nest objects and arrays deeper than a document may; use fewer levels',
  )
}

function hasLevels(value: JsonValue, levels: number): boolean {
  if (isJsonArray(value)) return levels > 0 && value.every((element) => hasLevels(element, levels - 1))
  if (!isJsonObject(value)) return true
  if (levels <= 0) return false
  for (const member of value.values()) if (!hasLevels(member, levels - 1)) return false
  return true
}
