import { useState } from 'react'
import type { TailRequest } from '../../analytics/live-tail.ts'
import { Button } from '../../components/button.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { Value } from '../../components/value.tsx'
import { ANALYTICS_TEXTS, duration } from '../../texts/analytics.ts'
import { byteCount } from '../../texts.ts'
import styles from './analytics.module.css'
import tableStyles from './figures-table.module.css'
import { Scroller } from './scroller.tsx'
import { MOST, useTail } from './use-tail.ts'

const { live: TEXTS, operationNames: OPERATIONS, noKey: NO_KEY, withheldKey: WITHHELD_KEY } = ANALYTICS_TEXTS
const { columns: COLUMNS } = TEXTS

/** The requests of an app as they are answered, once that is asked for. */
export function LiveTail({ slug }: { readonly slug: string }) {
  const { state, error, requests, skipped, start, pause, clear } = useTail(slug)
  const [of, setOf] = useState('')
  const isOn = state === 'opening' || state === 'open' || state === 'hidden'
  const shown =
    of === '' ? requests.slice(0, MOST) : requests.filter(({ status }) => String(status).startsWith(of))
  const words = requests.length === 0 ? TEXTS.none : TEXTS.noneLike
  return (
    <section className={styles.section} aria-labelledby="live">
      <h2 id="live">{TEXTS.title}</h2>
      <p className={styles.dim}>{TEXTS.explained}</p>
      <div className={styles.filters}>
        <Button onClick={isOn ? pause : start}>{isOn ? TEXTS.pause : TEXTS.start}</Button>
        <SelectField
          name="class"
          label={TEXTS.show}
          options={TEXTS.classes}
          value={of}
          onChange={({ currentTarget: { value } }) => setOf(value)}
        />
        {requests.length > 0 && <Button onClick={clear}>{TEXTS.clear}</Button>}
        <p role="status" className={styles.dim}>
          {TEXTS.states[state]}
        </p>
      </div>
      <ReadProblem error={error} onAgain={start} />
      {skipped.count > 0 && <p className={styles.dim}>{TEXTS.skipped(skipped)}</p>}
      {shown.length > 0 && <Requests requests={shown} />}
      {shown.length === 0 && state === 'open' && <p className={styles.dim}>{words}</p>}
    </section>
  )
}

function Requests({ requests }: { readonly requests: readonly TailRequest[] }) {
  return (
    <Scroller label={TEXTS.label}>
      <table className={tableStyles.table} aria-label={TEXTS.label}>
        <thead>
          <tr>
            {Object.entries(COLUMNS).map(([column, name]) => (
              <th key={column} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <TailRow key={request.requestId} request={request} />
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

function TailRow({ request }: { readonly request: TailRequest }) {
  const { at, method, path, status, code, ms, key, collection, operation, bytesOut, requestId } = request
  return (
    <tr>
      <td>{at.slice(11, 23)}</td>
      <th scope="row">
        <code>
          {method} <Value text={path} />
        </code>
      </th>
      <td>
        {status} {code !== undefined && <Value text={code} />}
      </td>
      <td className={tableStyles.figure}>{duration(ms)}</td>
      <td>{key ? <Value text={key} /> : key === null ? WITHHELD_KEY : NO_KEY}</td>
      <td>
        {OPERATIONS[operation] ?? <Value text={operation} />} {collection && <Value text={collection} />}
      </td>
      <td className={tableStyles.figure}>{byteCount(bytesOut)}</td>
      <td>
        <code>
          <Value text={requestId} />
        </code>
      </td>
    </tr>
  )
}
