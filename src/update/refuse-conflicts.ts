import { AppError } from '../errors.ts'
import type { Path } from '../json/path.ts'
import { shownPath } from './describe.ts'

/** No key contains it, and nothing sorts before it. */
const SEPARATOR = '\u0000'

/**
 * Refuses paths of which two are the same, or one the parent of another. In sorted order such a pair stands
 * side by side, because all that lies between a path and one below it is below it too; so hundreds of
 * thousands of paths cost one sort.
 * @throws AppError `conflicting_paths`
 */
export function refuseConflicts(paths: readonly Path[]): void {
  const texts = paths.map((path) => path.join(SEPARATOR)).sort()
  for (let i = 1; i < texts.length; i++) {
    const [before, after] = [texts[i - 1]!, texts[i]!]
    if (!after.startsWith(before)) continue
    if (after.length === before.length) throw conflict(before)
    if (after[before.length] === SEPARATOR) throw conflict(before, after)
  }
}

function conflict(path: string, below?: string): AppError {
  const parts = path.split(SEPARATOR)
  const both = below === undefined ? '' : ` and ${shownPath(below.split(SEPARATOR))}`
  return new AppError(
    'conflicting_paths',
    `${shownPath(parts)}${both} would be touched twice; name each field once, and not beside its parent`,
  )
}
