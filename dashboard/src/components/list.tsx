import type { ReactNode } from 'react'
import { localTime, TEXTS } from '../texts.ts'
import styles from './list.module.css'

interface RowProps {
  /** What it is called. */
  readonly name: ReactNode
  /** A word about it, such as that it is the current one. */
  readonly mark?: string | undefined
  /** Lines below the name. */
  readonly children?: ReactNode
  /** Buttons. */
  readonly acts?: ReactNode
}

/** One thing of a list, with what can be done to it; it folds where there is little room. */
export function Row({ name, mark, children, acts }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        {name} {mark !== undefined && <span className={styles.mark}>{mark}</span>}
        {children}
      </div>
      {acts !== undefined && <div className={styles.acts}>{acts}</div>}
    </li>
  )
}

/** @param at in ISO 8601; null where it never was */
export function Time({ at }: { readonly at: string | null }) {
  return at === null ? (
    TEXTS.never
  ) : (
    <time dateTime={at} title={at}>
      {localTime(at)}
    </time>
  )
}
