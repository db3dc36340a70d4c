import type { ReactNode } from 'react'
import { Mark } from '../icons.tsx'
import { TEXTS } from '../texts.ts'
import styles from './narrow-page.module.css'

/** A page of one column, for what is done without a session. */
export function NarrowPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={styles.page}>
      <title>{TEXTS.titleOf(title)}</title>
      <header className={styles.brand}>
        <Mark className={styles.mark} />
        {TEXTS.product}
      </header>
      <main className={styles.main}>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}
