import { Link } from 'wouter'
import { appPath, useOfApp } from '../../apps-data.ts'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { type AppQuery, useIndexes } from '../../indexes-data.ts'
import { PERFORMANCE_TEXTS as TEXTS, timeSpent } from '../../texts/performance.ts'
import styles from './performance.module.css'
import { WhatHelps } from './what-helps.tsx'

interface QueryTableProps {
  readonly slug: string
  /** Whether the account may make indexes. */
  readonly mayMake: boolean
  readonly queries: readonly AppQuery[]
}

/** What each shape of queries costs, and which index there is for it or would help. */
export function QueryTable({ slug, mayMake, queries }: QueryTableProps) {
  const { data: indexes = [] } = useIndexes({ slug })
  const { data: collections } = useOfApp<readonly string[]>(slug, '/collections')
  const isGone = ({ collection }: AppQuery) => collections?.includes(collection) === false
  return (
    <Table
      label={TEXTS.queries}
      columns={TEXTS.columns}
      rows={queries}
      keyOf={({ collection, query }) => `${collection}\0${query}`}
      cells={(query) => ({
        query: <Shape slug={slug} query={query} isGone={isGone(query)} />,
        cost: TEXTS.inAll(timeSpent(query.totalMs)),
        times: <Times query={query} />,
        looked: <LookedAt query={query} />,
        done: <WhatHelps {...{ slug, query, indexes }} mayMake={mayMake && !isGone(query)} />,
      })}
    />
  )
}

interface ShapeProps {
  readonly slug: string
  readonly query: AppQuery
  /** Whether the collection was dropped or renamed since. */
  readonly isGone: boolean
}

function Shape({ slug, query: { collection, query }, isGone }: ShapeProps) {
  return (
    <div className={styles.shape}>
      <code>
        <Value text={query} />
      </code>
      <span className={styles.dim}>
        {TEXTS.in}{' '}
        <Link href={`${appPath(slug)}/data/${encodeURIComponent(collection)}`}>
          <Value text={collection} />
        </Link>
        {isGone && TEXTS.gone}
      </span>
    </div>
  )
}

interface OfQuery {
  readonly query: AppQuery
}

function Times({ query: { reads, slow, meanMs, maxMs, lastSeen } }: OfQuery) {
  return (
    <ul>
      <li>
        {TEXTS.reads(reads)}
        {slow > 0 && (
          <>
            , <strong className={styles.slow}>{TEXTS.slow(slow)}</strong>
          </>
        )}
      </li>
      <li>
        {TEXTS.mean(timeSpent(meanMs))}, {TEXTS.most(timeSpent(maxMs))}
      </li>
      <li className={styles.dim}>
        {TEXTS.last} <Time at={lastSeen} />
      </li>
    </ul>
  )
}

function LookedAt({ query: { reads, examined, returned, plan } }: OfQuery) {
  return (
    <ul>
      <li>
        {TEXTS.looked(examined / reads)}, {TEXTS.found(returned / reads)}
      </li>
      {plan !== null && (
        <li className={plan.kind === 'scan' ? styles.scan : styles.dim}>
          {plan.kind === 'index' ? (
            <Value text={TEXTS.plan.index(plan.index ?? '')} />
          ) : (
            TEXTS.plan[plan.kind]
          )}
        </li>
      )}
    </ul>
  )
}
