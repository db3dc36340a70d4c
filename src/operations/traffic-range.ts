import { AppError } from '../errors.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type RangeName = 'hour' | 'day' | 'week' | 'month'

/** How long what is added up in one piece is. */
export type TrafficStep = 'minute' | 'hour' | 'day'

export const STEP_SECONDS: Readonly<Record<TrafficStep, number>> = Object.freeze({
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
})

/** From a moment up to another, in seconds since the Unix epoch, of UTC. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Which time is asked about, and in what steps. */
export interface TrafficRange extends Span {
  readonly name: RangeName
  readonly step: TrafficStep
  /** As many steps, at the same time of the hour, the day or the week before. */
  readonly before: Span
  /** What keys, collections, operations and statuses are known of: whole hours or days. */
  readonly cells: Span & { readonly step: Exclude<TrafficStep, 'minute'> }
}

interface RangeRule {
  readonly step: TrafficStep
  readonly cells: Exclude<TrafficStep, 'minute'>
  /** Of what is behind: so much before the beginning of the step that is under way. */
  readonly seconds: number
  /** The range begins at the beginning of an hour or a day. */
  readonly startsAt: number
}

const RULES: Readonly<Record<RangeName, RangeRule>> = {
  hour: { step: 'minute', cells: 'hour', seconds: HOUR, startsAt: MINUTE },
  day: { step: 'hour', cells: 'hour', seconds: DAY, startsAt: HOUR },
  week: { step: 'hour', cells: 'day', seconds: 7 * DAY, startsAt: DAY },
  month: { step: 'day', cells: 'day', seconds: 30 * DAY, startsAt: DAY },
}

/**
 * The time that ends with the minute, hour or day of `now`.
 * @param now milliseconds since the Unix epoch
 * @param isFiltered whether one key or collection is asked about, which is known by the hour and by the day alone
 * @throws AppError `invalid_parameter` for another name
 */
export function trafficRange(name: string | undefined, now: number, isFiltered: boolean): TrafficRange {
  if (name === undefined || !Object.hasOwn(RULES, name))
    throw new AppError('invalid_parameter', 'range must be hour, day, week or month')
  const rule = RULES[name as RangeName]
  const seconds = Math.floor(now / 1000)
  const step = isFiltered ? rule.cells : rule.step
  const cells = { step: rule.cells, ...spanOf(rule, STEP_SECONDS[rule.cells], seconds) }
  const span = isFiltered ? { from: cells.from, to: cells.to } : spanOf(rule, STEP_SECONDS[step], seconds)
  const earlier = Math.max(rule.seconds, span.to - span.from)
  const before = { from: span.from - earlier, to: span.to - earlier }
  return { name: name as RangeName, step, ...span, before, cells }
}

function spanOf({ seconds, startsAt }: RangeRule, step: number, now: number): Span {
  const to = startOf(now, step) + step
  return { from: startOf(startOf(now, startsAt) + startsAt - seconds, step), to }
}

function startOf(seconds: number, step: number): number {
  return seconds - (seconds % step)
}

/** The beginnings of all steps of a span, in order. */
export function stepsOf({ from, to }: Span, step: TrafficStep): number[] {
  const seconds = STEP_SECONDS[step]
  return Array.from({ length: (to - from) / seconds }, (_, index) => from + index * seconds)
}
