import type { ReactNode } from 'react'
import styles from './mark.module.css'

/** A word about something of a list, such as that it is the current one. */
export function Mark({ children }: { readonly children: ReactNode }) {
  return <span className={styles.mark}>{children}</span>
}
