/** The row of the heads of columns. */
export const HEADS = -1

/** The column of the boxes by which rows are chosen. */
export const CHOOSE = 0

/** A cell of a grid; its row is `HEADS` where it is the head of a column. */
export interface Cell {
  readonly row: number
  readonly column: number
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Rows on a screen. */
  readonly viewRows: number
  readonly hasHeads: boolean
}

interface PressedKey {
  readonly key: string
  /** Whether ⌘ or Ctrl is held. */
  readonly isCommand: boolean
}

/** The cell that a key leads to; undefined of a key that leads nowhere (WAI-ARIA practices, grid). */
export function cellByKey(
  { row, column }: Cell,
  { key, isCommand }: PressedKey,
  { rows, columns, viewRows, hasHeads }: GridSize,
): Cell | undefined {
  const at = (nextRow: number, nextColumn: number): Cell => ({
    row: Math.max(hasHeads ? HEADS : 0, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  })
  switch (key) {
    case 'ArrowUp':
      return isCommand ? undefined : at(row - 1, column)
    case 'ArrowDown':
      return isCommand ? undefined : at(row + 1, column)
    case 'ArrowLeft':
      return isCommand ? undefined : at(row, column - 1)
    case 'ArrowRight':
      return isCommand ? undefined : at(row, column + 1)
    case 'PageUp':
      return at(Math.max(0, row - viewRows), column)
    case 'PageDown':
      return at(row + viewRows, column)
    case 'Home':
      return isCommand ? at(0, column) : at(row, 0)
    case 'End':
      return isCommand ? at(rows - 1, column) : at(row, columns - 1)
    default:
      return undefined
  }
}
