import { AppError } from '../errors.ts'

/** A dotted path taken apart. A part never contains a dot, so keys that do can't be addressed. */
export type Path = readonly string[]

const INDEX = /^(?:0|[1-9]\d{0,14})$/

/**
 * Takes a dotted path apart. Empty parts are kept: they name the empty key.
 * @throws AppError `nesting_too_deep`
 */
export function parsePath(text: string, maxParts: number): Path {
  const parts = text.split('.', maxParts + 1)
  if (parts.length > maxParts)
    throw new AppError('nesting_too_deep', `a path may have at most ${maxParts} parts between its dots`)
  return parts
}

/** The position that a path's part names in an array, or undefined where it can only be a key. */
export function arrayIndex(part: string): number | undefined {
  return INDEX.test(part) ? Number(part) : undefined
}
