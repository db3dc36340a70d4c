import { useEffect } from 'react'
import { Value } from '../components/value.tsx'
import type { RowSource } from './row-source.ts'

interface GridProps {
  readonly source: RowSource
  readonly onOpen: (id: string) => void
}

/** The first documents, by their ids. */
export function Grid({ source, onOpen }: GridProps) {
  useEffect(() => source.want(0, 99), [source])
  const rows = Array.from({ length: Math.min(source.loaded, 100) }, (_, index) => source.row(index))
  return (
    <ul>
      {rows.map(
        (row) =>
          row && (
            <li key={row.id}>
              <button type="button" onClick={() => onOpen(row.id)}>
                <Value text={row.id} />
              </button>
            </li>
          ),
      )}
    </ul>
  )
}
