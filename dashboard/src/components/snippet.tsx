import { CopyButton } from './copy-button.tsx'
import styles from './snippet.module.css'

interface SnippetProps {
  readonly text: string
  /** What it is, for those who don't see it. */
  readonly label: string
  /** Whether long lines go on below; without it they scroll, as those of programs. */
  readonly isWrapped?: boolean
}

/** Text to be copied to where it is used. */
export function Snippet({ text, label, isWrapped = false }: SnippetProps) {
  return (
    <div className={styles.snippet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <section tabIndex={0} aria-label={label}>
        <pre className={isWrapped ? styles.wrapped : undefined}>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} label={label} />
    </div>
  )
}
