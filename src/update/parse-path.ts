import type { Limits } from '../domain/limits.ts'
import type { AppError } from '../errors.ts'
import { type Path, parsePath } from '../json/path.ts'
import { invalidUpdate, shown } from './describe.ts'

/**
 * The path that a modifier names.
 * @throws AppError `invalid_update`, `nesting_too_deep`
 */
export function parseUpdatePath(text: string, limits: Limits): Path {
  const path = parsePath(text, limits.nestingLevels)
  for (const part of path) {
    if (part === '') throw emptyPart(text)
    if (part.startsWith('$')) throw dollarPart(text, part)
  }
  return path
}

function emptyPart(text: string): AppError {
  return text === ''
    ? invalidUpdate('a path may not be empty; to write the key "", send a replacement document')
    : invalidUpdate(
        `the path ${shown(text)} has an empty part; write one dot between two keys, none at the ends`,
      )
}

function dollarPart(text: string, part: string): AppError {
  if (part === '$' || part.startsWith('$['))
    return invalidUpdate(
      `positional operators such as $ and $[] are not supported; write the element's number in ${shown(text)}`,
    )
  return invalidUpdate(`no part of a path may start with $, as one of ${shown(text)} does`)
}
