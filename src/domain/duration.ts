import { AppError } from '../errors.ts'

const SECOND_MS = 1000
/** From the longest to the shortest. */
const UNITS = [
  ['d', 24 * 60 * 60 * SECOND_MS],
  ['h', 60 * 60 * SECOND_MS],
  ['m', 60 * SECOND_MS],
  ['s', SECOND_MS],
] as const

type DurationUnit = (typeof UNITS)[number][0]

const LONGEST_DAYS = 36_500
const LONGEST_MS = LONGEST_DAYS * UNITS[0][1]

/**
 * Reads `30d`, `12h`, `90m` or `2s` as milliseconds. `least` is 1 ms or, where `0` makes sense, 0.
 * @param what the thing that lasts, for the message
 * @throws AppError `invalid_rule`
 */
export function parseDuration(text: string, { what, least }: { what: string; least: 0 | 1 }): number {
  const [, count, unit] = /^(\d{1,12})([dhms])$/.exec(least === 0 && text === '0' ? '0s' : text) ?? []
  if (count === undefined) {
    const zero = least === 0 ? ', or 0' : ''
    throw invalid(
      what,
      text,
      `write a whole number of days, hours, minutes or seconds: 30d, 12h, 90m, 2s${zero}`,
    )
  }
  const duration = Number(count) * UNITS.find(([name]) => name === unit)![1]
  if (duration < least) throw invalid(what, text, 'it has to be longer than nothing')
  if (duration > LONGEST_MS) throw invalid(what, text, `the longest is ${LONGEST_DAYS}d`)
  return duration
}

/** The shortest way to write a duration for `parseDuration`. */
export function durationText(ms: number): string {
  const { count, unit } = durationParts(ms)
  return `${count}${unit}`
}

/** The same in two parts. */
export function durationParts(ms: number): { readonly count: number; readonly unit: DurationUnit } {
  const [unit, length] = UNITS.find(([, unitMs]) => ms % unitMs === 0) ?? (['s', SECOND_MS] as const)
  return { count: Math.round(ms / length), unit }
}

function invalid(what: string, text: string, problem: string): AppError {
  return new AppError('invalid_rule', `${JSON.stringify(text)} can't be ${what}: ${problem}`)
}
