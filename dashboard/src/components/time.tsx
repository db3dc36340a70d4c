import { localTime, TEXTS } from '../texts.ts'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** How long ago or ahead a time is; the exact one, local and in UTC, on hover. @param at in ISO 8601; null where it never was */
export function Time({ at }: { readonly at: string | null }) {
  if (at === null) return TEXTS.never
  const aheadMs = Date.parse(at) - Date.now()
  const [unit, unitMs] = UNITS.find(([, ms]) => Math.abs(aheadMs) >= ms) ?? (['second', 1000] as const)
  return (
    <time dateTime={at} title={`${localTime(at)} (${at})`}>
      {RELATIVE.format(Math.round(aheadMs / unitMs), unit)}
    </time>
  )
}
