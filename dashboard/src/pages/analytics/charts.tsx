import { type ReactNode, useMemo, useState } from 'react'
import { type Analytics, type Chosen, csvAddress, type Point } from '../../analytics/analytics-data.ts'
import { localWords, momentWords, type Span, stepWords } from '../../analytics/time-steps.ts'
import { FailedPart } from '../../components/failed-part.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { loaded } from '../../loaded.tsx'
import { ANALYTICS_TEXTS, duration } from '../../texts/analytics.ts'
import { byteCount } from '../../texts.ts'
import styles from './analytics.module.css'
import type { ChartData } from './chart-options.ts'
import { CsvLink } from './csv-link.tsx'
import { FiguresTable } from './figures-table.tsx'

const { charts: TEXTS } = ANALYTICS_TEXTS
const { series: NAMES } = TEXTS

const Chart = loaded(
  () => import('./chart.tsx'),
  () => <Waiting reading={TEXTS.reading} />,
  (error) => <FailedPart error={error} />,
)

type Figure = Exclude<keyof Point, 'at'>

const COUNT = {
  isWhole: true,
  format: (value: number) => value.toLocaleString(),
  formatShort: (value: number) => value.toLocaleString(undefined, { notation: 'compact' }),
}
const DURATION = { isWhole: false, format: duration, formatShort: duration }
const BYTES = { isWhole: true, format: byteCount, formatShort: byteCount }

interface ChartsProps {
  readonly chosen: Chosen
  readonly analytics: Analytics
  /** Whether there was any request; without one only the storage has something to show. */
  readonly hasRequests: boolean
}

/** How it went over time. */
export function Charts({ chosen, analytics, hasRequests }: ChartsProps) {
  const data = useMemo(() => chartsOf(analytics), [analytics])
  const { stepSeconds } = analytics
  const [each, percentiles] = [TEXTS.each(stepSeconds), TEXTS.percentiles(stepSeconds)]
  return (
    <section className={styles.section} aria-labelledby="charts">
      <div className={styles.head}>
        <h2 id="charts">{TEXTS.title}</h2>
        <CsvLink of={TEXTS.title} href={csvAddress(chosen, 'points')} />
      </div>
      <div className={styles.charts}>
        {hasRequests && (
          <>
            <ChartCard title={TEXTS.requests} note={each} data={data.requests} />
            <ChartCard title={TEXTS.latency} note={percentiles} data={data.latency} />
            <ChartCard title={TEXTS.bandwidth} note={each} data={data.bandwidth} />
          </>
        )}
        <ChartCard
          title={TEXTS.storage}
          note={TEXTS.measured}
          csv={csvAddress(chosen, 'storage')}
          data={data.storage}
        >
          {analytics.storage.length === 0 && <p className={styles.dim}>{TEXTS.noStorage}</p>}
        </ChartCard>
      </div>
    </section>
  )
}

interface ChartCardProps {
  readonly title: string
  readonly note: string
  /** Where it is as a file, if in one of its own. */
  readonly csv?: string
  readonly data: ChartData
  /** Instead of the chart. */
  readonly children?: ReactNode
}

function ChartCard({ title, note, csv, data, children }: ChartCardProps) {
  const [hasTable, setHasTable] = useState(false)
  const isEmpty = data.at.length === 0
  return (
    <div className={styles.chart}>
      <div className={styles.head}>
        <h3>
          {title} <span className={styles.note}>{note}</span>
        </h3>
        {csv !== undefined && !isEmpty && <CsvLink of={title} href={csv} />}
      </div>
      {children}
      {!isEmpty && (
        <>
          <div className={styles.place}>
            <Chart label={`${title}, ${note}`} data={data} />
          </div>
          <details onToggle={({ currentTarget: { open } }) => setHasTable(open)}>
            <summary>{TEXTS.asTable}</summary>
            {hasTable && <ValuesTable title={title} data={data} />}
          </details>
        </>
      )}
    </div>
  )
}

/** The newest above. */
function ValuesTable({ title, data: { at, series, format, words } }: Pick<ChartCardProps, 'title' | 'data'>) {
  const shown = (value: number | null | undefined) =>
    value === null || value === undefined ? TEXTS.noValue : format(value)
  return (
    <FiguresTable
      label={title}
      columns={{ step: TEXTS.step, ...Object.fromEntries(series.map(({ name }) => [name, name])) }}
      words={['step']}
      rows={[...at.keys()].reverse()}
      keyOf={String}
      cells={(index) => ({
        step: words(index),
        ...Object.fromEntries(series.map(({ name, values }) => [name, shown(values[index])])),
      })}
    />
  )
}

type Charted = Readonly<Record<'requests' | 'latency' | 'bandwidth' | 'storage', ChartData>>

function chartsOf(analytics: Analytics): Charted {
  const { points, stepSeconds } = analytics
  const span = { from: seconds(analytics.from), to: seconds(analytics.to) }
  const starts = points.map(({ at }) => seconds(at))
  const stepped = {
    span,
    // In the middle of its step.
    at: starts.map((start) => start + stepSeconds / 2),
    words: (index: number) => stepWords(starts[index]!, stepSeconds),
    local: (index: number) => localWords(starts[index]!, stepSeconds),
  }
  const seriesOf = (...figures: (Figure & keyof typeof NAMES)[]) =>
    figures.map((figure) => ({ name: NAMES[figure], values: points.map((point) => point[figure]) }))
  return {
    requests: { ...stepped, ...COUNT, kind: 'bars', series: seriesOf('requests', 'errors') },
    latency: { ...stepped, ...DURATION, kind: 'lines', series: seriesOf('p50', 'p95', 'p99') },
    bandwidth: { ...stepped, ...BYTES, kind: 'lines', series: seriesOf('bytesOut', 'bytesIn') },
    storage: storageChart(analytics, span),
  }
}

/** What was measured holds until it is measured again, which is when something was written. */
function storageChart({ storage }: Analytics, span: Span): ChartData {
  const measured = storage.map(({ at, bytes, indexBytes }) => ({ at: seconds(at), bytes, indexBytes }))
  const last = measured.at(-1)
  const known = last === undefined ? [] : [...measured, { ...last, at: Math.max(span.to, last.at) }]
  const times = known.map(({ at }) => at)
  return {
    ...BYTES,
    kind: 'steps',
    span,
    at: times,
    series: [
      { name: NAMES.documents, values: known.map(({ bytes }) => bytes) },
      { name: NAMES.indexBytes, values: known.map(({ indexBytes }) => indexBytes) },
    ],
    words: (index) => `${momentWords(times[index]! * 1000)} UTC`,
    local: (index) => localWords(times[index]!, 1),
  }
}

function seconds(time: string): number {
  return Date.parse(time) / 1000
}
