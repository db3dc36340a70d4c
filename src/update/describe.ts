import { AppError } from '../errors.ts'
import { RANK, rankOf } from '../json/compare.ts'
import type { Path } from '../json/path.ts'
import type { JsonValue } from '../json/value.ts'

const SHOWN_CHARACTERS = 80

/** A text of the client's in quotes, short enough for a message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)
}

export function shownPath(path: Path): string {
  return shown(path.join('.'))
}

/** The kind of a value with its article. */
export function describe(value: JsonValue): string {
  switch (rankOf(value)) {
    case RANK.null:
      return 'null'
    case RANK.number:
      return 'a number'
    case RANK.text:
      return 'a text'
    case RANK.object:
      return 'an object'
    case RANK.array:
      return 'an array'
    default:
      return 'a boolean'
  }
}

/** An update whose own form is wrong, whatever the document. */
export function invalidUpdate(message: string): AppError {
  return new AppError('invalid_update', message)
}

/** A modifier that needs another kind of value at its path. */
export function notApplicable(modifier: string, path: Path, value: JsonValue, needed: string): AppError {
  return new AppError(
    'update_not_applicable',
    `${modifier} needs ${needed} at ${shownPath(path)}, which holds ${describe(value)}`,
  )
}
