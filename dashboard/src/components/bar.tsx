import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Mark } from '../icons.tsx'
import { TEXTS } from '../texts.ts'
import { AccountMenu } from './account-menu.tsx'
import styles from './bar.module.css'
import { OpenPalette } from './palette.tsx'

/** What stands above every page: the mark, where one is, the account. */
export function Bar({ path }: { readonly path: ReactNode }) {
  return (
    <header className={styles.bar}>
      <Link href="/apps" className={styles.brand}>
        <Mark className={styles.mark} />
        <span className={styles.name}>{TEXTS.product}</span>
      </Link>
      <span className={styles.path}>{path}</span>
      <OpenPalette />
      <AccountMenu />
    </header>
  )
}
