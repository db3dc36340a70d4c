import { type ReactNode, useState } from 'react'
import { useOfApp } from '../../apps-data.ts'
import { Button } from '../../components/button.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import type { CollectionAddress } from '../../data/documents-api.ts'
import { IndexProgress } from '../../data/index-progress.tsx'
import type { AppIndex, AppQueries } from '../../indexes-data.ts'
import { INDEX_TEXTS as TEXTS } from '../../texts/performance.ts'
import { byteCount } from '../../texts.ts'
import { IndexReason, IndexUses } from '../performance/index-facts.tsx'
import { DropIndex } from './drop-index.tsx'
import styles from './indexes.module.css'

interface IndexTableProps extends CollectionAddress {
  readonly mayDrop: boolean
  readonly indexes: readonly AppIndex[]
}

const { acts: ACTS, ...COLUMNS } = TEXTS.columns

export function IndexTable({ slug, collection, mayDrop, indexes }: IndexTableProps) {
  const [dropped, setDropped] = useState<AppIndex>()
  // Before it is asked for, so that nothing comes into an open dialog late.
  const { data: queries } = useOfApp<AppQueries>(slug, '/queries')
  const all = { label: TEXTS.title, rows: indexes, keyOf: ({ fields }: AppIndex) => fields }
  if (!mayDrop) return <Table {...all} columns={COLUMNS} cells={cellsOf} />
  return (
    <>
      <Table
        {...all}
        columns={{ ...COLUMNS, acts: ACTS }}
        plain={['acts']}
        cells={(index) => ({
          ...cellsOf(index),
          acts: (
            <Button aria-label={TEXTS.drop.of(index.fields)} onClick={() => setDropped(index)}>
              {TEXTS.drop.short}
            </Button>
          ),
        })}
      />
      {dropped !== undefined && (
        <DropIndex
          {...{ slug, collection }}
          queries={queries?.queries}
          index={dropped}
          onClose={() => setDropped(undefined)}
        />
      )}
    </>
  )
}

function cellsOf(index: AppIndex): Readonly<Record<keyof typeof COLUMNS, ReactNode>> {
  return {
    fields: <Fields index={index} />,
    made: <Made index={index} />,
    state: <State index={index} />,
    uses: <IndexUses index={index} />,
    size: byteCount(index.bytes),
  }
}

interface OfIndex {
  readonly index: AppIndex
}

function Fields({ index: { fields, unique } }: OfIndex) {
  return (
    <>
      <code className={styles.fields}>
        <Value text={fields} />
      </code>
      {unique && <span className={styles.unique}>{TEXTS.unique}</span>}
    </>
  )
}

function Made({ index }: OfIndex) {
  const { automatic, createdAt, spared = 0 } = index
  return (
    <>
      {automatic ? TEXTS.byItself : TEXTS.byHand} <Time at={createdAt} />
      <IndexReason index={index} />
      {spared > 0 && <span className={styles.line}>{TEXTS.spared(spared)}</span>}
    </>
  )
}

function State({ index }: OfIndex) {
  const { state, problem } = index
  if (state === 'building') return <IndexProgress index={index} />
  return (
    <>
      <span className={state === 'ready' ? styles.ok : styles.failed}>{TEXTS.state[state]}</span>
      {problem !== undefined && <Problem problem={problem} />}
    </>
  )
}

function Problem({
  problem: { documents, examples },
}: {
  readonly problem: NonNullable<AppIndex['problem']>
}) {
  return (
    <div className={styles.line}>
      {TEXTS.inTheWay(documents)}
      <ul>
        {examples.map(({ value, ids }) => (
          <li key={value}>
            <code>
              <Value text={TEXTS.value(value, ids)} />
            </code>
          </li>
        ))}
      </ul>
      {TEXTS.failedNow}
    </div>
  )
}
