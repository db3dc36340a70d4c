import { ANALYTICS_TEXTS as TEXTS } from '../../texts/analytics.ts'
import styles from './analytics.module.css'

/** Has the browser save a table as a file. @param of what the table lists */
export function CsvLink({ of, href }: { readonly of: string; readonly href: string }) {
  return (
    <a href={href} download className={styles.csv} aria-label={TEXTS.csvOf(of)}>
      {TEXTS.csv}
    </a>
  )
}
