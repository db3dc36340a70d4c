import type { ReactNode } from 'react'
import styles from './table.module.css'

interface TableProps<Row, Column extends string> {
  /** What it lists, for those who don't see where it stands. */
  readonly label: string
  /** Their names; the first is what a row is called by. */
  readonly columns: Readonly<Record<Column, string>>
  /** Columns that need no name beside what stands in them, where each row is a card. */
  readonly plain?: readonly Column[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** What stands in each column; null where there is nothing. */
  readonly cells: (row: Row) => Readonly<Record<Column, ReactNode>>
}

/*
 * Where the roles are named, it stays a table for screen readers where CSS makes cards of its rows: with another `display`
 * than a table's the elements lose the ones that they have by themselves.
 */
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  column: { role: 'columnheader', scope: 'col' },
  name: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
} as const

/** Things of one kind, a row each; a card each where there is little room. */
export function Table<Row, Column extends string>({
  label,
  columns,
  plain = [],
  rows,
  keyOf,
  cells,
}: TableProps<Row, Column>) {
  const [name, ...others] = Object.keys(columns) as [Column, ...Column[]]
  const isPlain = (column: Column) => plain.includes(column)
  return (
    <table {...ROLES.table} className={styles.table} aria-label={label}>
      <thead {...ROLES.group}>
        <tr {...ROLES.row}>
          {[name, ...others].map((column) => (
            <th key={column} {...ROLES.column}>
              {columns[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.group}>
        {rows.map((row) => {
          const shown = cells(row)
          return (
            <tr key={keyOf(row)} {...ROLES.row}>
              <th {...ROLES.name}>{shown[name]}</th>
              {others.map((column) => (
                <td key={column} {...ROLES.cell} data-label={isPlain(column) ? undefined : columns[column]}>
                  {shown[column]}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Buttons of a row. */
export function TableActs({ children }: { readonly children: ReactNode }) {
  return <div className={styles.acts}>{children}</div>
}
