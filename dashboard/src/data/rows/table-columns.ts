import { endOf, type PlacedColumn } from './columns.ts'
import { CHOOSE } from './row-keys.ts'

/** Where the columns of a table are. */
export interface TableColumns {
  /** `_id` first; each as far from it as it says. */
  readonly placed: readonly PlacedColumn[]
  /** Of all columns. */
  readonly widthPx: number
  /** Of the column of boxes, before all others. */
  readonly choosePx: number
  /** Where the column begins that says how many fields are in no other; undefined where all are. */
  readonly leftPx: number | undefined
  /** Those that are on screen beside `_id`. */
  readonly first: number
  readonly last: number
}

/** Of the column that says how many fields are in no other. */
export const LEFT_PX = 112

/** The place of a column in the grid, where that of the boxes is before all others. */
export function gridColumn(index: number): number {
  return index + CHOOSE + 1
}

/** Where a column of the grid is; undefined of one that stays on screen. */
export function placeOf(
  column: number,
  placed: readonly PlacedColumn[],
  choosePx: number,
): ColumnPlace | undefined {
  if (column <= gridColumn(0)) return undefined
  const { left, width } = placed[column - gridColumn(0)] ?? { left: endOf(placed), width: LEFT_PX }
  return { left: choosePx + left, width, pinnedPx: choosePx + placed[0]!.width }
}

/** A column in a grid that can be scrolled to the side. */
export interface ColumnPlace {
  readonly left: number
  readonly width: number
  /** Of what stays where it is, and lies over the others. */
  readonly pinnedPx: number
}

/** Where the scrollbar has to be put, so that a column is on screen. */
export function sideFor(
  { left, width, pinnedPx }: ColumnPlace,
  { fromPx, viewPx }: { readonly fromPx: number; readonly viewPx: number },
): number {
  const least = left + width - viewPx
  const most = left - pinnedPx
  return Math.max(0, Math.min(most, Math.max(least, fromPx)))
}
