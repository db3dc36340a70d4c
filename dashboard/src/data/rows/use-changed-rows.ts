import { useEffect, useRef, useState } from 'react'
import type { PreviewRow } from './preview-row.ts'
import type { RowSource } from './row-source.ts'
import { isSameRow } from './shown-value.ts'

/** How long a row that has changed is marked. */
const MARKED_MS = 1000

/** Tells which of the rows on screen have changed since they were drawn before. */
export function useChangedRows(source: RowSource, first: number, last: number): (id: string) => boolean {
  const seen = useRef<ReadonlyMap<string, PreviewRow>>(new Map())
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const { version } = source
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change with the version.
  useEffect(() => {
    const rows = new Map<string, PreviewRow>()
    for (let index = first; index <= last; index++) {
      const row = source.row(index)
      if (row !== undefined) rows.set(row.id, row)
    }
    const changed = [...rows.values()].filter((row) => !isSameRow(seen.current.get(row.id) ?? row, row))
    seen.current = rows
    if (changed.length > 0) setMarked(new Set(changed.map(({ id }) => id)))
  }, [source, first, last, version])
  useEffect(() => {
    if (marked.size === 0) return
    const timer = setTimeout(() => setMarked(new Set()), MARKED_MS)
    return () => clearTimeout(timer)
  }, [marked])
  return (id) => marked.has(id)
}
