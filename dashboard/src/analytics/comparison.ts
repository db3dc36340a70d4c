import { ANALYTICS_TEXTS } from '../texts/analytics.ts'
import type { Range } from './analytics-data.ts'

const { than: TEXTS } = ANALYTICS_TEXTS
/** From here on a share says less than how many times as much it is. */
const TIMES_FROM = 3
const SHARE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })
const SMALL_SHARE = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

interface Compared {
  readonly now: number | null
  /** Null where there was none; undefined where nothing is known. */
  readonly before: number | null | undefined
  readonly range: Range
  readonly isDuration?: boolean
}

/** How a figure compares with that of the period before, in words. */
export function comparisonWords({ now, before, range, isDuration = false }: Compared): string {
  if (before === undefined) return TEXTS.unknown
  if (now === before) return TEXTS.same(range)
  if (before === null || before === 0) return TEXTS.none(range)
  if (now === null) return TEXTS.gone(range)
  const factor = now / before
  if (factor >= TIMES_FROM && !isDuration) return TEXTS.times(factor, range)
  const [up, down] = isDuration ? [TEXTS.slower, TEXTS.faster] : [TEXTS.more, TEXTS.less]
  const share = Math.abs(factor - 1)
  if (share < 0.001) return TEXTS.same(range)
  const told = (share < 0.1 ? SMALL_SHARE : SHARE).format(share)
  return factor > 1 ? up(told, range) : down(told, range)
}
