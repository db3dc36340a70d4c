import { useEffect, useState } from 'react'
import { TEXTS } from '../texts.ts'
import styles from './waiting.module.css'

/** Nothing shows before, so that what comes quickly doesn't flicker. */
const QUIET_MS = 300
const TELLS_MS = 2_000
const EXPLAINS_MS = 10_000

/** @param reading what is being done, said after two seconds */
export function Waiting({ reading }: { readonly reading: string }) {
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
    </div>
  )
}
