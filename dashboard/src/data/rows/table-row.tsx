import { memo } from 'react'
import { GRID_TEXTS } from '../../texts/grid.ts'
import { ChooseBox } from './choose-box.tsx'
import { idValue, isOfNumbers } from './columns.ts'
import type { DrawnRow } from './drawn-rows.ts'
import styles from './grid.module.css'
import { cellAttributes, rowAttributes } from './grid-attributes.ts'
import type { PreviewValue } from './preview-row.ts'
import { CHOOSE } from './row-keys.ts'
import { gridColumn, LEFT_PX, type TableColumns } from './table-columns.ts'
import { CellValue, lengthMark } from './value-cell.tsx'

interface TableRowProps extends DrawnRow {
  readonly columns: TableColumns
  readonly rowPx: number
  /** Fields that are in no column. */
  readonly left: number
}

export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { row, topPx, activeColumn, isChosen, columns, rowPx, left } = props
  const { placed, widthPx, choosePx, leftPx, first, last } = columns
  const leftColumn = gridColumn(placed.length)
  return (
    <div
      {...rowAttributes(props, 1)}
      className={styles.row}
      style={{ top: topPx, width: widthPx, height: rowPx }}
    >
      <div
        {...cellAttributes('gridcell', { column: CHOOSE, activeColumn })}
        className={styles.choose}
        style={{ width: choosePx }}
      >
        {row !== undefined && <ChooseBox id={row.id} isChosen={isChosen} />}
      </div>
      {placed.map((column, i) => {
        const at = gridColumn(i)
        const isSeen = i === 0 || (i >= first && i <= last)
        if (!isSeen && at !== activeColumn) return null
        return (
          <TableCell
            key={column.name}
            column={at}
            activeColumn={at === activeColumn ? at : undefined}
            value={row && (i === 0 ? idValue(row.id) : row.fields.get(column.name))}
            isPinned={i === 0}
            isRight={isOfNumbers(column)}
            absent={row && (row.left > 0 ? 'left' : 'missing')}
            leftPx={choosePx + column.left}
            widthPx={column.width}
          />
        )
      })}
      {leftPx !== undefined && (
        <div
          {...cellAttributes('gridcell', { column: leftColumn, activeColumn })}
          className={styles.cell}
          data-kind="left"
          style={{ left: leftPx, width: LEFT_PX }}
        >
          {left > 0 && GRID_TEXTS.leftOf(left)}
        </div>
      )}
    </div>
  )
})

interface TableCellProps {
  readonly column: number
  /** The same, where the cell can have the focus. */
  readonly activeColumn: number | undefined
  readonly value: PreviewValue | undefined
  readonly isPinned: boolean
  readonly isRight: boolean
  /** Why there is no value where there is none: the preview may have left it out. */
  readonly absent: 'left' | 'missing' | undefined
  readonly leftPx: number
  readonly widthPx: number
}

const TableCell = memo(function TableCell(props: TableCellProps) {
  const { column, activeColumn, value, isPinned, isRight, absent, leftPx, widthPx } = props
  return (
    <div
      {...cellAttributes('gridcell', { column, activeColumn })}
      data-kind={value?.kind}
      data-right={isRight || undefined}
      data-absent={value === undefined ? absent : undefined}
      data-length={lengthMark(value)}
      className={isPinned ? styles.pinned : styles.cell}
      style={{ left: leftPx, width: widthPx }}
    >
      <CellValue value={value} />
    </div>
  )
})
