import { Link } from 'wouter'
import { ApiError } from '../../api.ts'
import { appPath } from '../../apps-data.ts'
import { ReadProblem } from '../../components/read-problem.tsx'
import { IMPORT_TEXTS } from '../../texts/import.ts'
import type { CollectionAddress } from '../documents-api.ts'
import styles from './import.module.css'
import { LineErrors } from './line-errors.tsx'
import type { useImport } from './use-import.ts'

interface ImportOutcomeProps {
  readonly address: CollectionAddress
  readonly importing: ReturnType<typeof useImport>
}

/** What became of an import: what is there now, or why there is nothing new. */
export function ImportOutcome({ address, importing }: ImportOutcomeProps) {
  const { act, isSent, isStopped } = importing
  const { data, error, variables } = act
  if (variables === undefined || act.isPending) return null
  if (isStopped)
    return (
      <p role="status">{isSent && !variables.isCheck ? IMPORT_TEXTS.stoppedLate : IMPORT_TEXTS.stopped}</p>
    )
  if (error !== null)
    return (
      <>
        <ReadProblem error={error} />
        {!variables.isCheck && <p>{whatIsThere(error)}</p>}
      </>
    )
  if (data === undefined) return null
  if (variables.isCheck)
    return (
      <>
        <p role="status" className={data.bad === 0 ? styles.done : styles.partly}>
          {IMPORT_TEXTS.checked(data.bad)}
        </p>
        {data.errors.length > 0 && <LineErrors errors={data.errors} />}
      </>
    )
  return (
    <>
      <div role="status" className={data.bad === 0 ? styles.done : styles.partly}>
        <p>{IMPORT_TEXTS.imported(data)}</p>
        <Link href={`${appPath(address.slug)}/data/${encodeURIComponent(address.collection)}`}>
          {IMPORT_TEXTS.show}
        </Link>
      </div>
      {data.errors.length > 0 && <LineErrors errors={data.errors} />}
    </>
  )
}

/** Of a server that has said no, nothing; where no answer came, nobody knows. */
function whatIsThere(error: Error): string {
  const status = error instanceof ApiError ? error.status : 0
  if (status < 400 || status >= 500) return IMPORT_TEXTS.broken
  // What is said of the file itself. Of a right, a quota or another import no line tells more.
  return status === 400 ? `${IMPORT_TEXTS.failed} ${IMPORT_TEXTS.skipsAdvice}` : IMPORT_TEXTS.failed
}
