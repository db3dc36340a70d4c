import { useLayoutEffect, useState } from 'react'
import { ColumnsMenu } from './columns-menu.tsx'
import { formatCells } from './copy-cells.ts'
import styles from './grid.module.css'
import { HEADS } from './row-keys.ts'
import { gridColumn, placeOf } from './table-columns.ts'
import { TableHead } from './table-head.tsx'
import { TableRow } from './table-row.tsx'
import { useColumns, useFinding, useTableColumns } from './use-columns.ts'
import { useCopy } from './use-copy.ts'
import { type RowsProps, useGrid } from './use-grid.ts'
import { useTip } from './use-tip.tsx'
import { tellCell } from './value-cell.tsx'

const LEAST_CHOOSE_PX = 40

/** Documents as a table, of which rows and columns are drawn as far as they are on screen. */
export function TableRows({ rowPx, ...props }: RowsProps & { readonly rowPx: number }) {
  const { source, address } = props
  const { finder, found, onFound, placed, arrangement, arrange } = useColumns(source, address)
  const { copy, told } = useCopy(address)
  const [menu, setMenu] = useState({ name: '', isOpen: false })
  const columnAt = (column: number) => placed[column - gridColumn(0)]
  const choosePx = Math.max(LEAST_CHOOSE_PX, rowPx)
  const {
    view,
    active,
    rows,
    isAllChosen,
    props: grid,
  } = useGrid(props, {
    rowPx,
    headPx: rowPx,
    columns: gridColumn(placed.length) + (finder.hasLeft ? 1 : 0),
    placeOf: (column) => placeOf(column, placed, choosePx),
    onHead: (column) => {
      const name = columnAt(column)?.name
      if (name !== undefined) setMenu({ name, isOpen: true })
    },
    onCopy: (ids, column) => {
      const one = column === undefined ? undefined : columnAt(column)
      const fields = (one === undefined ? placed : [one]).map(({ name }) => name)
      copy({ ids, fields, format: (documents) => formatCells(documents, fields) })
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other columns are news.
  useLayoutEffect(() => {
    props.onColumns(placed.map(({ name }) => name))
    return () => props.onColumns([])
  }, [placed])
  useFinding({ source, finder, onFound }, view.first, view.last)
  const columns = useTableColumns({ placed, hasLeft: finder.hasLeft, choosePx, ...view.side })
  const tip = useTip((cell) => tellCell(cell, source, columnAt))
  return (
    <div className={styles.grid} {...tip.events}>
      <div {...grid} className={styles.scroller}>
        <TableHead
          columns={columns}
          rowPx={rowPx}
          activeColumn={active.row === HEADS ? active.column : undefined}
          menuOf={menu.isOpen ? menu.name : undefined}
          isAllChosen={isAllChosen}
        />
        <div className={styles.rows} style={{ height: view.innerPx, width: columns.widthPx }}>
          {rows.map((row) => (
            <TableRow
              key={row.index}
              {...row}
              columns={columns}
              rowPx={rowPx}
              left={row.row === undefined ? 0 : finder.leftOf(row.row)}
            />
          ))}
        </div>
      </div>
      {tip.tip}
      <ColumnsMenu
        {...menu}
        scroller={view.scroller}
        found={found}
        placed={placed}
        arrangement={arrangement}
        onArrange={arrange}
        onClose={() => setMenu({ ...menu, isOpen: false })}
      />
      <p role="status" className={styles.status}>
        {told}
      </p>
    </div>
  )
}
