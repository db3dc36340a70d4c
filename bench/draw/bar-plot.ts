import type { Spread } from '../statistics.ts'
import { line, round, svg, text, WIDTH } from './svg.ts'

export interface Bar {
  readonly label: string
  readonly figure: Spread
  /** Sheaf itself, a limit such as a server that does nothing, or what users take instead. */
  readonly kind: 'own' | 'limit' | 'peer'
}

const TOP = 44
const ROW = 32
const BAR = 20
const LEFT = 220
const RIGHT = 110

/** Medians as bars from zero, with the least and the most of all rounds as a thin line. */
export function barPlot({
  title,
  unit,
  bars,
}: {
  readonly title: string
  readonly unit: string
  readonly bars: readonly Bar[]
}): string {
  const most = Math.max(...bars.map(({ figure }) => figure.most))
  const x = (value: number): number => LEFT + (value / most) * (WIDTH - LEFT - RIGHT)
  const rows = bars.flatMap(({ label, figure, kind }, index) => {
    const y = TOP + index * ROW
    const middle = y + BAR / 2
    return [
      text(label, { x: LEFT - 10, y: middle + 5, anchor: 'end' }),
      `<rect class="${kind}" x="${LEFT}" y="${y}" width="${round(Math.max(1, x(figure.median) - LEFT))}" height="${BAR}"/>`,
      line('spread', [x(figure.least), middle, x(figure.most), middle]),
      text(shown(figure.median), { x: x(figure.most) + 8, y: middle + 5 }),
    ]
  })
  const foot = TOP + bars.length * ROW + 14
  const legend = `${unit}, median; the thin line goes from the least to the most of all rounds`
  return svg(foot + 14, title, [...rows, text(legend, { x: 16, y: foot, type: 'faint' })])
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
}
