import type { PreviewRow } from './preview-row.ts'
import { type Cell, HEADS } from './row-keys.ts'
import type { RowSource } from './row-source.ts'
import type { RowView } from './use-row-window.ts'

/** A row to draw. */
export interface DrawnRow {
  readonly index: number
  /** Undefined until it is read. */
  readonly row: PreviewRow | undefined
  readonly topPx: number
  /** The column of the cell that has the focus, or to which the Tab key comes, where it is in this row. */
  readonly activeColumn: number | undefined
  readonly isChosen: boolean
  readonly isOpen: boolean
  readonly isChanged: boolean
}

interface Drawing {
  readonly view: RowView
  readonly active: Cell
  /** How many rows there are at least. */
  readonly known: number
  readonly rowPx: number
  readonly selection: ReadonlySet<string>
  readonly open: string | undefined
  readonly isChanged: (id: string) => boolean
}

/** Those on screen, and the one that has the focus, which would be lost without its element. */
export function drawnRows(source: RowSource, drawing: Drawing): readonly DrawnRow[] {
  const { view, active, known, rowPx } = drawing
  const { first, topPx } = view
  const end = Math.min(view.last, known - 1)
  const count = Math.max(0, end - first + 1)
  const rows = Array.from({ length: count }, (_, i) =>
    drawnRow(source, drawing, first + i, topPx + i * rowPx),
  )
  const { row } = active
  if (row === HEADS || row >= known || (row >= first && row <= end)) return rows
  // Near enough, however far it is, and not on screen.
  const away = row < first ? Math.max(row - first, -2) : Math.min(row - first, count + 1)
  return [...rows, drawnRow(source, drawing, row, topPx + away * rowPx)]
}

function drawnRow(source: RowSource, drawing: Drawing, index: number, topPx: number): DrawnRow {
  const { active, selection, open, isChanged } = drawing
  const row = source.row(index)
  return {
    index,
    row,
    topPx,
    activeColumn: index === active.row ? active.column : undefined,
    isChosen: row !== undefined && selection.has(row.id),
    isOpen: row !== undefined && row.id === open,
    isChanged: row !== undefined && isChanged(row.id),
  }
}
