/*
 * Which files a site may have, by their paths in it, such as `a/b.html`. Whoever deploys asks before anything is sent, in a
 * browser, too, and the server asks again.
 */

/** Which a path of a site's file has at most, in UTF-8. */
export const PATH_BYTES = 1024
const PART_BYTES = 255
const DRIVE = /^[a-z]:/i
/** What turns the reading direction of a text makes a name look like another one. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/
/** What the server answers itself on a site's host. */
const OWN_FOLDER = '_sheaf'
/** What systems put beside the files of a folder, in lower case. */
const LITTER: ReadonlySet<string> = new Set(['__macosx', 'thumbs.db'])
/** Of the files that a dot hides, those that the Web has a use for (RFC 8615). */
const WELL_KNOWN = '.well-known'

/** Why a site can't have a file of this path, in words that go behind the path; undefined where it can. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty'
  if (!path.isWellFormed()) return 'has a lone surrogate'
  if (CONTROL_CHARACTER.test(path)) return 'has a control character'
  if (DIRECTION.test(path)) return 'has a character that turns the reading direction'
  if (path.includes('\\')) return 'has a backslash; folders are parted by /'
  if (path.startsWith('/') || DRIVE.test(path)) return 'is absolute; it must begin in the folder of the site'
  if (bytesOf(path) > PATH_BYTES) return `is longer than ${PATH_BYTES} bytes`
  const parts = path.split('/')
  if (parts.includes('')) return 'has an empty part'
  if (parts.some((part) => part === '.' || part === '..')) return 'has a part that is . or ..'
  if (parts.some((part) => bytesOf(part) > PART_BYTES)) return `has a part of more than ${PART_BYTES} bytes`
  if (foldedPath(parts[0]!) === OWN_FOLDER) return `is in ${OWN_FOLDER}, which is the server's own`
  return undefined
}

/** Whether a file stays out of a site without a word of refusal: what is hidden is meant for nobody. */
export function isLeftOut(path: string): boolean {
  return path
    .split('/')
    .some((part) => (part.startsWith('.') && part !== WELL_KNOWN) || LITTER.has(part.toLowerCase()))
}

/** The same for paths that are one file where cases and Unicode forms aren't told apart. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase().normalize('NFC')
}

/**
 * The folder at the top that was meant to be the site, as far as that can be told: there is no `index.html` at the top, and
 * in one of its folders alone there is.
 */
export function likelySiteFolder(paths: Iterable<string>): string | undefined {
  const folders: string[] = []
  for (const path of paths) {
    if (path === 'index.html') return undefined
    const [folder, file, ...rest] = path.split('/')
    if (file === 'index.html' && rest.length === 0) folders.push(folder!)
  }
  return folders.length === 1 ? folders[0] : undefined
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
