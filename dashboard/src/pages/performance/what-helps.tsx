import { Link } from 'wouter'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { IndexProgress } from '../../data/index-progress.tsx'
import { MakeIndex } from '../../data/make-index.tsx'
import { type AppIndex, type AppQuery, indexesPage } from '../../indexes-data.ts'
import { PERFORMANCE_TEXTS } from '../../texts/performance.ts'
import styles from './performance.module.css'

const { help: TEXTS, decided: DECIDED } = PERFORMANCE_TEXTS

interface WhatHelpsProps {
  readonly slug: string
  readonly mayMake: boolean
  readonly query: AppQuery
  /** Those of the app. */
  readonly indexes: readonly AppIndex[]
}

/** The index that serves queries of a shape or would, how it is, and what was done about it without being asked for. */
export function WhatHelps({ slug, mayMake, query, indexes }: WhatHelpsProps) {
  const { collection, advice } = query
  const { index: fields, state, decision } = advice
  const isThere = state === 'ready' || state === 'building' || state === 'failed'
  const there = indexes.find((index) => index.collection === collection && index.fields === fields)
  return (
    <div className={styles.help}>
      {fields !== null && (
        <span className={state === 'ready' ? styles.ok : undefined}>
          {TEXTS.index}{' '}
          {isThere ? (
            <Link href={indexesPage({ slug, collection })}>
              <Value text={fields} />
            </Link>
          ) : (
            <Value text={fields} />
          )}
        </span>
      )}
      {state === 'building' && <IndexProgress index={there} />}
      <Words query={query} there={there} />
      {decision !== null && (
        <span className={styles.dim}>
          {DECIDED[decision.what]} <Time at={decision.at} />: <Value text={decision.why} />
        </span>
      )}
      {mayMake && !isThere && fields !== null && state !== 'few-documents' && (
        <MakeIndex key={fields} {...{ slug, collection, fields }} label={TEXTS.makeOf(fields)}>
          {TEXTS.make}
        </MakeIndex>
      )}
    </div>
  )
}

function Words({ query, there }: Pick<WhatHelpsProps, 'query'> & { readonly there: AppIndex | undefined }) {
  const words = wordsOf(query, there)
  return words !== undefined && <span>{words}</span>
}

function wordsOf(
  { advice: { index, state, missed, needed }, plan, lastSeen }: AppQuery,
  there: AppIndex | undefined,
): string | undefined {
  switch (state) {
    case 'building':
      return undefined
    case 'ready':
      if (plan?.index === index) return undefined
      return there !== undefined && there.createdAt > lastSeen ? TEXTS.unasked : TEXTS.unused
    case 'failed':
      return TEXTS.failed
    case 'worth':
      return TEXTS.worth
    case 'little-benefit':
      return TEXTS.littleBenefit(missed, needed)
    case 'few-reads':
      return TEXTS.fewReads
    case 'few-documents':
      return TEXTS.fewDocuments
    case 'no-candidate':
      return TEXTS.none
    default:
      return state satisfies never
  }
}
