import { useRef } from 'react'
import styles from './grid.module.css'
import { jsonLines, LEAST_LINES, lineCount } from './json-lines.ts'
import { ListRows } from './list-rows.tsx'
import type { PreviewRow } from './preview-row.ts'
import { PAGE_ROWS, type RowSource } from './row-source.ts'
import type { RowsProps } from './use-grid.ts'
import { Pieces } from './value-cell.tsx'

const LINE_PX = 20
const PADDING_PX = 17

/** Documents as JSON, a field a line: as many lines each as the longest of the first page takes, up to `MOST_LINES`. */
export function JsonRows(props: RowsProps) {
  const lines = useLines(props.source)
  return (
    <ListRows {...props} rowPx={lines * LINE_PX + PADDING_PX}>
      {(row) => <JsonLines row={row} most={lines} />}
    </ListRows>
  )
}

/** Once there are rows it stays, so that nothing moves. */
function useLines(source: RowSource): number {
  const kept = useRef<{ readonly source: RowSource; readonly lines: number }>(undefined)
  if (kept.current?.source === source) return kept.current.lines
  let most = 0
  for (let index = 0; index < PAGE_ROWS; index++) {
    const row = source.row(index)
    if (row !== undefined) most = Math.max(most, lineCount(row))
  }
  if (most > 0) kept.current = { source, lines: most }
  return Math.max(LEAST_LINES, most)
}

function JsonLines({ row, most }: { readonly row: PreviewRow; readonly most: number }) {
  return jsonLines(row, most).map((pieces, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and are drawn anew together.
    <div key={i} className={styles.line}>
      <Pieces pieces={pieces} />
    </div>
  ))
}
