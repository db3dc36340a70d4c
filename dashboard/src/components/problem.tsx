import { ApiError, isUnreachable } from '../api.ts'
import { Icon } from '../icons.tsx'
import { isNotLoaded } from '../not-loaded.ts'
import { showUnseen } from '../show-unseen.ts'
import { sentence, TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import { NarrowPage } from './narrow-page.tsx'
import styles from './problem.module.css'

interface ProblemProps {
  readonly error: Error
  /** Tries again what went wrong. */
  readonly onAgain?: () => unknown
  /** Whether there is nothing else to show. */
  readonly isPage?: boolean
}

/** What went wrong, where it did, in the server's words. It stays until something else is tried. */
export function Problem({ error, onAgain, isPage = false }: ProblemProps) {
  const { requestId, words } = toldBy(error)
  const shown = (
    <div className={styles.problem} role="alert">
      <Icon name="alert" className={styles.icon} />
      <div className={styles.told}>
        <p>{showUnseen(words)}</p>
        {requestId !== undefined && (
          <p className={styles.request}>
            {TEXTS.requestId} <code>{requestId}</code>
          </p>
        )}
        {onAgain !== undefined && <Button onClick={() => onAgain()}>{TEXTS.again}</Button>}
      </div>
    </div>
  )
  return isPage ? <NarrowPage title={TEXTS.failed.answered}>{shown}</NarrowPage> : shown
}

function toldBy(error: Error): { readonly words: string; readonly requestId?: string | undefined } {
  if (isNotLoaded(error)) return { words: TEXTS.notLoaded.part }
  if (!(error instanceof ApiError)) return { words: TEXTS.failed.explained }
  if (error.code === 'password_required') return { words: TEXTS.passwordRequired.notGiven }
  if (isUnreachable(error)) return { words: TEXTS.failed.unreachable }
  // The server's words are for who runs its commands.
  if (error.code === 'app_not_found') return { words: TEXTS.failed.noApp }
  // By which somebody finds in the log what was no mistake of theirs.
  const requestId = error.status >= 500 ? error.requestId : undefined
  return { words: sentence(error.message), requestId }
}
