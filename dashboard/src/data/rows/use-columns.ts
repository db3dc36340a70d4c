import { useLayoutEffect, useMemo, useState } from 'react'
import type { CollectionAddress } from '../documents-api.ts'
import {
  type Arrangement,
  AS_FOUND,
  ColumnFinder,
  columnsBetween,
  endOf,
  formatArrangement,
  type PlacedColumn,
  parseArrangement,
  placeColumns,
  shownColumns,
} from './columns.ts'
import { PAGE_ROWS, type RowSource } from './row-source.ts'
import { LEFT_PX, type TableColumns } from './table-columns.ts'

/** The columns of the rows that were read, as they were arranged. */
export function useColumns(source: RowSource, address: CollectionAddress) {
  const [charPx] = useState(charWidth)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other columns.
  const finder = useMemo(() => new ColumnFinder(), [source])
  const [found, setFound] = useState(() => finder.found)
  const { arrangement, arrange } = useArrangement(address)
  const placed = useMemo(
    () => placeColumns(shownColumns(found, arrangement), arrangement, charPx),
    [found, arrangement, charPx],
  )
  return { finder, found, onFound: setFound, placed, arrangement, arrange }
}

interface Finding {
  readonly source: RowSource
  readonly finder: ColumnFinder
  readonly onFound: (found: ColumnFinder['found']) => void
}

/** Looks for columns in the first rows, and in those on screen and near them. */
export function useFinding({ source, finder, onFound }: Finding, first: number, last: number): void {
  const { version } = source
  const from = Math.floor(first / PAGE_ROWS) * PAGE_ROWS
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change with the version.
  useLayoutEffect(() => {
    const indices = new Set<number>()
    for (let index = 0; index < PAGE_ROWS; index++) indices.add(index)
    for (let index = from; index <= last; index++) indices.add(index)
    let isNew = false
    for (const index of indices) {
      const row = source.row(index)
      if (row !== undefined && finder.add(row)) isNew = true
    }
    if (isNew) onFound(finder.found)
  }, [source, version, finder, from, last])
}

/** In this browser alone: widths are of its screen, and are there before anything is drawn. */
function useArrangement({ slug, collection }: CollectionAddress) {
  const key = `sheaf.columns.${slug}/${collection}`
  const [kept, setKept] = useState(() => ({ key, arrangement: read(key) }))
  const { arrangement } = kept.key === key ? kept : { arrangement: read(key) }
  const arrange = (next: Arrangement) => {
    setKept({ key, arrangement: next })
    try {
      localStorage.setItem(key, formatArrangement(next))
    } catch {
      // Where it can't be kept it is good for this page.
    }
  }
  return { arrangement, arrange }
}

function read(key: string): Arrangement {
  try {
    return parseArrangement(localStorage.getItem(key))
  } catch {
    // A browser may keep nothing at all.
    return AS_FOUND
  }
}

/** How wide a character of the fixed-width font is in a cell, in pixels. */
function charWidth(): number {
  const context = document.createElement('canvas').getContext('2d')!
  context.font = `13px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`
  return context.measureText('0').width
}

interface TableParts {
  readonly placed: readonly PlacedColumn[]
  /** Whether there is a column that says how many fields are in no other. */
  readonly hasLeft: boolean
  readonly choosePx: number
  /** What is on screen, from the begin of all columns. */
  readonly fromPx: number
  readonly toPx: number
}

/** Where the columns of a table are; the same object as long as they are the same. */
export function useTableColumns({ placed, hasLeft, choosePx, fromPx, toPx }: TableParts): TableColumns {
  const { first, last } = columnsBetween(placed, fromPx + placed[0]!.width, toPx - choosePx)
  return useMemo(() => {
    const endPx = choosePx + endOf(placed)
    return {
      placed,
      choosePx,
      widthPx: endPx + (hasLeft ? LEFT_PX : 0),
      leftPx: hasLeft ? endPx : undefined,
      first,
      last,
    }
  }, [placed, hasLeft, choosePx, first, last])
}
