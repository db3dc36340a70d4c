import type { ReactNode } from 'react'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './failed-part.module.css'
import { Problem } from './problem.tsx'

interface FailedPartProps {
  readonly error: Error
  /** What leads away from the part. */
  readonly children?: ReactNode
}

/**
 * What shows in the place of a part of a page that could not be loaded; the rest of it stays, with what was typed in it. Browsers
 * remember which modules could not be loaded for as long as the page is there: it has to be loaded again.
 */
export function FailedPart({ error, children }: FailedPartProps) {
  return (
    <div className={styles.part}>
      <Problem error={error} />
      <div className={styles.acts}>
        <Button onClick={() => location.reload()}>{TEXTS.notLoaded.button}</Button>
        {children}
      </div>
    </div>
  )
}
