import { fileType } from '../sites/file-type.ts'

const TEXT = /^text\/|[/+](?:json|xml)$|^application\/(?:javascript|manifest\+json)$|^image\/svg/
/** What stands between the last two of `.`, `-` or `_` of a name, with something in front. */
const LAST_PART = /[^/][._-]([0-9A-Za-z]{8,})\.[0-9A-Za-z]+$/
const HEXADECIMAL = /^[0-9a-f]+$/i
/** As esbuild and Angular write it, in base 32. */
const BASE_32 = /^[A-Z2-7]{8}$/
/** Where letters and digits meet. */
const TURNS = /[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])/g
/** A small letter alone between others: words such as those of `OAuth2Client` have none. */
const LONE_LETTER = /(?<![a-z])[a-z](?![a-z])/
const PAGE = /\.html?$/i

/** The value of `Content-Type` of a file, by its name. */
export function typeOf(path: string): string {
  const type = fileType(path)
  return TEXT.test(type) ? `${type}; charset=utf-8` : type
}

/**
 * Whether a file's name has a hash of what is in it, as bundlers put it there: `app.3f9a1c2b.js`, `index-CxY12abc.css`.
 * Then another version of the file has another name. Pages are never such files. A name that is taken for one is shown
 * from before for a year, and one that isn't is only asked for again, so that in doubt there is none.
 */
export function hasHash(path: string): boolean {
  const [, part] = LAST_PART.exec(path) ?? []
  return part !== undefined && isHash(part) && !PAGE.test(path)
}

function isHash(part: string): boolean {
  const turns = part.match(TURNS)?.length ?? 0
  if (HEXADECIMAL.test(part) || BASE_32.test(part)) return turns >= 2
  const isMixedCase = /[a-z]/.test(part) && /[A-Z]/.test(part)
  return turns >= 3 || (turns > 0 && isMixedCase && LONE_LETTER.test(part))
}
