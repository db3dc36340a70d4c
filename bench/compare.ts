import type { Contender } from './contender.ts'
import { cpuMicroseconds, inTurn, type Measured, perSecond, type Turns } from './rounds.ts'
import type { Bench, RowResult } from './row.ts'
import { ratioOf, type Spread, spreadOf, written } from './statistics.ts'

/** A ratio of what the first contender did in a second to what another did, and the least that it should be. */
export interface Target {
  readonly against: string
  readonly least: number
}

/** Measures servers or programs in turn and sets the first of them against the others. */
export async function compare(
  bench: Bench,
  starters: readonly (() => Promise<Contender>)[],
  { units, targets, about }: { units: string; targets: readonly Target[]; about: readonly string[] },
): Promise<RowResult> {
  const turns = await inTurn(starters, bench.options, bench.log)
  return {
    about,
    head: ['', `${units}/s`, 'CPU of each, µs', 'p50, ms', 'p99, ms', 'first to it', 'in CPU'],
    cells: turns.measured.map((measured) => cellsOf(measured, turns.measured[0]!)),
    verdicts: [...targets.map((target) => verdictOn(turns, target)), ...turns.skipped],
  }
}

function cellsOf({ contender, samples }: Measured, first: Measured): string[] {
  const isFirst = first.contender === contender
  const ratio = (of: (sample: (typeof samples)[number]) => number): string =>
    isFirst ? '' : written(ratioOf(first.samples.map(of), samples.map(of)), 2)
  const { p50Ms, p99Ms } = samples[0]!
  return [
    `**${contender.name}**: ${contender.about}`,
    written(spreadOf(samples.map(perSecond))),
    written(spreadOf(samples.map(cpuMicroseconds)), 1),
    p50Ms === undefined ? '' : written(spreadOf(samples.map((sample) => sample.p50Ms!)), 2),
    p99Ms === undefined ? '' : written(spreadOf(samples.map((sample) => sample.p99Ms!)), 2),
    ratio(perSecond),
    ratio(cpuMicroseconds),
  ]
}

function verdictOn({ measured }: Turns, { against, least }: Target): string {
  const [first] = measured
  const other = measured.find(({ contender }) => contender.name === against)
  if (first === undefined || other === undefined) return `${against} was not measured.`
  const ratio = ratioOf(first.samples.map(perSecond), other.samples.map(perSecond))
  return `${first.contender.name} against ${against}: ${limit(ratio, { least })}`
}

/** A figure beside its limit. */
export function limit(
  figure: Spread,
  { least, most, unit = '×', digits = 2 }: { least?: number; most?: number; unit?: string; digits?: number },
): string {
  const isMet = figure.median >= (least ?? -Infinity) && figure.median <= (most ?? Infinity)
  const bound = least === undefined ? `at most ${most}` : `at least ${least}`
  return `${written(figure, digits)} ${unit}; the target is ${bound}: **${isMet ? 'met' : 'missed'}**`
}
