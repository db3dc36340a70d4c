import { CopyButton } from './copy-button.tsx'
import styles from './snippet.module.css'

/** Text to be copied into a program. @param label what it is, for those who don't see it */
export function Snippet({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className={styles.snippet}>
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
