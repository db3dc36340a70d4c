import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Value } from '../components/value.tsx'
import { DATA_TEXTS } from '../texts/data.ts'
import { useSettled } from '../use-settled.ts'
import { parsePlan, type ReadPlan } from './read-plan.ts'
import styles from './read-status.module.css'
import type { RowSource } from './rows/row-source.ts'

/** As long as a read takes no longer, nothing is said of it. */
const QUIET_MS = 300

/** Up to here a look at all of them takes no time to speak of. */
const FEW_DOCUMENTS = 10_000

interface ReadStatusProps {
  readonly source: RowSource
  /** Of those that match; undefined while they are counted. */
  readonly count: number | undefined
  /** In the collection. */
  readonly all: number | undefined
  readonly isFiltered: boolean
  /** Whether a filter or an order is asked for. */
  readonly isAsked: boolean
  /** Ends the counting, too. */
  readonly onStop: () => void
  readonly onGoOn: () => void
  /** What may be done where many documents were looked at. */
  readonly children: ReactNode
}

/** How many documents there are, how they were found, and how far that has come. */
export function ReadStatus({
  source,
  count,
  all,
  isFiltered,
  isAsked,
  onStop,
  onGoOn,
  children,
}: ReadStatusProps) {
  const { examined, isRunning, isStopped } = source.progress
  const isLong = useSettled(isRunning, QUIET_MS) && isRunning
  const plan = source.timing === undefined ? undefined : parsePlan(source.timing)
  const isCounting = count === undefined && source.error === undefined
  const share = all ? Math.min(99, Math.floor((100 * examined) / all)) : undefined
  return (
    <div className={styles.status} role="status">
      <span>
        {count !== undefined && <strong>{DATA_TEXTS.count(count)}</strong>}
        {count !== undefined && isFiltered && all !== undefined && ` ${DATA_TEXTS.of(all)}`}
        {isCounting && (source.loaded > 0 ? DATA_TEXTS.soFar(source.loaded) : DATA_TEXTS.counting)}
      </span>
      {plan !== undefined && <Plan plan={plan} />}
      {plan?.kind === 'scan' && isAsked && (all ?? 0) > FEW_DOCUMENTS && children}
      {isLong && examined > 0 && share !== undefined && <span>{DATA_TEXTS.lookedAt(share)}</span>}
      {isStopped && <span>{DATA_TEXTS.stopped}</span>}
      {isLong && <Button onClick={onStop}>{DATA_TEXTS.stop}</Button>}
      {isStopped && <Button onClick={onGoOn}>{DATA_TEXTS.goOn}</Button>}
    </div>
  )
}

function Plan({ plan: { kind, index, milliseconds } }: { readonly plan: ReadPlan }) {
  const words = kind === 'index' ? DATA_TEXTS.plan.index(index) : DATA_TEXTS.plan[kind]
  return (
    <span className={kind === 'scan' ? styles.scan : styles.plan}>
      <Value text={words} /> · {DATA_TEXTS.milliseconds(milliseconds)}
    </span>
  )
}
