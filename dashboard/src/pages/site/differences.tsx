import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Value } from '../../components/value.tsx'
import { compareFiles, DIFFERENCES } from '../../site/compare-files.ts'
import { type FullDeploy, useDeploy } from '../../site/site-data.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import styles from './site.module.css'

const { differences: TEXTS, files: FILES } = SITE_TEXTS

const SHOWN = 100

interface DifferencesProps {
  readonly slug: string
  readonly deploy: FullDeploy
  /** The version that is served. */
  readonly live: number
}

/** The files of a version that are not the same in the one that is live. */
export function Differences({ slug, deploy, live }: DifferencesProps) {
  const query = useDeploy(slug, String(live))
  const [most, setMost] = useState(SHOWN)
  const { data } = query
  if (data === undefined) return <ReadState query={query} reading={TEXTS.reading} />
  const differences = compareFiles(data.list, deploy.list)
  if (differences.length === 0) return <p>{TEXTS.none}</p>
  const counts = DIFFERENCES.map((kind) => {
    const count = differences.filter((each) => each.kind === kind).length
    return `${count.toLocaleString()} ${TEXTS.kinds[kind]}`
  })
  return (
    <>
      <p className={styles.dim}>{TEXTS.against(live)}</p>
      <p>{counts.join(', ')}.</p>
      <ul className={styles.differences} aria-label={TEXTS.label}>
        {differences.slice(0, most).map(({ kind, path }) => (
          <li key={path} data-kind={kind}>
            <span aria-hidden="true">{TEXTS.marks[kind]}</span> <Value text={path} />{' '}
            <span className={styles.dim}>{TEXTS.kinds[kind]}</span>
          </li>
        ))}
      </ul>
      {differences.length > most && (
        <Button className={styles.more} onClick={() => setMost(most + SHOWN)}>
          {FILES.more(Math.min(SHOWN, differences.length - most))}
        </Button>
      )}
    </>
  )
}
