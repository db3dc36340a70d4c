import { Value } from '../../components/value.tsx'
import { GRID_TEXTS } from '../../texts/grid.ts'
import { ID, idValue } from './columns.ts'
import styles from './grid.module.css'
import { ListRows } from './list-rows.tsx'
import type { PreviewRow, PreviewValue } from './preview-row.ts'
import type { RowsProps } from './use-grid.ts'
import { CellValue, lengthMark } from './value-cell.tsx'

const SHOWN_FIELDS = 3
/** Of the id, three fields, and what is above and below. */
const CARD_PX = 117

/** Documents as cards, for a phone: each with its id and its first fields. */
export function RowCards(props: RowsProps) {
  return (
    <ListRows {...props} rowPx={CARD_PX}>
      {(row) => <Card row={row} />}
    </ListRows>
  )
}

function Card({ row: { id, fields, left } }: { readonly row: PreviewRow }) {
  const others = [...fields].filter(([name]) => name !== ID)
  const rest = left + Math.max(0, others.length - SHOWN_FIELDS)
  return (
    <>
      <div className={styles.title}>
        <Shown value={idValue(id)} />
        {rest > 0 && <span className={styles.rest}>{GRID_TEXTS.leftMore(rest)}</span>}
      </div>
      {others.slice(0, SHOWN_FIELDS).map(([name, value]) => (
        <div key={name} className={styles.field}>
          <Value text={name} className={styles.name} />
          <Shown value={value} />
        </div>
      ))}
    </>
  )
}

function Shown({ value }: { readonly value: PreviewValue }) {
  return (
    <span className={styles.value} data-kind={value.kind} data-length={lengthMark(value)}>
      <CellValue value={value} />
    </span>
  )
}
