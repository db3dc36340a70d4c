import {
  type Analytics,
  type Chosen,
  type CountedError,
  csvAddress,
  type ErrorExample,
} from '../../analytics/analytics-data.ts'
import { daysOf } from '../../analytics/time-steps.ts'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { ANALYTICS_TEXTS } from '../../texts/analytics.ts'
import styles from './analytics.module.css'
import { Part } from './breakdown.tsx'

const { errors: TEXTS, none: NONE, withheldKey: WITHHELD_KEY, ofDays } = ANALYTICS_TEXTS

interface ErrorsProps {
  readonly chosen: Chosen
  readonly analytics: Pick<Analytics, 'errors' | 'from' | 'to'>
}

/** What was refused or failed, with the last requests of each kind. */
export function Errors({ chosen, analytics }: ErrorsProps) {
  const { errors } = analytics
  return (
    <Part id="errors" title={TEXTS.title} csv={csvAddress(chosen, 'errors')}>
      <p className={styles.dim}>{ofDays(...daysOf(analytics))}</p>
      {errors.length === 0 ? (
        <p className={styles.dim}>{NONE}</p>
      ) : (
        <Table
          label={TEXTS.title}
          columns={TEXTS.columns}
          rows={errors}
          keyOf={({ code, status }) => `${code} ${status}`}
          cells={({ code, status, count, examples }: CountedError) => ({
            code: <Value text={code} />,
            status,
            count: count.toLocaleString(),
            examples: <Examples examples={examples} />,
          })}
        />
      )}
    </Part>
  )
}

function Examples({ examples }: Pick<CountedError, 'examples'>) {
  if (examples.length === 0) return <span className={styles.dim}>{TEXTS.noExamples}</span>
  return (
    <ul className={styles.examples}>
      {examples.map((example) => (
        <li key={example.requestId}>
          <Example example={example} />
        </li>
      ))}
    </ul>
  )
}

function Example({ example: { at, method, path, key, requestId } }: { readonly example: ErrorExample }) {
  return (
    <>
      <code>
        {method} <Value text={path} />
      </code>{' '}
      <span className={styles.dim}>
        {key !== '' && (
          <>
            {TEXTS.withKey} {key === null ? WITHHELD_KEY : <Value text={key} />},{' '}
          </>
        )}
        <Time at={at} />, {TEXTS.request} <Value text={requestId} />
      </span>
    </>
  )
}
