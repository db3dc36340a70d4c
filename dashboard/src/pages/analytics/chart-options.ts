import uPlot from 'uplot'
import { markWords, type Span, timeMarks } from '../../analytics/time-steps.ts'

export const HEIGHT_PX = 200
/** What a mark below a chart takes. */
const MARK_PX = 64
const AXIS_PX = 68
/** Air above the highest value. */
const HEADROOM = 1.08
const FONT = '12px system-ui, sans-serif'
/** So that series can be told apart without their colours. */
const DASHES = [[], [6, 4], [2, 3]]
/** Of a finger, browsers say in events of a mouse that it has left, too. */
const NO_MOUSE = Object.fromEntries(
  ['mousedown', 'mouseup', 'click', 'dblclick', 'mousemove', 'mouseleave', 'mouseenter'].map((event) => [
    event,
    () => null,
  ]),
)
const WHOLE_INCREMENTS = Array.from({ length: 16 }, (_, power) =>
  [1, 2, 5].map((n) => n * 10 ** power),
).flat()

export interface ChartSeries {
  readonly name: string
  /** Null where there is a gap. */
  readonly values: readonly (number | null)[]
}

export interface ChartData {
  /** `steps` hold until the next one. Of bars, those that come later stand before the others. */
  readonly kind: 'bars' | 'lines' | 'steps'
  readonly span: Span
  /** Where each value stands, in seconds since the Unix epoch. */
  readonly at: readonly number[]
  /** Three at most. */
  readonly series: readonly ChartSeries[]
  /** Whether there is nothing between two whole numbers. */
  readonly isWhole: boolean
  readonly format: (value: number) => string
  /** For the marks beside the chart. */
  readonly formatShort: (value: number) => string
  /** When a value is of, in UTC. */
  readonly words: (index: number) => string
  /** The same by the reader's clock; undefined where it would say the same. */
  readonly local: (index: number) => string | undefined
}

interface ChartOf {
  /** Its `color` is that of words, the colour of its border that of lines. */
  readonly element: HTMLElement
  /** As it is by then. */
  readonly data: () => ChartData
  readonly onIndex: (index: number | null) => void
}

export function dataOf({ at, series }: ChartData): uPlot.AlignedData {
  return [at, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData
}

/** How a chart is drawn: from zero on, with gaps where there is no value, in the colours of the page as they are by then. */
export function chartOptions({ element, data, onIndex }: ChartOf): uPlot.Options {
  const ink = () => getComputedStyle(element).color
  const line = () => getComputedStyle(element).borderTopColor
  const lines = { stroke: line, width: 1 }
  const axis = { stroke: ink, font: FONT, grid: lines, ticks: { ...lines, size: 4 } }
  const { kind, series, isWhole } = data()
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false, range: () => [data().span.from, data().span.to] },
      y: { range: (_, __, most) => [0, most > 0 ? most * HEADROOM : 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        splits: (plot) => timeMarks(data().span, Math.floor((plot.width - AXIS_PX) / MARK_PX)),
        values: (_, splits) => splits.map(markWords),
      },
      {
        ...axis,
        size: AXIS_PX,
        space: 36,
        ...(isWhole && { incrs: WHOLE_INCREMENTS }),
        values: (_, splits) => splits.map(data().formatShort),
      },
    ],
    series: [{}, ...series.map((_, index) => seriesOptions(index, { element, data }))],
    cursor: { y: false, bind: NO_MOUSE, points: { show: kind !== 'bars' } },
    hooks: { setCursor: [({ cursor }) => onIndex(cursor.idx ?? null)] },
  }
}

function seriesOptions(index: number, { element, data }: Omit<ChartOf, 'onIndex'>): uPlot.Series {
  const { kind } = data()
  const colour = () =>
    getComputedStyle(element.parentElement!.querySelector(`li:nth-child(${index + 1}) > svg`)!).color
  if (kind === 'bars')
    return {
      paths: uPlot.paths.bars!({ size: [0.8, 40] }),
      stroke: colour,
      fill: colour,
      width: 0,
      points: { show: false },
    }
  return {
    ...(kind === 'steps' && { paths: uPlot.paths.stepped!({ align: 1 }) }),
    stroke: colour,
    width: 2,
    dash: DASHES[index]!,
    points: { show: false, size: 5, fill: colour, filter: (plot) => aloneOf(plot.data[index + 1]!) },
  }
}

/** Values between two gaps, which no line goes through. */
function aloneOf(values: uPlot.AlignedData[number]): number[] {
  const isGap = (index: number) => (values[index] ?? null) === null
  return Array.from(values.keys()).filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1))
}
