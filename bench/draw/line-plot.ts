import type { Spread } from '../statistics.ts'
import { line, round, svg, text, WIDTH } from './svg.ts'

export interface Series {
  readonly label: string
  /** One for each size. */
  readonly figures: readonly Spread[]
}

const HEIGHT = 420
const TOP = 56
const BOTTOM = 60
const LEFT = 70
const RIGHT = 210
/** Two labels at the right end are at least so far apart. */
const LABEL = 16

/** Milliseconds against sizes, both on logarithmic axes, with the spread of all rounds at each point. */
export function linePlot({
  title,
  sizes,
  series,
}: {
  readonly title: string
  readonly sizes: readonly number[]
  readonly series: readonly Series[]
}): string {
  const all = series.flatMap(({ figures }) => figures)
  const low = Math.floor(Math.log10(Math.min(...all.map(({ least }) => least))))
  const high = Math.ceil(Math.log10(Math.max(...all.map(({ most }) => most))))
  const rowId: Place = {
    x: scale(sizes[0]!, sizes.at(-1)!, [LEFT, WIDTH - RIGHT]),
    y: scale(10 ** low, 10 ** high, [HEIGHT - BOTTOM, TOP]),
  }
  const decades = Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step))
  return svg(HEIGHT, title, [
    ...decades.flatMap((value) => [
      line('grid', [LEFT, rowId.y(value), WIDTH - RIGHT, rowId.y(value)]),
      text(shown(value), { x: LEFT - 8, y: rowId.y(value) + 4, anchor: 'end', type: 'faint' }),
    ]),
    ...sizes.map((size) =>
      text(shown(size), { x: rowId.x(size), y: HEIGHT - BOTTOM + 20, anchor: 'middle', type: 'faint' }),
    ),
    ...series.flatMap((one, index) => drawn(one, { sizes, rowId, index })),
    ...labels(series, rowId),
    text('ms', { x: LEFT - 8, y: TOP - 12, anchor: 'end', type: 'faint' }),
    text('documents in the collection; both axes are logarithmic', {
      x: LEFT,
      y: HEIGHT - 14,
      type: 'faint',
    }),
  ])
}

interface Place {
  readonly x: (value: number) => number
  readonly y: (value: number) => number
}

function scale(from: number, to: number, [start, end]: readonly [number, number]): (value: number) => number {
  const span = Math.log10(to) - Math.log10(from) || 1
  return (value) => start + ((Math.log10(value) - Math.log10(from)) / span) * (end - start)
}

function drawn(
  { figures }: Series,
  { sizes, rowId, index }: { sizes: readonly number[]; rowId: Place; index: number },
): string[] {
  const points = figures.map(({ median }, at) => `${round(rowId.x(sizes[at]!))},${round(rowId.y(median))}`)
  const dots = figures.flatMap(({ median, least, most }, at) => {
    const x = rowId.x(sizes[at]!)
    return [
      line('spread', [x, rowId.y(least), x, rowId.y(most)]),
      `<circle class="dot-${index}" cx="${round(x)}" cy="${round(rowId.y(median))}" r="4"/>`,
    ]
  })
  return [`<polyline class="line line-${index}" points="${points.join(' ')}"/>`, ...dots]
}

function labels(series: readonly Series[], { y }: Place): string[] {
  let above = -Infinity
  return series
    .map(({ label, figures }, index) => ({ label, index, at: y(figures.at(-1)!.median) }))
    .sort((a, b) => a.at - b.at)
    .flatMap(({ label, index, at }) => {
      above = Math.max(at, above + LABEL)
      const x = WIDTH - RIGHT + 16
      return [
        `<circle class="dot-${index}" cx="${x}" cy="${round(above)}" r="4"/>`,
        text(label, { x: x + 10, y: above + 4 }),
      ]
    })
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 3 })
}
