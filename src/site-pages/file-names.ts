import { fileType } from '../sites/file-type.ts'

const TEXT = /^text\/|[/+](?:json|xml)$|^application\/(?:javascript|manifest\+json)$|^image\/svg/
/** What stands between the last two of `.`, `-`, `_` or slashes of a name. */
const LAST_PART = /(?:^|[./_-])([0-9A-Za-z]{8,})\.[0-9A-Za-z]+$/
/** Not `report2024`, nor `20240131`: those of a hash take turns. */
const MIXED = /[A-Za-z][0-9]+[A-Za-z]|[0-9][A-Za-z]+[0-9]/
const PAGE = /\.html?$/i

/** The value of `Content-Type` of a file, by its name. */
export function typeOf(path: string): string {
  const type = fileType(path)
  return TEXT.test(type) ? `${type}; charset=utf-8` : type
}

/**
 * Whether a file's name has a hash of what is in it, as bundlers put it there: `app.3f9a1c2b.js`, `index-CxY12abc.css`.
 * Then another version of the file has another name. Pages are never such files.
 */
export function hasHash(path: string): boolean {
  const [, part] = LAST_PART.exec(path) ?? []
  return part !== undefined && MIXED.test(part) && !PAGE.test(path)
}
