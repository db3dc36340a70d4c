import { Value } from '../../components/value.tsx'
import { GRID_TEXTS } from '../../texts/grid.ts'
import { ChooseBox } from './choose-box.tsx'
import { isOfNumbers, type PlacedColumn } from './columns.ts'
import styles from './grid.module.css'
import { cellAttributes, HEAD_ATTRIBUTES } from './grid-attributes.ts'
import { CHOOSE } from './row-keys.ts'
import { gridColumn, LEFT_PX, type TableColumns } from './table-columns.ts'

interface TableHeadProps {
  readonly columns: TableColumns
  readonly rowPx: number
  /** Where a head has the focus. */
  readonly activeColumn: number | undefined
  /** The name of the column whose menu is open. */
  readonly menuOf: string | undefined
  readonly isAllChosen: boolean
}

export function TableHead({ columns, rowPx, activeColumn, menuOf, isAllChosen }: TableHeadProps) {
  const { placed, widthPx, choosePx, leftPx, first, last } = columns
  const leftColumn = gridColumn(placed.length)
  return (
    <div {...HEAD_ATTRIBUTES} className={styles.head} style={{ width: widthPx, height: rowPx }}>
      <div
        {...cellAttributes('columnheader', { column: CHOOSE, activeColumn, label: GRID_TEXTS.choose })}
        className={styles.choose}
        style={{ width: choosePx }}
      >
        <ChooseBox isChosen={isAllChosen} />
      </div>
      {placed.map((column, i) => {
        const at = gridColumn(i)
        const isSeen = i === 0 || (i >= first && i <= last)
        if (!isSeen && at !== activeColumn && column.name !== menuOf) return null
        return (
          <ColumnHead
            key={column.name}
            column={column}
            at={at}
            activeColumn={activeColumn}
            leftPx={choosePx + column.left}
          />
        )
      })}
      {leftPx !== undefined && (
        <div
          {...cellAttributes('columnheader', { column: leftColumn, activeColumn })}
          className={styles.cell}
          style={{ left: leftPx, width: LEFT_PX }}
        >
          {GRID_TEXTS.left}
        </div>
      )}
    </div>
  )
}

interface ColumnHeadProps {
  readonly column: PlacedColumn
  readonly at: number
  readonly activeColumn: number | undefined
  readonly leftPx: number
}

function ColumnHead({ column, at, activeColumn, leftPx }: ColumnHeadProps) {
  const { name, kinds, width } = column
  return (
    <div
      {...cellAttributes('columnheader', { column: at, activeColumn, label: GRID_TEXTS.headOf(name, kinds) })}
      aria-haspopup="menu"
      data-name={name}
      data-right={isOfNumbers(column) || undefined}
      className={at === gridColumn(0) ? styles.pinned : styles.cell}
      style={{ left: leftPx, width }}
    >
      {kinds.map((kind) => (
        <span key={kind} className={styles.mark}>
          {GRID_TEXTS.marks[kind]}
        </span>
      ))}
      <Value text={name} className={styles.shown} />
    </div>
  )
}
