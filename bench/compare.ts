import type { Contender } from './contender.ts'
import { barPlot } from './draw/bar-plot.ts'
import { cpuMicroseconds, inTurn, type Measured, perSecond, type Turns } from './rounds.ts'
import type { Bench, RowResult } from './row.ts'
import { ratioOf, type Spread, spreadOf, written } from './statistics.ts'

export const BEST_PEER = 'the best peer'
export const BEST_DURABLE_PEER = 'the best peer that is as durable'

/** A ratio of what the first contender did in a second to what another did, and the least that it should be. */
export interface Target {
  /** The other's name, or one of the two above. */
  readonly against: string
  readonly least: number
}

export interface Comparison {
  readonly units: string
  readonly targets: readonly Target[]
  /** The least that the first should do in a second, whatever others do. */
  readonly leastPerSecond?: number
  readonly about: readonly string[]
  readonly plot?: Plot
}

export interface Plot {
  /** What stands above its bars. */
  readonly title: string
  /** Whether it marks who acknowledges before the disk has it. */
  readonly marksDurability?: boolean
}

/** Measures servers or programs in turn and sets the first of them against the others. */
export async function compare(
  bench: Bench,
  starters: readonly (() => Promise<Contender>)[],
  { units, targets, leastPerSecond, about, plot }: Comparison,
): Promise<RowResult> {
  const turns = await inTurn(starters, bench.options, bench.log)
  const first = turns.measured[0]!
  const rate = leastPerSecond === undefined ? [] : [rateVerdict(first, { units, leastPerSecond })]
  return {
    about,
    head: ['', `${units}/s`, 'CPU of each, µs', 'p50, ms', 'p99, ms', 'first to it', 'in CPU'],
    cells: turns.measured.map((measured) => cellsOf(measured, first)),
    verdicts: [...targets.map((target) => verdictOn(turns, target)), ...rate, ...turns.skipped],
    ...(plot === undefined ? {} : { plot: plotOf(turns, plot, units) }),
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
  const other = opponent(measured, against)
  if (first === undefined || other === undefined)
    return `${first?.contender.name} against ${against}: not measured.`
  const ratio = ratioOf(first.samples.map(perSecond), other.samples.map(perSecond))
  const name = other.contender.name === against ? against : `${against} (${other.contender.name})`
  return `${first.contender.name} against ${name}: ${limit(ratio, { least })}`
}

function opponent(measured: readonly Measured[], against: string): Measured | undefined {
  if (against !== BEST_PEER && against !== BEST_DURABLE_PEER)
    return measured.find(({ contender }) => contender.name === against)
  const rate = ({ samples }: Measured): number => spreadOf(samples.map(perSecond)).median
  return measured
    .filter(({ contender: { peer } }) => peer !== undefined && (against === BEST_PEER || peer.isDurable))
    .sort((a, b) => rate(b) - rate(a))[0]
}

function rateVerdict(
  { contender, samples }: Measured,
  { units, leastPerSecond }: { units: string; leastPerSecond: number },
): string {
  const rate = spreadOf(samples.map(perSecond))
  return `${contender.name}: ${limit(rate, { least: leastPerSecond, unit: `${units}/s`, digits: 0 })}`
}

/** Only servers: a program without HTTP would be no comparison to look at. */
function plotOf({ measured }: Turns, { title, marksDurability = false }: Plot, units: string): string {
  const bars = measured
    .filter(({ samples }) => samples[0]!.p50Ms !== undefined)
    .map(({ contender: { name, peer }, samples }) => ({
      label: marksDurability && peer?.isDurable === false ? `${name} (not durable)` : name,
      figure: spreadOf(samples.map(perSecond)),
      kind:
        peer !== undefined
          ? ('peer' as const)
          : name.startsWith('Sheaf')
            ? ('own' as const)
            : ('limit' as const),
    }))
  return barPlot({ title, unit: `${units}/s`, bars })
}

/** A figure beside its limit. */
export function limit(
  figure: Spread,
  { least, most, unit = '×', digits = 2 }: { least?: number; most?: number; unit?: string; digits?: number },
): string {
  const isMet = figure.median >= (least ?? -Infinity) && figure.median <= (most ?? Infinity)
  const bound =
    least === undefined
      ? `at most ${most!.toLocaleString('en-US')}`
      : `at least ${least.toLocaleString('en-US')}`
  return `${written(figure, digits)} ${unit}; the target is ${bound}: **${isMet ? 'met' : 'missed'}**`
}
