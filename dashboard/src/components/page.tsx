import { type ReactNode, useId } from 'react'
import { TEXTS } from '../texts.ts'
import { Bar } from './bar.tsx'
import styles from './page.module.css'

/** A page of several sections for whoever is signed in. */
export function Page({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <title>{TEXTS.titleOf(title)}</title>
      <Bar path={title} />
      <main className={styles.main}>
        <h1>{title}</h1>
        {children}
      </main>
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly note?: string
  /** Whether it has a table, which takes more room than a form. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

export function Section({ title, note, isWide = false, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={isWide ? `${styles.section} ${styles.wide}` : styles.section}>
      <h2 id={id}>{title}</h2>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {children}
    </section>
  )
}
