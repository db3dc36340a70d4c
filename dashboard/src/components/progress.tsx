import { byteCount, TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './progress.module.css'

interface ProgressProps {
  /** What is sent, for those who don't see where it stands. */
  readonly label: string
  readonly sentBytes: number
  readonly allBytes: number
  /** What is done once all of it has been sent. */
  readonly after: string
  readonly onStop: () => void
}

/** How much of a file has been sent, with a button that stops it. */
export function Progress({ label, sentBytes, allBytes, after, onStop }: ProgressProps) {
  const isSent = sentBytes >= allBytes
  const share = isSent ? 100 : Math.floor((100 * sentBytes) / allBytes)
  return (
    <div className={styles.progress}>
      {/* Once nobody knows how far it is, it has no value. */}
      <progress aria-label={label} max={100} {...(!isSent && { value: share })} />
      <p>{isSent ? after : TEXTS.file.sent(share, byteCount(sentBytes), byteCount(allBytes))}</p>
      <Button onClick={onStop}>{TEXTS.stop}</Button>
    </div>
  )
}
