import { Change, diff, presentableDiff } from '@codemirror/merge'

/** How well lines are compared, in changed lines and in milliseconds; behind that more of them count as changed. */
const LINES = { scanLimit: 1_000, timeout: 300 }
/** The same within lines that changed, in characters. */
const WORDS = { scanLimit: 500, timeout: 100 }
const CODE_UNITS = 65_536

/**
 * What differs, by whole lines, each of which stands for a character of a text: by characters of their own, lines that
 * changed would run together with those between them. Positions count lines.
 */
export function lineDifferences(a: readonly string[], b: readonly string[]): readonly Change[] {
  let same = 0
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1
  let end = 0
  const most = Math.min(a.length, b.length) - same
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const middle = [a.slice(same, a.length - end), b.slice(same, b.length - end)] as const
  if (middle[0].length === 0 && middle[1].length === 0) return []
  const numbers = new Map<string, number>()
  for (const line of middle.flat()) if (!numbers.has(line)) numbers.set(line, numbers.size)
  if (numbers.size > CODE_UNITS) return [new Change(same, a.length - end, same, b.length - end)]
  const [one, other] = middle.map((lines) =>
    lines.map((line) => String.fromCharCode(numbers.get(line)!)).join(''),
  )
  return diff(one!, other!, LINES).map(
    ({ fromA, toA, fromB, toB }) => new Change(same + fromA, same + toA, same + fromB, same + toB),
  )
}

/** What differs in two texts: by lines, and within those that changed by words. Positions count characters. */
export function textDifferences(a: string, b: string): readonly Change[] {
  const begin = sameLinesBefore(a, b)
  const end = sameLinesBehind(a, b, begin)
  const linesA = a.slice(begin, a.length - end).split('\n')
  const linesB = b.slice(begin, b.length - end).split('\n')
  const startsA = startsOf(linesA, begin)
  const startsB = startsOf(linesB, begin)
  return lineDifferences(linesA, linesB).flatMap((change) => {
    const isOneSided = change.fromA === change.toA || change.fromB === change.toB
    // The last line has no break behind it: the one before it comes or goes with it.
    const back = isOneSided && end === 0 && change.toA === linesA.length ? 1 : 0
    const fromA = startsA[change.fromA]! - back
    const fromB = startsB[change.fromB]! - back
    const partA = a.slice(fromA, startsA[change.toA])
    const partB = b.slice(fromB, startsB[change.toB])
    return presentableDiff(partA, partB, WORDS).map(
      (within) =>
        new Change(fromA + within.fromA, fromA + within.toA, fromB + within.fromB, fromB + within.toB),
    )
  })
}

/** How many characters two texts begin with alike, up to the beginning of a line. By character: lines of their own take ten times as long. */
function sameLinesBefore(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let same = 0
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same += 1
  return same === 0 ? 0 : a.lastIndexOf('\n', same - 1) + 1
}

/** How many characters two texts end with alike, from a line break on, with a line of each before it. @param begin behind which they are */
function sameLinesBehind(a: string, b: string, begin: number): number {
  const most = Math.min(a.length, b.length) - begin
  let same = 0
  while (same < most && a.charCodeAt(a.length - 1 - same) === b.charCodeAt(b.length - 1 - same)) same += 1
  const from = a.indexOf('\n', a.length - same)
  return from < 0 ? 0 : a.length - from
}

/** Where each line begins, and where one behind the last would: a character behind the end. @param first where the first one does */
function startsOf(lines: readonly string[], first: number): readonly number[] {
  let start = first
  const starts = lines.map((line) => {
    const begun = start
    start += line.length + 1
    return begun
  })
  return [...starts, start]
}
