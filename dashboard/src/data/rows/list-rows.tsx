import type { ReactNode } from 'react'
import { stringify } from '../../../../src/json/stringify.ts'
import { ChooseBox } from './choose-box.tsx'
import type { DrawnRow } from './drawn-rows.ts'
import styles from './grid.module.css'
import { cellAttributes, rowAttributes } from './grid-attributes.ts'
import type { PreviewRow } from './preview-row.ts'
import { CHOOSE } from './row-keys.ts'
import { useCopy } from './use-copy.ts'
import { type RowsProps, useGrid } from './use-grid.ts'

interface ListRowsProps extends RowsProps {
  readonly rowPx: number
  readonly children: (row: PreviewRow) => ReactNode
}

const CONTENT = CHOOSE + 1

/** Documents one below the other, of which those are drawn that are on screen. */
export function ListRows({ rowPx, children, ...props }: ListRowsProps) {
  const { copy, told } = useCopy(props.address)
  const {
    view,
    rows,
    props: grid,
  } = useGrid(props, {
    rowPx,
    headPx: 0,
    columns: 2,
    placeOf: () => undefined,
    onHead: () => {},
    onCopy: (ids) => copy({ ids, format: (documents) => documents.map(stringify).join('\n') }),
  })
  return (
    <div className={styles.grid}>
      <div {...grid} className={styles.scroller}>
        <div role="presentation" className={styles.rows} style={{ height: view.innerPx }}>
          {rows.map((row) => (
            <ListRow key={row.index} {...row} rowPx={rowPx}>
              {row.row && children(row.row)}
            </ListRow>
          ))}
        </div>
      </div>
      <p role="status" className={styles.status}>
        {told}
      </p>
    </div>
  )
}

interface ListRowProps extends DrawnRow {
  readonly rowPx: number
  readonly children: ReactNode
}

function ListRow(props: ListRowProps) {
  const { row, topPx, activeColumn, isChosen, rowPx, children } = props
  return (
    <div {...rowAttributes(props, 0)} className={styles.item} style={{ top: topPx, height: rowPx }}>
      <div {...cellAttributes('gridcell', { column: CHOOSE, activeColumn })} className={styles.choose}>
        {row !== undefined && <ChooseBox id={row.id} isChosen={isChosen} />}
      </div>
      <div {...cellAttributes('gridcell', { column: CONTENT, activeColumn })} className={styles.content}>
        {children}
      </div>
    </div>
  )
}
