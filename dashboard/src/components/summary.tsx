import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { askApi } from '../api.ts'
import { appPath } from '../apps-data.ts'
import type { KeyRules } from '../key-rules.ts'
import { KEY_TEXTS } from '../texts/keys.ts'
import { useSettled } from '../use-settled.ts'
import { ReadProblem } from './read-problem.tsx'
import styles from './summary.module.css'
import { Value } from './value.tsx'

const SETTLES_MS = 300

interface SummaryProps {
  readonly slug: string
  /** The same object as long as they are the same. */
  readonly rules: Partial<KeyRules>
  /** Whether it is the key of a site. */
  readonly isSiteKey?: boolean
}

/** What a key may do that has these rules, in the server's words, or what is wrong with them. */
export function Summary({ slug, rules, isSiteKey = false }: SummaryProps) {
  const settled = useSettled(rules, SETTLES_MS)
  const { data, error } = useQuery({
    queryKey: ['key-summary', slug, settled, isSiteKey],
    queryFn: ({ signal }) =>
      askApi<{ sentence: string }>(`${appPath(slug)}/keys/summary`, {
        method: 'POST',
        json: { rules: settled, ...(isSiteKey && { isSiteKey }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <section className={styles.summary} aria-label={KEY_TEXTS.sums} aria-live="polite">
      {error === null ? <Value text={data?.sentence ?? '…'} /> : <ReadProblem error={error} />}
    </section>
  )
}
