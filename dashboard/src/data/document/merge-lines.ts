import { lineDifferences } from './line-differences.ts'

/** Three versions of a document, each as `prettyPrint` makes it. */
export interface ThreeSides<Side> {
  /** What both began with. */
  readonly base: Side
  readonly theirs: Side
  readonly mine: Side
}

/** Lines that both sides changed, each in its own way. */
export type Conflict = ThreeSides<readonly string[]>

/** Lines that are decided, or a conflict. */
export type MergedPart = readonly string[] | Conflict

/** Merges what one side alone changed, by lines. Commas at their ends don't count: they follow from what stands below. */
export function mergeLines(versions: ThreeSides<string>): readonly MergedPart[] {
  const base = linesOf(versions.base)
  const sides = { theirs: linesOf(versions.theirs), mine: linesOf(versions.mine) }
  const changes = [
    ...changesOf(base, { side: 'theirs', lines: sides.theirs }),
    ...changesOf(base, { side: 'mine', lines: sides.mine }),
  ].sort((one, other) => one.from - other.from || one.to - other.to)
  const parts: MergedPart[] = []
  let done = 0
  for (const group of groupsOf(changes)) {
    const from = Math.min(...group.map((change) => change.from))
    const to = Math.max(...group.map((change) => change.to))
    if (from > done) parts.push(base.slice(done, from))
    const range = { from, to }
    const theirs = applied(base, { range, changes: group.filter(({ side }) => side === 'theirs') })
    const mine = applied(base, { range, changes: group.filter(({ side }) => side === 'mine') })
    parts.push(decided({ base: base.slice(from, to), theirs, mine }))
    done = to
  }
  if (done < base.length) parts.push(base.slice(done))
  return parts.filter((part) => isConflict(part) || part.length > 0)
}

export function isConflict(part: MergedPart): part is Conflict {
  return 'base' in part
}

/** The text of lines that were decided, each with the comma that it needs. */
export function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      const next = lines[index + 1]?.trimStart()
      const isOpen = line.endsWith('{') || line.endsWith('[')
      const isLast = next === undefined || next.startsWith('}') || next.startsWith(']')
      return isOpen || isLast ? line : `${line},`
    })
    .join('\n')
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => (line.endsWith(',') ? line.slice(0, -1) : line))
}

interface Change {
  readonly side: 'theirs' | 'mine'
  /** Lines of the base that are replaced, from the first to before the last. */
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

function changesOf(
  base: readonly string[],
  { side, lines }: { readonly side: Change['side']; readonly lines: readonly string[] },
): readonly Change[] {
  return lineDifferences(base, lines).flatMap(({ fromA: from, toA: to, fromB, toB }) => {
    const before = base.slice(from, to)
    const after = lines.slice(fromB, toB)
    const isLineByLine =
      before.length === after.length && before.every((line, i) => isSameField(line, after[i]!))
    if (!isLineByLine) return [{ side, from, to, lines: after }]
    return after.map((line, i) => ({ side, from: from + i, to: from + i + 1, lines: [line] }))
  })
}

/** Whether two lines are of one field, or of elements, and open the same bracket, or none. */
function isSameField(one: string, other: string): boolean {
  return FIELD.exec(one)?.[0] === FIELD.exec(other)?.[0] && OPENED.exec(one)?.[0] === OPENED.exec(other)?.[0]
}

const FIELD = /^\s*(?:"(?:[^"\\]|\\.)*": |[}\]])?/
const OPENED = /[{[]?$/

/** Changes of both sides that share a line, or put something in at the same place, are about one thing. */
function groupsOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = []
  let begin = 0
  let end = 0
  for (const change of changes) {
    const isAtSamePlace = begin === end && change.from === begin && change.to === end
    const last = groups.at(-1)
    if (last && (change.from < end || isAtSamePlace)) {
      last.push(change)
      end = Math.max(end, change.to)
    } else {
      groups.push([change])
      begin = change.from
      end = change.to
    }
  }
  return groups
}

function applied(
  base: readonly string[],
  {
    range: { from, to },
    changes,
  }: { readonly range: { readonly from: number; readonly to: number }; readonly changes: readonly Change[] },
): readonly string[] {
  const lines: string[] = []
  let done = from
  for (const change of changes) {
    lines.push(...base.slice(done, change.from), ...change.lines)
    done = change.to
  }
  return [...lines, ...base.slice(done, to)]
}

function decided(conflict: Conflict): MergedPart {
  const { base, theirs, mine } = conflict
  if (isEqual(theirs, mine) || isEqual(mine, base)) return theirs
  return isEqual(theirs, base) ? mine : conflict
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index])
}
