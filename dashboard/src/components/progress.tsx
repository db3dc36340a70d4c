import { byteCount, TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './progress.module.css'

interface ShareDoneProps {
  /** What is under way, for those who don't see where it stands. */
  readonly label: string
  /** Of a hundred; undefined where nobody knows how far it is. */
  readonly share: number | undefined
  readonly told: string
  readonly onStop: () => void
}

/** How much of something is done, with a button that stops it. */
export function ShareDone({ label, share, told, onStop }: ShareDoneProps) {
  return (
    <div className={styles.progress}>
      <progress aria-label={label} max={100} {...(share !== undefined && { value: share })} />
      <p>{told}</p>
      <Button onClick={onStop}>{TEXTS.stop}</Button>
    </div>
  )
}

interface ProgressProps extends Pick<ShareDoneProps, 'label' | 'onStop'> {
  readonly sentBytes: number
  readonly allBytes: number
  /** What is done once all of it has been sent. */
  readonly after: string
}

/** How much of a file has been sent. */
export function Progress({ label, sentBytes, allBytes, after, onStop }: ProgressProps) {
  const share = sentBytes >= allBytes ? undefined : Math.floor((100 * sentBytes) / allBytes)
  const told = share === undefined ? after : TEXTS.file.sent(share, byteCount(sentBytes), byteCount(allBytes))
  return <ShareDone label={label} share={share} told={told} onStop={onStop} />
}
