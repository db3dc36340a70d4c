const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How far apart marks below a chart may be, in seconds. */
const APART = [
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  4 * HOUR,
  6 * HOUR,
  12 * HOUR,
]

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})
const MONTH_DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const WHOLE = new Intl.DateTimeFormat(undefined, {
  ...{
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  },
})
const LOCAL = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})

/** From a moment up to another, in seconds since the Unix epoch. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Where marks stand below a chart: at whole hours or days of UTC.
 * @param most how many there is room for
 */
export function timeMarks({ from, to }: Span, most: number): number[] {
  const fits = (apart: number) => (to - from) / apart <= most
  const days = Math.ceil((to - from) / DAY / most)
  const apart = APART.find(fits) ?? days * DAY
  const first = Math.ceil(from / apart) * apart
  const start = apart > DAY ? Math.ceil(from / DAY) * DAY : first
  return Array.from({ length: Math.floor((to - start) / apart) + 1 }, (_, index) => start + index * apart)
}

/** A mark in words: a time of the day, or a day where one begins. */
export function markWords(seconds: number): string {
  return (seconds % DAY === 0 ? MONTH_DAY : CLOCK).format(seconds * 1000)
}

/** A step in words: such as `Nov 29, 14:00 to 15:00 UTC`, or a day. */
export function stepWords(from: number, stepSeconds: number): string {
  if (stepSeconds === DAY) return dayWords(from * 1000)
  return `${WHOLE.format(from * 1000)} to ${CLOCK.format((from + stepSeconds) * 1000)} UTC`
}

/** A moment of this reader's clock; undefined where it is UTC, or a whole day is meant. */
export function localWords(seconds: number, stepSeconds: number): string | undefined {
  if (stepSeconds === DAY || new Date(seconds * 1000).getTimezoneOffset() === 0) return undefined
  return LOCAL.format(seconds * 1000)
}

/** @param time in ISO 8601, or milliseconds since the Unix epoch */
export function dayWords(time: string | number): string {
  return MONTH_DAY.format(new Date(time))
}

/** The first and the last day that a range has a part of. @param range in ISO 8601, `to` not included */
export function daysOf({ from, to }: { readonly from: string; readonly to: string }): [string, string] {
  return [dayWords(from), dayWords(Date.parse(to) - 1)]
}

/** A day and a time of UTC. @param time in ISO 8601, or milliseconds since the Unix epoch */
export function momentWords(time: string | number): string {
  return WHOLE.format(new Date(time))
}
