import { PATH_BYTES } from '../domain/site-paths.ts'

/** The path that a request names, decoded. */
export interface RequestedPath {
  /** With its slashes, of which the first is left out; composed, as the names of files are. */
  readonly text: string
  /** Whether it may be that of a file or a folder: a slash inside a part, or what a browser might take for one, is no way into a folder. */
  readonly isPlain: boolean
}

/**
 * Reads a path; undefined where it is longer than that of any file may be. That bound comes before all that looks at the
 * path: to compose a text of many marks takes the square of its length.
 * @param parts between the path's slashes, decoded
 */
export function requestedPath(parts: readonly string[]): RequestedPath | undefined {
  const path = parts.join('/')
  // One more for the slash that may end it.
  if (Buffer.byteLength(path) > PATH_BYTES + 1) return undefined
  const isPlain = !parts.some((part) => part.includes('/') || part.includes('\\'))
  return { text: path.normalize(), isPlain }
}
