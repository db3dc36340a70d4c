import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ANALYTICS_TEXTS as TEXTS } from '../../texts/analytics.ts'
import styles from './figures-table.module.css'
import { Scroller } from './scroller.tsx'

interface FiguresTableProps<Row, Column extends string> {
  readonly label: string
  /** Their names; the first one names the row. */
  readonly columns: Readonly<Record<Column, string>>
  /** Columns in which words stand; figures stand in all others, on the right. */
  readonly words: readonly NoInfer<Column>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly cells: (row: Row) => Readonly<Record<Column, ReactNode>>
}

/** How many rows are shown at first. */
const SHOWN = 10

/** Figures under each other, which scroll sideways in themselves where there is no room. */
export function FiguresTable<Row, Column extends string>({
  label,
  columns,
  words,
  rows,
  keyOf,
  cells,
}: FiguresTableProps<Row, Column>) {
  const [isWhole, setIsWhole] = useState(false)
  const [name, ...others] = Object.keys(columns) as [Column, ...Column[]]
  const classOf = (column: Column) => (words.includes(column) ? undefined : styles.figure)
  if (rows.length === 0) return <p className={styles.none}>{TEXTS.none}</p>
  return (
    <>
      <Scroller label={label}>
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              {[name, ...others].map((column) => (
                <th key={column} scope="col" className={classOf(column)}>
                  {columns[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(isWhole ? rows : rows.slice(0, SHOWN)).map((row) => {
              const shown = cells(row)
              return (
                <tr key={keyOf(row)}>
                  <th scope="row" className={classOf(name)}>
                    {shown[name]}
                  </th>
                  {others.map((column) => (
                    <td key={column} className={classOf(column)}>
                      {shown[column]}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scroller>
      {rows.length > SHOWN && !isWhole && (
        <Button className={styles.more} onClick={() => setIsWhole(true)}>
          {TEXTS.allRows(rows.length)}
        </Button>
      )}
    </>
  )
}
