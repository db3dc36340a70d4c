import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react'
import { cellOf } from './grid-acts.ts'
import { type Cell, CHOOSE, HEADS } from './row-keys.ts'
import { type ColumnPlace, sideFor } from './table-columns.ts'
import type { RowView } from './use-row-window.ts'

interface ActiveCellParts {
  readonly view: RowView
  readonly columns: number
  /** How many are known; fewer than before where some were deleted. */
  readonly rows: number
  /** Whether a document is open beside the grid. */
  readonly hasOpen: boolean
  /** Where a column is; undefined of one that stays on screen. */
  readonly placeOf: (column: number) => ColumnPlace | undefined
}

/** The cell of a grid that has the focus, or to which the Tab key comes: the grid is one stop of it (WAI-ARIA practices). */
export function useActiveCell({ view, columns, rows, hasOpen, placeOf }: ActiveCellParts) {
  const { scroller } = view
  const [cell, setCell] = useState<Cell>({ row: 0, column: CHOOSE + 1 })
  const [hasFocus, setHasFocus] = useState(false)
  const isToFocus = useRef(false)
  const hadOpen = useRef(hasOpen)
  useLayoutEffect(() => {
    // Where the focus was in a document that is closed, it would be nowhere.
    const isLost = hadOpen.current && !hasOpen && document.activeElement === document.body
    hadOpen.current = hasOpen
    if (!isToFocus.current && !isLost) return
    isToFocus.current = false
    scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  })
  return {
    active: hasFocus ? within(cell, rows, columns) : seenCell(within(cell, rows, columns), view),
    goTo: (next: Cell): void => {
      isToFocus.current = true
      setCell(next)
      if (next.row !== HEADS) view.showRow(next.row)
      const place = placeOf(next.column)
      const element = scroller.current
      if (place === undefined || element === null) return
      const { scrollLeft: fromPx, clientWidth: viewPx } = element
      view.scrollSide(sideFor(place, { fromPx, viewPx }))
    },
    events: {
      onFocus: ({ target }: FocusEvent) => {
        setHasFocus(true)
        const focused = cellOf(target)
        if (focused !== undefined) setCell(focused)
      },
      onBlur: () => setHasFocus(false),
    },
  }
}

function within({ row, column }: Cell, rows: number, columns: number): Cell {
  return { row: Math.min(row, Math.max(0, rows - 1)), column: Math.min(column, columns - 1) }
}

/** Without the focus it is always one that is seen. */
function seenCell({ row, column }: Cell, { model, first, last }: RowView): Cell {
  if (last < first) return { row: 0, column }
  const from = model.firstRow
  const seen = Math.max(from, Math.min(from + model.viewRows - 1, row))
  return { row: Math.min(seen, last), column }
}
