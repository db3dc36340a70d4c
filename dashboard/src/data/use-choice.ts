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
  // What was chosen before a stretch began, which may grow shorter again.
  const stretch = useRef<{ readonly anchor: number; readonly before: ReadonlySet<string> }>(undefined)
  const idsBetween = (one: number, other: number): string[] => {
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    return Array.from({ length: to - from + 1 }, (_, i) => source.row(from + i)?.id ?? []).flat()
  }
  return {
    toggle: (index: number): void => {
      stretch.current = undefined
      const id = source.row(index)?.id
      if (id === undefined) return
      const next = new Set(selection)
      if (!next.delete(id)) next.add(id)
      onSelection(next)
    },
    stretchTo: (from: number, to: number): void => {
      stretch.current ??= { anchor: from, before: selection }
      const { anchor, before } = stretch.current
      onSelection(new Set([...before, ...idsBetween(anchor, to)]))
    },
    endStretch: (): void => {
      stretch.current = undefined
    },
    /** All that are loaded, or none where all of them are chosen. */
    toggleAll: (): void => {
      const ids = idsBetween(0, source.loaded - 1)
      onSelection(new Set(ids.every((id) => selection.has(id)) ? [] : [...selection, ...ids]))
    },
    chooseAll: (): void => onSelection(new Set([...selection, ...idsBetween(0, source.loaded - 1)])),
  }
}
