import { Value } from '../../components/value.tsx'
import { SITE_TEXTS } from '../../texts/site.ts'
import styles from './site.module.css'

/** More of them nobody reads here. */
const MOST_SHOWN = 100

interface PathListProps {
  readonly title: string
  readonly paths: readonly string[]
  /** Where that is more than what `paths` has. */
  readonly count?: number
  readonly isOpen?: boolean
}

/** Paths, folded away until somebody wants to know which. */
export function PathList({ title, paths, count = paths.length, isOpen = false }: PathListProps) {
  const shown = paths.slice(0, MOST_SHOWN)
  return (
    <details className={styles.paths} open={isOpen}>
      <summary>{title}</summary>
      <ul>
        {shown.map((path) => (
          <li key={path}>
            <Value text={path} />
          </li>
        ))}
        {count > shown.length && <li>{SITE_TEXTS.deploy.more(count - shown.length)}</li>}
      </ul>
    </details>
  )
}
