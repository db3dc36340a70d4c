import { useSyncExternalStore } from 'react'
import type { View } from '../view-url.ts'
import { JsonRows } from './json-rows.tsx'
import { RowCards } from './row-cards.tsx'
import { TableRows } from './table-rows.tsx'
import type { RowsProps } from './use-grid.ts'
import { useRowsVersion } from './use-rows.ts'

interface GridProps extends RowsProps {
  readonly layout: View['layout']
}

const IS_NARROW = '(max-width: 719px)'
const IS_TOUCHED = '(pointer: coarse)'
/** As `--row` has them. */
const ROW_PX = { touched: 44, pointed: 32 }

/** The documents that were found, as many as there are. */
export function Grid({ layout, ...props }: GridProps) {
  useRowsVersion(props.source)
  const isNarrow = useMatches(IS_NARROW)
  const isTouched = useMatches(IS_TOUCHED)
  if (layout === 'json') return <JsonRows {...props} />
  if (isNarrow) return <RowCards {...props} />
  return <TableRows {...props} rowPx={isTouched ? ROW_PX.touched : ROW_PX.pointed} />
}

function useMatches(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
