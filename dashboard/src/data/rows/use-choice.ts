import { useRef } from 'react'
import type { RowSource } from './row-source.ts'

interface ChoiceParts {
  readonly source: RowSource
  /** Ids as JSON texts. */
  readonly selection: ReadonlySet<string>
  readonly onSelection: (selection: ReadonlySet<string>) => void
}

/** Chooses rows of a list: one by one, a stretch, or all that are loaded. */
export function useChoice({ source, selection, onSelection }: ChoiceParts) {
  // Where a stretch begins, and what was chosen before it, for it may grow shorter again.
  const stretch = useRef<{ readonly anchor: number; readonly before?: ReadonlySet<string> }>(undefined)
  const idsBetween = (one: number, other: number): string[] => {
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    return Array.from({ length: to - from + 1 }, (_, i) => source.row(from + i)?.id ?? []).flat()
  }
  return {
    toggle: (index: number): void => {
      stretch.current = { anchor: index }
      const id = source.row(index)?.id
      if (id === undefined) return
      const next = new Set(selection)
      if (!next.delete(id)) next.add(id)
      onSelection(next)
    },
    /** @param from where it begins, unless it has begun already */
    stretchTo: (to: number, from?: number): void => {
      const begun = stretch.current
      const anchor = begun?.before === undefined ? (from ?? begun?.anchor ?? to) : begun.anchor
      const before = begun?.before ?? selection
      stretch.current = { anchor, before }
      onSelection(new Set([...before, ...idsBetween(anchor, to)]))
    },
    /** The next stretch begins at a row. */
    endStretch: (row: number): void => {
      stretch.current = { anchor: row }
    },
    /** All that are loaded, or none where all of them are chosen. */
    toggleAll: (): void => {
      const ids = idsBetween(0, source.loaded - 1)
      onSelection(new Set(ids.every((id) => selection.has(id)) ? [] : [...selection, ...ids]))
    },
    chooseAll: (): void => onSelection(new Set([...selection, ...idsBetween(0, source.loaded - 1)])),
  }
}
