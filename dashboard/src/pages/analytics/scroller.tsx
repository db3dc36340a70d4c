import type { ReactNode } from 'react'
import styles from './figures-table.module.css'

/** Room for a table that scrolls in itself. A region of its own for each would be one too many for screen readers. */
export function Scroller({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
    <div className={styles.scroller} tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  )
}
