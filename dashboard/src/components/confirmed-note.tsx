import { useHistoryState } from 'wouter/use-browser-location'
import { TEXTS } from '../texts.ts'
import styles from './banner.module.css'

/** What the entry in the history says of a page that one comes back to from the OpenID provider. */
export interface ConfirmedState {
  /** When it was confirmed there who it is, by this browser's clock. */
  readonly confirmedAt: number
}

/** For how long the server takes it. */
const GOOD_MS = 10 * 60_000

/** Says above the page that it is confirmed now, for the act that it was for has to be done again. */
export function ConfirmedNote() {
  const { confirmedAt = 0 } = useHistoryState<Partial<ConfirmedState> | null>() ?? {}
  const isGood = Date.now() - confirmedAt < GOOD_MS
  return <div role="status">{isGood && <p className={styles.note}>{TEXTS.provider.confirmed}</p>}</div>
}
