import { type KeyboardEvent, type MouseEvent, useLayoutEffect } from 'react'
import { usePreferences } from '../../preferences.ts'
import { GRID_TEXTS } from '../../texts/grid.ts'
import type { CollectionAddress } from '../documents-api.ts'
import { drawnRows } from './drawn-rows.ts'
import { cellOf, clickCell, type GridTargets, pressKey } from './grid-acts.ts'
import { type Cell, CHOOSE, HEADS } from './row-keys.ts'
import { PAGE_ROWS, type RowSource } from './row-source.ts'
import type { ColumnPlace } from './table-columns.ts'
import { useActiveCell } from './use-active-cell.ts'
import { useChangedRows } from './use-changed-rows.ts'
import { useChoice } from './use-choice.ts'
import { useRowWindow } from './use-row-window.ts'

/** The rows of a list, whichever way it is shown. */
export interface RowsProps {
  readonly source: RowSource
  readonly address: CollectionAddress
  /** Ids as JSON texts, here and below. */
  readonly selection: ReadonlySet<string>
  readonly onSelection: (selection: ReadonlySet<string>) => void
  /** The document that is open. */
  readonly open: string | undefined
  readonly onOpen: (id: string) => void
  /** The first row on screen. */
  readonly at: number
  readonly onAt: (index: number) => void
  /** Asks whether to delete; not there for whoever may not. */
  readonly onDelete?: ((ids: readonly string[]) => void) | undefined
  /** Told the names of the columns that are shown, as long as they are those of a table. */
  readonly onColumns: (names: readonly string[]) => void
}

interface GridParts {
  readonly rowPx: number
  /** Of the heads of columns; 0 where there are none. */
  readonly headPx: number
  /** Those of the grid, the one to choose by among them. */
  readonly columns: number
  /** Where a column is; undefined of one that stays on screen. */
  readonly placeOf: (column: number) => ColumnPlace | undefined
  /** A head of a column was pressed. */
  readonly onHead: (column: number) => void
  /** @param column undefined for all of them */
  readonly onCopy: (ids: readonly string[], column: number | undefined) => void
}

/** What all ways to show rows have in common: what is on screen, the cell that has the focus, keys, clicks and what is chosen. */
export function useGrid(props: RowsProps, { rowPx, headPx, columns, placeOf, onHead, onCopy }: GridParts) {
  const { source, selection, open, at, onAt } = props
  const view = useRowWindow({ rows: rowCount(source, at), rowPx, headPx, at, onAt })
  const { first, last } = view
  useLayoutEffect(() => source.want(first, Math.max(first, last)), [source, first, last])
  const known = source.total ?? source.loaded
  const { active, goTo, events } = useActiveCell({
    view,
    columns,
    rows: known,
    hasOpen: open !== undefined,
    placeOf,
  })
  const { data: preferences } = usePreferences()
  const isChanged = useChangedRows(source, first, last)
  const choice = useChoice(props)
  const idAt = (row: number): string | undefined => source.row(row)?.id
  const targets: GridTargets = {
    active,
    size: { rows: known, columns, viewRows: view.model.viewRows, hasHeads: headPx > 0 },
    choice,
    selection,
    idAt,
    hasOpen: open !== undefined,
    hasLetterKeys: preferences?.hasLetterKeys !== false,
    goTo,
    press: ({ row, column }: Cell) => {
      const id = idAt(row)
      if (row === HEADS && column === CHOOSE) choice.toggleAll()
      else if (row === HEADS) onHead(column)
      else if (id !== undefined) props.onOpen(id)
    },
    onCopy,
    onDelete: props.onDelete,
  }
  return {
    view,
    active,
    rows: drawnRows(source, { view, active, known, rowPx, selection, open, isChanged }),
    isAllChosen: source.loaded > 0 && selection.size >= source.loaded,
    props: {
      ...events,
      ref: view.scroller,
      role: 'grid',
      'aria-label': GRID_TEXTS.documents,
      'aria-multiselectable': true,
      'aria-rowcount': source.total === undefined ? -1 : source.total + (headPx > 0 ? 1 : 0),
      'aria-colcount': columns,
      onScroll: view.onScroll,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.altKey || cellOf(event.target) === undefined) return
        if (pressKey(event, targets)) event.preventDefault()
      },
      // With Shift it chooses rows, and no text.
      onMouseDown: (event: MouseEvent) => event.shiftKey && event.preventDefault(),
      onClick: (event: MouseEvent) => clickCell(event, targets),
    },
  }
}

/** Rows to lay out: so many more than are known, where more may come, that one can scroll to them. */
function rowCount(source: RowSource, at: number): number {
  if (source.total !== undefined) return source.total
  const goesOn = source.error === undefined && !source.progress.isStopped
  return goesOn ? Math.max(source.loaded, at) + PAGE_ROWS : source.loaded
}
