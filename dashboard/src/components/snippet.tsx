import { CopyButton } from './copy-button.tsx'
import styles from './snippet.module.css'

interface SnippetProps {
  readonly text: string
  /** What it is, for those who don't see it. */
  readonly label: string
  /** Whether it is one value, without lines of its own, which breaks where there is no room. */
  readonly isValue?: boolean
}

/** Text to be copied into a program. */
export function Snippet({ text, label, isValue = false }: SnippetProps) {
  return (
    <div className={styles.snippet} data-value={isValue || undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} label={label} />
    </div>
  )
}
