import type { PreviewRow, PreviewValue } from './preview-row.ts'
import { cellText } from './shown-value.ts'

export type Kind = PreviewValue['kind']

/** A field that documents were seen to have. */
export interface FoundColumn {
  readonly name: string
  /** What it was seen to hold, in order of first sight. */
  readonly kinds: readonly Kind[]
  /** Characters of the longest number. */
  readonly digits: number
  /** Characters of the longest of all else, as a cell shows it. */
  readonly letters: number
}

/** What somebody has chosen about the columns of a collection. */
export interface Arrangement {
  /** Names; columns that are not among them come behind, in order of first sight. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  /** In pixels. */
  readonly widths: ReadonlyMap<string, number>
}

export interface PlacedColumn extends FoundColumn {
  readonly left: number
  readonly width: number
}

export const ID = '_id'
export const AS_FOUND: Arrangement = { order: [], hidden: [], widths: new Map() }

/** What documents have beyond counts as what their preview leaves out. */
const MOST_COLUMNS = 500
/** How often texts of a column may widen it. */
const WIDENING_ROWS = 100
const MOST_DIGITS = 40
const MOST_LETTERS = 32
const LEAST_PX = 64
const MOST_PX = 1200
const STEP_PX = 64
/** Of both sides of a cell, and of a mark in a head with what is beside it. */
const PADDING_PX = 26
const MARK_PX = 28

/** Finds the columns of a table in the rows that are read, `_id` first. */
export class ColumnFinder {
  private readonly columns = new Map<string, FoundColumn>([
    [ID, { name: ID, kinds: [], digits: 0, letters: 0 }],
  ])
  private readonly times = new Map<string, number>()
  private readonly seen = new WeakSet<PreviewRow>()
  /** Whether a document has fields that are in no column. */
  hasLeft = false

  get found(): readonly FoundColumn[] {
    return [...this.columns.values()]
  }

  /** @returns whether there is more to show than before */
  add(row: PreviewRow): boolean {
    if (this.seen.has(row)) return false
    this.seen.add(row)
    const hadLeft = this.hasLeft
    if (row.left > 0) this.hasLeft = true
    let isNew = this.note(ID, idValue(row.id))
    for (const [name, value] of row.fields) if (name !== ID && this.note(name, value)) isNew = true
    return isNew || this.hasLeft !== hadLeft
  }

  /** How many fields of a row are in no column. */
  leftOf({ fields, left }: PreviewRow): number {
    if (this.columns.size < MOST_COLUMNS) return left
    return left + [...fields.keys()].filter((name) => !this.columns.has(name)).length
  }

  private note(name: string, value: PreviewValue): boolean {
    const before = this.columns.get(name) ?? { name, kinds: [], digits: 0, letters: 0 }
    const isFull = this.columns.size >= MOST_COLUMNS && !this.columns.has(name)
    if (isFull) {
      const hadLeft = this.hasLeft
      this.hasLeft = true
      return !hadLeft
    }
    const times = this.times.get(name) ?? 0
    this.times.set(name, times + 1)
    const next = widened(before, value, times < WIDENING_ROWS)
    if (next === before) return false
    this.columns.set(name, next)
    return true
  }
}

function widened(column: FoundColumn, value: PreviewValue, mayWiden: boolean): FoundColumn {
  const { kinds } = column
  const length = cellText(value).length
  const isNumber = value.kind === 'number'
  const digits = isNumber ? Math.max(column.digits, Math.min(length, MOST_DIGITS)) : column.digits
  const isWider = !isNumber && mayWiden && length > column.letters
  const letters = isWider ? Math.min(length, MOST_LETTERS) : column.letters
  if (kinds.includes(value.kind) && digits === column.digits && letters === column.letters) return column
  return { ...column, kinds: kinds.includes(value.kind) ? kinds : [...kinds, value.kind], digits, letters }
}

/** An `_id` as a cell shows it: as JSON, so that `7` and `"7"` can be told apart. */
export function idValue(id: string): PreviewValue {
  return id.startsWith('"') ? { kind: 'text', text: id } : { kind: 'number', source: id }
}

/** All columns in their order, the hidden ones among them. */
function ordered(found: readonly FoundColumn[], { order }: Arrangement): readonly FoundColumn[] {
  const places = new Map(order.map((name, i) => [name, i]))
  const placeOf = ({ name }: FoundColumn): number => (name === ID ? -1 : (places.get(name) ?? order.length))
  return found.toSorted((a, b) => placeOf(a) - placeOf(b))
}

export function shownColumns(
  found: readonly FoundColumn[],
  arrangement: Arrangement,
): readonly FoundColumn[] {
  return ordered(found, arrangement).filter(({ name }) => name === ID || !arrangement.hidden.includes(name))
}

interface Move {
  readonly name: string
  /** How many columns to the right; negative to the left. */
  readonly by: number
}

/** Moves a column past those that are shown beside it; never to where `_id` is. */
export function moveColumn(
  arrangement: Arrangement,
  found: readonly FoundColumn[],
  { name, by }: Move,
): Arrangement {
  const shown = shownColumns(found, arrangement).map((column) => column.name)
  const from = shown.indexOf(name)
  const to = Math.max(1, Math.min(shown.length - 1, from + by))
  if (from < 1 || from === to) return arrangement
  const order = ordered(found, arrangement)
    .map((column) => column.name)
    .filter((each) => each !== name && each !== ID)
  const beside = order.indexOf(shown[to]!)
  order.splice(to > from ? beside + 1 : beside, 0, name)
  return { ...arrangement, order }
}

export function hideColumns(arrangement: Arrangement, names: readonly string[]): Arrangement {
  return { ...arrangement, hidden: [...new Set([...arrangement.hidden, ...names])] }
}

export function showColumn(arrangement: Arrangement, name: string): Arrangement {
  return { ...arrangement, hidden: arrangement.hidden.filter((each) => each !== name) }
}

/** @param steps negative to make it narrower; a number is never cut by it */
export function widenColumn(arrangement: Arrangement, column: PlacedColumn, steps: number): Arrangement {
  const width = Math.max(LEAST_PX, Math.min(MOST_PX, column.width + steps * STEP_PX))
  return { ...arrangement, widths: new Map(arrangement.widths).set(column.name, width) }
}

/** Whether what is in a column stands at its right: numbers, and what stands in for them. */
export function isOfNumbers({ name, kinds }: FoundColumn): boolean {
  return (
    name !== ID && kinds.includes('number') && kinds.every((kind) => kind === 'number' || kind === 'null')
  )
}

/** Puts columns side by side. @param charPx of a character of the fixed-width font */
export function placeColumns(
  columns: readonly FoundColumn[],
  { widths }: Arrangement,
  charPx: number,
): readonly PlacedColumn[] {
  let left = 0
  return columns.map((column) => {
    const { name, kinds, digits, letters } = column
    const head = Math.min(name.length, MOST_LETTERS) * charPx + kinds.length * MARK_PX
    const least = Math.max(LEAST_PX, Math.ceil(digits * charPx) + PADDING_PX)
    const wish = widths.get(name) ?? Math.ceil(Math.max(letters * charPx, head)) + PADDING_PX
    const placed = { ...column, left, width: Math.max(least, wish) }
    left += placed.width
    return placed
  })
}

/** Where the last of them ends. */
export function endOf(placed: readonly PlacedColumn[]): number {
  const last = placed.at(-1)
  return last === undefined ? 0 : last.left + last.width
}

/** The columns that lie at least partly between two places. */
export function columnsBetween(
  columns: readonly PlacedColumn[],
  fromPx: number,
  toPx: number,
): { readonly first: number; readonly last: number } {
  const first = columns.findIndex(({ left, width }) => left + width > fromPx)
  const last = columns.findLastIndex(({ left }) => left < toPx)
  return { first: first === -1 ? columns.length : first, last }
}

/** @param text as `formatArrangement` made it, perhaps another version's or somebody's own */
export function parseArrangement(text: string | null): Arrangement {
  try {
    const { order, hidden, widths } = JSON.parse(text ?? '{}') as Record<string, unknown>
    return {
      order: namesIn(order),
      hidden: namesIn(hidden),
      widths: new Map((widths as [string, number][] | undefined)?.filter(([, width]) => width > 0)),
    }
  } catch {
    return AS_FOUND
  }
}

export function formatArrangement({ order, hidden, widths }: Arrangement): string {
  return JSON.stringify({ order, hidden, widths: [...widths] })
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
