/*
 * The grids are of `<div>` with roles, for a `<table>` can't be drawn in part: its columns would be as wide as what happens to be
 * on screen.
 */
import { showUnseen } from '../../show-unseen.ts'
import type { DrawnRow } from './drawn-rows.ts'
import { HEADS } from './row-keys.ts'

interface CellPlace {
  readonly column: number
  /** The column of the row's cell that can have the focus. */
  readonly activeColumn: number | undefined
  /** Where it is not what the cell shows. */
  readonly label?: string
}

export function cellAttributes(
  role: 'gridcell' | 'columnheader',
  { column, activeColumn, label }: CellPlace,
) {
  return {
    role,
    'aria-label': label && showUnseen(label),
    'aria-colindex': column + 1,
    'data-column': column,
    tabIndex: column === activeColumn ? 0 : -1,
  }
}

/** Of the row of the heads of columns. */
export const HEAD_ATTRIBUTES = { role: 'row', 'aria-rowindex': 1, 'data-row': HEADS }

/** @param rowsBefore 1 where columns have heads, else 0 */
export function rowAttributes({ index, row, isChosen, isOpen, isChanged }: DrawnRow, rowsBefore: 0 | 1) {
  return {
    role: 'row',
    'aria-rowindex': index + 1 + rowsBefore,
    'aria-selected': isChosen,
    'aria-current': isOpen || undefined,
    'data-row': index,
    'data-changed': isChanged || undefined,
    'data-waits': row === undefined || undefined,
  }
}
