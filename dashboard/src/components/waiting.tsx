import { useEffect, useState } from 'react'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './waiting.module.css'

/** Nothing shows before, so that what comes quickly doesn't flicker. */
const QUIET_MS = 300
const TELLS_MS = 2_000
const EXPLAINS_MS = 10_000

interface WaitingProps {
  /** What is being done, said after two seconds. */
  readonly reading: string
  readonly onStop?: () => unknown
}

export function Waiting({ reading, onStop }: WaitingProps) {
  const [stage, setStage] = useState(0)
  useEffect(() => {
    const timers = [QUIET_MS, TELLS_MS, EXPLAINS_MS].map((after, index) =>
      setTimeout(() => setStage(index + 1), after),
    )
    return () => timers.forEach(clearTimeout)
  }, [])
  return (
    <div className={styles.waiting} role="status">
      {stage > 0 && <div className={styles.bar} />}
      {stage > 1 && <p>{reading}…</p>}
      {stage > 2 && <p>{TEXTS.failed.slow}</p>}
      {stage > 1 && onStop !== undefined && <Button onClick={() => onStop()}>{TEXTS.stop}</Button>}
    </div>
  )
}

/** What is there instead of what was being read. */
export function Stopped({ onAgain }: { readonly onAgain: () => unknown }) {
  return (
    <div className={styles.waiting} role="status">
      <p>{TEXTS.stopped}</p>
      <Button onClick={() => onAgain()}>{TEXTS.again}</Button>
    </div>
  )
}
