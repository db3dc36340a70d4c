import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { ANALYTICS_TEXTS } from '../../texts/analytics.ts'
import styles from './chart.module.css'
import { type ChartData, chartOptions, dataOf, HEIGHT_PX } from './chart-options.ts'

const { charts: TEXTS } = ANALYTICS_TEXTS
const OUT_OF_IT = { left: -10, top: -10 }

interface ChartProps {
  readonly label: string
  readonly data: ChartData
}

/** Figures over time, which pointers and arrow keys read off; as a slider, for screen readers know what to do with that. */
export default function Chart({ label, data }: ChartProps) {
  const host = useRef<HTMLDivElement>(null)
  const { index, plot } = usePlot(host, data)
  const last = data.at.length - 1
  const shown = Math.min(index ?? last, last)
  const move = (event: KeyboardEvent) => {
    const to = targetOf(event.key, { from: index, last })
    if (to === undefined) return
    event.preventDefault()
    point(plot.current!, to)
  }
  const follow = ({ clientX }: PointerEvent) => {
    const { left, width } = plot.current!.over.getBoundingClientRect()
    plot.current!.setCursor({ left: Math.min(Math.max(clientX - left, 0), width), top: 0 })
  }
  return (
    <>
      <Legend data={data} />
      <div
        ref={host}
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={Math.max(shown, 0)}
        aria-valuetext={
          last < 0 ? TEXTS.noValue : `${data.words(shown)}: ${valuesAt(data, shown).join(', ')}`
        }
        aria-description={TEXTS.help}
        onKeyDown={move}
        onPointerDown={follow}
        onPointerMove={follow}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && plot.current!.setCursor(OUT_OF_IT)}
        onBlur={() => plot.current!.setCursor(OUT_OF_IT)}
      >
        {index !== null && index <= last && <Tip data={data} index={index} plot={plot.current!} />}
      </div>
    </>
  )
}

/** Draws it, and tells which of the points the cursor is at. */
function usePlot(host: { readonly current: HTMLDivElement | null }, data: ChartData) {
  const [index, setIndex] = useState<number | null>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(data)
  latest.current = data
  useLayoutEffect(() => {
    const element = host.current!
    const options = chartOptions({ element, data: () => latest.current, onIndex: setIndex })
    const drawn = new uPlot(options, dataOf(latest.current), element)
    plot.current = drawn
    const resizing = new ResizeObserver(() =>
      drawn.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    )
    resizing.observe(element)
    const unwatch = watchColours(() => drawn.redraw(false))
    return () => {
      resizing.disconnect()
      unwatch()
      drawn.destroy()
    }
  }, [host])
  useEffect(() => plot.current!.setData(dataOf(data)), [data])
  return { index, plot }
}

/** @returns what ends it */
function watchColours(onChange: () => void): () => void {
  const isDark = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(onChange)
  isDark.addEventListener('change', onChange)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    isDark.removeEventListener('change', onChange)
    chosen.disconnect()
  }
}

function targetOf(
  key: string,
  { from, last }: { readonly from: number | null; readonly last: number },
): number | undefined {
  if (last < 0) return undefined
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return from === null ? last : Math.max(from - 1, 0)
    case 'ArrowRight':
    case 'ArrowUp':
      return from === null ? last : Math.min(from + 1, last)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}

function point(plot: uPlot, index: number): void {
  plot.setCursor({ left: plot.valToPos(plot.data[0][index]!, 'x'), top: 0 })
}

function valuesAt({ series, format }: ChartData, index: number): string[] {
  return series.map(({ name, values }) => {
    const value = values[index]
    return `${name}: ${value === null || value === undefined ? TEXTS.noValue : format(value)}`
  })
}

function Legend({ data: { series, kind } }: { readonly data: ChartData }) {
  return (
    <ul className={styles.legend}>
      {series.map(({ name }, index) => (
        <li key={name}>
          <svg width="20" height="8" className={styles[`look${index}`]} data-kind={kind} aria-hidden="true">
            <line x1="0" y1="4" x2="20" y2="4" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

interface TipProps {
  readonly data: ChartData
  readonly index: number
  readonly plot: uPlot
}

/** Beside the cursor, on the side where there is room. */
function Tip({ data, index, plot }: TipProps) {
  const left = plot.over.offsetLeft + plot.valToPos(data.at[index]!, 'x')
  const isRight = left > plot.width / 2
  const local = data.local(index)
  return (
    <div
      className={styles.tip}
      style={isRight ? { right: plot.width - left + 12 } : { left: left + 12 }}
      aria-hidden="true"
    >
      <p className={styles.when}>{data.words(index)}</p>
      {local !== undefined && <p className={styles.local}>{local}</p>}
      {valuesAt(data, index).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
